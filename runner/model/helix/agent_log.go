package helix

import (
	"encoding/json"
	"strings"
)

// received is what the chunks of one agent say that count.
type received struct {
	text             strings.Builder
	pieces           []piece // of the text
	blocks           []string
	ends             []int // where each block is completed
	calls            []*call
	customs          []*event
	errors           []*event
	subAgents        []*call
	patches          []*Produced
	outputs          []*Produced
	output           int   // where the last of them is
	savedCheckpoints []int // where each checkpoint of a step is
}

// piece is a chunk of text: its place, and how much text there was behind it.
type piece struct{ at, end int }

// call is one of a tool, or a sub-agent, by its first chunk and its last.
type call struct {
	start, end *Produced
	from, to   int
	text       int // how much text there was before it
	used       bool
}

// event is one of the application's own.
type event struct {
	*Produced
	at, text int // its place, and how much text there was
	used     bool
}

// counting are the chunks that count: helix.snapshot.void.
func counting(all []*Produced) []bool {
	counts := make([]bool, len(all))
	for i, p := range all {
		counts[i] = true
		switch p.kind() {
		case "stream_resync":
			from, _ := p.member("fromSequence").(float64)
			for j := i - 1; j >= 0 && float64(all[j].ID) > from; j-- {
				counts[j] = false
			}
		case "step_discarded":
			discarded(all[:i], counts, p)
		}
	}
	return counts
}

// discarded are the chunks of an agent since its last completed step, but for patches and for those of another step.
func discarded(before []*Produced, counts []bool, by *Produced) {
	step := by.member("step")
	for j := len(before) - 1; j >= 0; j-- {
		p := before[j]
		kind := p.kind()
		if p.text("agentId") != by.text("agentId") {
			continue
		}
		if kind == "step_committed" || kind == "checkpoint_created" {
			return
		}
		other := step != nil && p.member("step") != nil && p.member("step") != step
		counts[j] = counts[j] && (kind == "state_patch" || other)
	}
}

// agentViews are the places of the chunks that count, by agent.
func agentViews(all []*Produced, counts []bool) map[string][]int {
	of := map[string][]int{}
	for i, p := range all {
		if counts[i] {
			id := p.text("agentId")
			of[id] = append(of[id], i)
		}
	}
	return of
}

// receive takes the chunks of one agent together, by all of its ids.
func receive(all []*Produced, counts []bool, agent map[string]bool) *received {
	var at []int
	for i, p := range all {
		if counts[i] && agent[p.text("agentId")] {
			at = append(at, i)
		}
	}
	return receiveAt(all, at)
}

// receiveAt takes the chunks of some places together.
func receiveAt(all []*Produced, at []int) *received {
	h := &received{}
	open := ""
	for _, i := range at {
		p := all[i]
		switch p.kind() {
		case "text_delta":
			if delta := p.text("delta"); delta != "" {
				h.text.WriteString(delta)
				h.pieces = append(h.pieces, piece{i, h.text.Len()})
			}
		case "thinking":
			if p.member("isComplete") != true {
				open += p.text("content")
				continue
			}
			block := p.text("content")
			if block == "" {
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
			h.subAgents = append(h.subAgents, &call{start: p, from: i, to: i})
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

// keep takes what says nothing by itself.
func (h *received) keep(p *Produced, at int) {
	switch p.kind() {
	case "error":
		h.errors = append(h.errors, &event{Produced: p, at: at, text: h.text.Len()})
	case "state_patch":
		h.patches = append(h.patches, p)
	case "output":
		h.outputs, h.output = append(h.outputs, p), at
	case "checkpoint_created":
		if n, _ := p.member("stepCount").(float64); n > 0 {
			h.savedCheckpoints = append(h.savedCheckpoints, at)
		}
	}
}

// ends gives the call that a chunk names its end.
func ends(calls []*call, p *Produced, at int, id string) {
	for _, c := range calls {
		if c.end == nil && c.start.text(id) == p.text(id) {
			c.end, c.to = p, at
			return
		}
	}
}

// raw is a member of a chunk as JSON.
func (p *Produced) raw(name string) []byte {
	text, err := json.Marshal(p.member(name))
	if err != nil {
		return nil // it was decoded from JSON
	}
	return text
}
