package helix

import (
	"maps"
	"slices"
)

// ofChildren are the chunks that say what a sub-agent does by itself.
var ofChildren = []string{"text_delta", "thinking", "tool_start", "custom", "output", "error"}

// orphan looks for the ends and the words of sub-agents that are void: a stream_resync has told that the step in which they
// worked doesn't count, and who does it again has begun to speak. Before that, whoever was stopped may still be closed.
func (r *Run) orphan(all []*Produced, roots map[string]bool) error {
	started := map[string]int64{} // where each began that isn't void
	void, spoken := false, false  // one may be
	for _, p := range all {
		id, child := p.text("agentId"), p.text("subSessionId")
		_, open := started[child]
		_, known := started[id]
		switch kind := p.kind(); {
		case kind == "stream_resync":
			from, _ := p.member("fromSequence").(float64)
			maps.DeleteFunc(started, func(_ string, at int64) bool { return float64(at) > from })
			void, spoken = p.text("reason") != "branch", false
		case kind == "step_discarded": // what it takes back may still be closed
			void = false
		case kind == "subagent_start":
			started[child], spoken = p.ID, true
		case kind == "subagent_end" && void && spoken && !open:
			return violation("helix.subagents.paired", "the end of a sub-agent that is open", clipped(p.Body), "a sub-agent ends that was at work in a step that doesn't count any more")
		case kind == "subagent_end":
			r.ledger.Saw("helix.subagents.paired")
		case (kind == "text_delta" || kind == "tool_start") && roots[id]:
			spoken = true
		case slices.Contains(ofChildren, kind) && void && spoken && id != "" && !roots[id] && !known:
			return violation("helix.subagents.reported", "a chunk of a sub-agent that was begun", clipped(p.Body), "a sub-agent goes on that was at work in a step that doesn't count any more")
		}
	}
	return nil
}
