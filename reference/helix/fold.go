package helix

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"sort"

	"github.com/streamcert/streamcert/reference/store"
)

// fold accumulates the events of one stream. It never changes a returned value.
type fold struct {
	state  document          // after the last event
	root   string            // the agent whose state and messages these are
	rooted bool              // root is known
	done   []*draft          // steps that are complete
	open   []*draft          // steps that aren't, in their order
	calls  map[string]*piece // calls that are executing, by their id
	closed int64             // the last step that is complete
	last   int64             // sequence of the last event
}

func newFold(initial json.RawMessage) *fold {
	return &fold{state: newDocument(initial), calls: map[string]*piece{}, closed: -1}
}

// add takes in the next event of the effective log.
func (f *fold) add(e store.Event) {
	defer func() { f.last = e.Sequence }()
	if e.Kind.Terminal() {
		f.complete(math.MaxInt64, false) // no step is being written any more
		return
	}
	s := read(e)
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
	case resync: // the steps before it are complete, wherever the chunks are that announced their checkpoint
		f.complete(s.number("stepCount"), true)
	case "state_patch":
		f.begin(s)
		f.state.patch(s.members["patches"])
	case "text_delta", "thinking":
		f.draft(s).add(s)
	case "tool_start":
		f.toolStart(s)
	case "tool_end":
		f.toolEnd(s)
	case "step_discarded":
		f.discard(s)
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

// begin records that a step has started, even without content for a message. A chunk about a finished step doesn't begin it
// again.
func (f *fold) begin(s foldedChunk) {
	if s.HasStep && s.Step > f.closed {
		f.draft(s)
	}
}

// draft finds the step that a chunk belongs to, a new one if need be.
func (f *fold) draft(s foldedChunk) *draft {
	if n := len(f.open); n > 0 {
		last := f.open[n-1]
		if !s.HasStep || last.hasStep && s.Step <= last.step {
			return last
		}
	}
	d := &draft{step: s.Step, hasStep: s.HasStep, openReasoning: -1, from: f.last, state: f.state}
	f.open = append(f.open, d)
	return d
}

// discard drops the output of a discarded step: the one with the chunk's number, or the open step if the chunk has none.
func (f *fold) discard(s foldedChunk) {
	n := max(0, len(f.open)-1)
	if s.HasStep {
		n = slices.IndexFunc(f.open, func(d *draft) bool { return d.hasStep && d.step == s.Step })
	}
	if n < 0 || n == len(f.open) {
		return
	}
	// helix.snapshot.void: the draft is dropped, so that no message ever contains the step's output.
	for _, p := range f.open[n].parts {
		if f.calls[p.ToolCallID] == p {
			delete(f.calls, p.ToolCallID)
		}
	}
	f.open = slices.Delete(slices.Clone(f.open), n, n+1)
}

// complete makes messages of the steps up to one. Steps without content are messages only if they are known to be complete.
func (f *fold) complete(step int64, known bool) {
	for len(f.open) > 0 && (!f.open[0].hasStep || f.open[0].step <= step) {
		d := f.open[0]
		f.open = f.open[1:]
		if known && d.hasStep || len(d.parts) > 0 {
			// helix.snapshot.messages: a completed step becomes one message with all of its parts.
			f.done = append(f.done, d)
		}
		if d.hasStep {
			f.closed = max(f.closed, d.step)
		}
	}
}

// toolStart begins a call.
func (f *fold) toolStart(s foldedChunk) {
	d := f.draft(s)
	d.add(s)
	f.calls[s.text("toolCallId")] = d.parts[len(d.parts)-1]
}

// toolEnd ends a call where it began.
func (f *fold) toolEnd(s foldedChunk) {
	f.begin(s)
	id := s.text("toolCallId")
	if p, ok := f.calls[id]; ok {
		p.end(s)
		delete(f.calls, id)
	}
}

// assembled returns all messages and the state: complete steps, and open ones as partial messages.
func (f *fold) assembled() ([]Message, json.RawMessage) {
	out := messages(f.done, math.MaxInt64)
	for _, d := range f.open {
		if len(d.parts) > 0 {
			// helix.snapshot.partial: open steps follow the completed ones.
			out = append(out, d.message(messageID(len(out))+"-partial", math.MaxInt64))
		}
	}
	return out, f.state.value()
}

// settled returns the messages and the state before the first open step, and the sequence of that step's first chunk. ok is
// false if no step is open, so that complete has the complete state.
func (f *fold) settled() (_ []Message, state json.RawMessage, sequence int64, ok bool) {
	if len(f.open) == 0 {
		return nil, nil, 0, false
	}
	// helix.snapshot.no-partial, helix.snapshot.boundary: the boundary is right before the first chunk of the open step, so
	// that the stream repeats all of the step, including its patches.
	first := f.open[0]
	return messages(f.done, first.from), first.state.value(), first.from, true
}

// messages returns the messages of steps as they were at a sequence.
func messages(steps []*draft, at int64) []Message {
	out := make([]Message, 0, len(steps)+1)
	for _, d := range steps {
		out = append(out, d.message(messageID(len(out)), at))
	}
	return out
}

// resync is the type of the chunk that rolls a stream back.
const resync = "stream_resync"

// resyncs reports whether an event rolls the stream back, and to which sequence.
func resyncs(e store.Event) (from int64, ok bool) {
	if e.Kind != store.ChunkWritten || !bytes.Contains(e.Chunk.JSON, []byte(resync)) && !bytes.Contains(e.Chunk.JSON, []byte(`\u`)) {
		return 0, false // most chunks, and taking them apart takes its time
	}
	s := read(e)
	return s.number("fromSequence"), s.kind == resync
}

// effective removes from a log the events that were rolled back: those between the sequence to which a resync goes back and
// the resync. An event that an earlier resync removed counts again if a later one goes back to before the earlier one.
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
	// helix.resync.messages: events that a resync took back are not folded, so they are in no message.
	return slices.Concat(parts...)
}
