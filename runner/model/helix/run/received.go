package run

import (
	"strings"

	"github.com/streamcert/streamcert/runner/model/helix/stream"
)

// received contains the chunks of one agent that aren't voided.
type received struct {
	text              strings.Builder    // concatenated deltas
	pieces            []piece            // of the text
	blocks            []string           // of reasoning, each complete
	ends              []int              // index of the chunk that completes each block
	calls             []*call            // in the order of their starts
	customs           []*event           // in the order of the stream
	errors            []*event           // in the order of the stream
	subAgents         []*call            // in the order of their starts; one id may be started repeatedly
	patches           []*stream.Produced // in the order of the stream
	outputs           []*stream.Produced // in the order of the stream
	output            int                // index of the last of them
	checkpointIndexes []int              // index of each checkpoint of a step
}

// piece is a chunk of text: its index, and how many bytes of text there are with it.
type piece struct{ at, end int }

// call is one of a tool, or a sub-agent, by its first chunk and its last, nil if it is open.
type call struct {
	start, end *stream.Produced
	from, to   int  // indices in the session's chunks; to is that of the last chunk so far
	text       int  // bytes of text before it
	used       bool // it was matched with a step of the plan
	// again and next are of sub-agents: whether the id had been started before, and the index of its next start, 0 if none.
	again bool
	next  int
}

// event is a custom event or an error.
type event struct {
	*stream.Produced
	at, text int  // its index, and bytes of text before it
	used     bool // it was matched with a step of the plan
}

// counting reports for each chunk whether it counts: helix.snapshot.void.
func counting(all []*stream.Produced) []bool {
	counts := make([]bool, len(all))
	for i, p := range all {
		counts[i] = true
		switch p.Kind() {
		case "stream_resync":
			from, _ := p.Member("fromSequence").(float64)
			for j := i - 1; j >= 0 && float64(all[j].ID) > from; j-- {
				counts[j] = false
			}
		case "step_discarded":
			discarded(all[:i], counts, p)
		}
	}
	return counts
}

// discarded unmarks the chunks of an agent since its last completed step, but for patches and for those of another step.
func discarded(before []*stream.Produced, counts []bool, by *stream.Produced) {
	step := by.Member("step")
	for j := len(before) - 1; j >= 0; j-- {
		p := before[j]
		kind := p.Kind()
		if p.Text("agentId") != by.Text("agentId") {
			continue
		}
		if kind == "step_committed" || kind == "checkpoint_created" {
			return
		}
		other := step != nil && p.Member("step") != nil && p.Member("step") != step
		counts[j] = counts[j] && (kind == "state_patch" || other)
	}
}

// rootsOf returns the agentIds of the run's agent: after a branch it has another one.
func rootsOf(all []*stream.Produced) map[string]bool {
	roots := map[string]bool{}
	for i, p := range all {
		if i == 0 || p.Kind() == "stream_resync" && p.Text("reason") == "branch" {
			roots[p.Text("agentId")] = true
		}
	}
	return roots
}

// agentViews returns the indices of the chunks that count, by agent.
func agentViews(all []*stream.Produced, counts []bool) map[string][]int {
	of := map[string][]int{}
	for i, p := range all {
		if counts[i] {
			id := p.Text("agentId")
			of[id] = append(of[id], i)
		}
	}
	return of
}

// receive collects the chunks of one agent, by all of its ids.
func receive(all []*stream.Produced, counts []bool, agent map[string]bool) *received {
	var at []int
	for i, p := range all {
		if counts[i] && agent[p.Text("agentId")] {
			at = append(at, i)
		}
	}
	return receiveAt(all, at)
}

// receiveAt collects the chunks of some indices.
func receiveAt(all []*stream.Produced, at []int) *received {
	h := &received{}
	open := ""
	for _, i := range at {
		p := all[i]
		switch p.Kind() {
		case "text_delta":
			if delta := p.Text("delta"); delta != "" {
				h.text.WriteString(delta)
				h.pieces = append(h.pieces, piece{i, h.text.Len()})
			}
		case "thinking":
			if p.Member("isComplete") != true {
				open += p.Text("content")
				continue
			}
			block := p.Text("content")
			if block == "" { // the last increment needn't repeat the block
				block = open
			}
			if block != "" {
				h.blocks, h.ends = append(h.blocks, block), append(h.ends, i)
			}
			open = ""
		case "tool_start":
			h.calls = append(h.calls, &call{start: p, from: i, to: i, text: h.text.Len()})
		case "tool_end":
			ends(h.calls, p, i, "toolCallId")
		case "subagent_start":
			c := &call{start: p, from: i, to: i}
			for _, earlier := range h.subAgents {
				if earlier.next == 0 && earlier.start.Text("subSessionId") == p.Text("subSessionId") { // an id may be started again: the earlier start ends here
					earlier.next, c.again = i, true
				}
			}
			h.subAgents = append(h.subAgents, c)
		case "subagent_end":
			ends(h.subAgents, p, i, "subSessionId")
		case "custom":
			h.customs = append(h.customs, &event{Produced: p, at: i, text: h.text.Len()})
		default:
			h.keep(p, i)
		}
	}
	return h
}

// keep collects chunks of other types than text, reasoning, calls and custom events.
func (h *received) keep(p *stream.Produced, at int) {
	switch p.Kind() {
	case "error":
		h.errors = append(h.errors, &event{Produced: p, at: at, text: h.text.Len()})
	case "state_patch":
		h.patches = append(h.patches, p)
	case "output":
		h.outputs, h.output = append(h.outputs, p), at
	case "checkpoint_created":
		if n, _ := p.Member("stepCount").(float64); n > 0 {
			h.checkpointIndexes = append(h.checkpointIndexes, at)
		}
	}
}

// ends sets the end of the call that a chunk names.
func ends(calls []*call, p *stream.Produced, at int, id string) {
	for _, c := range calls {
		if c.end == nil && c.start.Text(id) == p.Text(id) {
			c.end, c.to = p, at
			return
		}
	}
}
