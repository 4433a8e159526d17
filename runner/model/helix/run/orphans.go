package run

import (
	"maps"
	"slices"

	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/stream"
)

// ofChildren lists the types of chunks that a sub-agent emits.
var ofChildren = []string{"text_delta", "thinking", "tool_start", "custom", "output", "error"}

// orphans finds chunks of sub-agents that are void: a stream_resync has made void the step in which they worked, and the
// executor that repeats it has emitted text. Before that, a stopped sub-agent may still be closed.
func orphans(all []*stream.Produced, roots map[string]bool, occasions model.OccasionCounts) error {
	started := map[string]int64{} // the id of the start of each that isn't void
	void, spoken := false, false  // one may be
	for _, p := range all {
		id, child := p.Text("agentId"), p.Text("subSessionId")
		_, open := started[child]
		_, known := started[id]
		switch kind := p.Kind(); {
		case kind == "stream_resync":
			from, _ := p.Member("fromSequence").(float64)
			maps.DeleteFunc(started, func(_ string, at int64) bool { return float64(at) > from })
			void, spoken = p.Text("reason") != "branch", false
		case kind == "step_discarded": // its sub-agents may still be closed
			void = false
		case kind == "subagent_start":
			started[child], spoken = p.ID, true
		case kind == "subagent_end" && void && spoken && !open:
			return model.Violated("helix.subagents.paired", "the end of a sub-agent that is open", model.Clipped(p.Body), "a sub-agent ends that was at work in a step that doesn't count any more")
		case kind == "subagent_end":
			occasions.Saw("helix.subagents.paired")
		case (kind == "text_delta" || kind == "tool_start") && roots[id]:
			spoken = true
		case slices.Contains(ofChildren, kind) && void && spoken && id != "" && !roots[id] && !known:
			return model.Violated("helix.subagents.reported", "a chunk of a sub-agent that was begun", model.Clipped(p.Body), "a sub-agent goes on that was at work in a step that doesn't count any more")
		}
	}
	return nil
}
