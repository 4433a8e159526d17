package helix

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"sort"

	"github.com/streamcert/streamcert/reference/store"
)

// fold is what the events of one stream add up to. Nothing that it has handed out changes later.
type fold struct {
	state  document
	root   string // the agent whose state and messages these are
	rooted bool
	done   []Message // of steps that are complete
	open   []*draft  // of steps that aren't, in their order
	closed int64     // the last step that is complete
}

func newFold(initial json.RawMessage) *fold { return &fold{state: newDocument(initial), closed: -1} }

// said is a chunk as a fold reads it.
type said struct {
	store.Chunk
	kind, agent string
	members     map[string]json.RawMessage // a map, because a struct would take "Delta" for "delta"
}

func read(c store.Chunk) said {
	s := said{Chunk: c}
	if json.Unmarshal(c.JSON, &s.members) == nil {
		s.kind, s.agent = s.text("type"), s.text("agentId")
	}
	return s
}

// text is a member that is a string; empty if it isn't one.
func (s said) text(name string) (text string) {
	_ = json.Unmarshal(s.members[name], &text) // what is no string is for the validator to refuse
	return text
}

// number is a member that is a number; 0 if it isn't one.
func (s said) number(name string) int64 {
	var n float64
	_ = json.Unmarshal(s.members[name], &n)
	return int64(n)
}

func (s said) flag(name string) (flag bool) {
	_ = json.Unmarshal(s.members[name], &flag)
	return flag
}

// add takes in the next event of the effective log.
func (f *fold) add(e store.Event) {
	if e.Kind.Terminal() {
		f.complete(math.MaxInt64, false) // nothing is being written any more
		return
	}
	s := read(e.Chunk)
	switch {
	case s.agent == "":
		return
	case s.kind == resync || !f.rooted:
		f.root, f.rooted = s.agent, true
	}
	if s.agent != f.root {
		return
	}
	switch s.kind {
	case resync:
	case "state_patch":
		f.begin(s)
		f.state.patch(s.members["patches"])
	case "text_delta", "thinking", "tool_start":
		f.draft(s).add(s)
	case "tool_end":
		f.toolEnd(s)
	case "checkpoint_created":
		f.begin(s)
		f.complete(s.number("stepCount"), true)
	case "step_committed":
		f.begin(s)
		covered := int64(math.MaxInt64)
		if s.HasStep {
			covered = s.Step
		}
		f.complete(covered, true)
	default:
		f.begin(s)
	}
}

// begin notes that a step has begun, though nothing of it is for a message. A step that is over isn't begun again by what
// is written about it.
func (f *fold) begin(s said) {
	if s.HasStep && s.Step > f.closed {
		f.draft(s)
	}
}

// draft finds the step that a chunk belongs to, a new one if need be.
func (f *fold) draft(s said) *draft {
	if n := len(f.open); n > 0 {
		last := f.open[n-1]
		if !s.HasStep || last.hasStep && s.Step <= last.step {
			return last
		}
	}
	d := &draft{step: s.Step, hasStep: s.HasStep, thought: -1}
	f.open = append(f.open, d)
	return d
}

// complete makes messages of the steps up to one. Steps of which nothing is known but that they began are messages only
// where they are known to be complete.
func (f *fold) complete(step int64, known bool) {
	for len(f.open) > 0 && (!f.open[0].hasStep || f.open[0].step <= step) {
		d := f.open[0]
		f.open = f.open[1:]
		if known && d.hasStep || len(d.parts) > 0 {
			f.done = append(f.done, d.message(messageID(len(f.done))))
		}
		if d.hasStep {
			f.closed = max(f.closed, d.step)
		}
	}
}

// toolEnd ends a call where it began.
func (f *fold) toolEnd(s said) {
	f.begin(s)
	for _, d := range slices.Backward(f.open) {
		if d.toolEnd(s) {
			return
		}
	}
}

// messages are the steps that are complete and, if asked for, those that aren't.
func (f *fold) messages(partial bool) []Message {
	out := slices.Clip(f.done)
	if partial {
		for _, d := range f.open {
			if len(d.parts) > 0 {
				out = append(out, d.message(messageID(len(out))+"-partial"))
			}
		}
	}
	if out == nil {
		out = []Message{}
	}
	return out
}

// resync is the type of the chunk that takes a stream back.
const resync = "stream_resync"

// resyncs says whether an event takes the stream back, and to which sequence.
func resyncs(e store.Event) (from int64, ok bool) {
	if e.Kind != store.ChunkWritten || !bytes.Contains(e.Chunk.JSON, []byte(resync)) && !bytes.Contains(e.Chunk.JSON, []byte(`\u`)) {
		return 0, false // most chunks, and taking them apart takes its time
	}
	s := read(e.Chunk)
	return s.number("fromSequence"), s.kind == resync
}

// effective leaves out of a log what was taken back: the events between the sequence to which a resync goes back and the
// resync. What an earlier resync left out counts again where a later one goes back to before it.
func effective(events []store.Event) []store.Event {
	var parts [][]store.Event
	for i := len(events) - 1; i >= 0; i-- {
		from, ok := resyncs(events[i])
		if !ok {
			continue
		}
		parts = append(parts, events[i:])
		events = events[:sort.Search(i, func(n int) bool { return events[n].Sequence > from })]
		i = len(events)
	}
	if len(parts) == 0 {
		return events
	}
	parts = append(parts, events)
	slices.Reverse(parts)
	return slices.Concat(parts...)
}
