package helix

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// order judges the positions of chunks, and the frames that refer to positions.
type order struct {
	*judge.Base

	cursor  judge.Number   // the reader's cursor, if it is a decimal number
	removed bool           // a removal that this connection didn't see is possible
	last    judge.Number   // position of the last chunk
	highest judge.Number   // highest position of a chunk
	latest  judge.Number   // latest sequence of the stream, where this connection shows it
	cuts    []removedAfter // the removals that truncated frames reported
}

// removedAfter is the removal that one truncated frame reported: chunks of a step above step with a sequence of at most sequence
// are gone.
type removedAfter struct{ step, sequence int64 }

// maxCuts bounds how many removals are remembered. Each hides
// those before it that removed less, so more than a few happen only on streams made to that end.
const maxCuts = 16

// chunk checks a chunk frame's numbers, and returns its position.
func (o *order) chunk(f *wire.Frame, object map[string]any) judge.Number {
	if !o.Options.Bare {
		o.Saw(wireChunkID)
		if !f.HasID && !f.IDBad {
			o.Violation(wireChunkID, judge.At(f), "a chunk frame has no id", "id: "+showNumber(object["sequence"]), "none")
		}
	}
	o.sequence(f, object)
	at := o.position(f, object)
	if !at.OK {
		return at
	}
	o.Ascends(resumeAfterCursor, judge.At(f), judge.Order{
		Message: "a chunk that the cursor acknowledged is sent again", Want: "a sequence above %d",
	}, o.cursor, at.N)
	o.Ascends(orderingAscending, judge.At(f), judge.Order{
		Message: "the sequence doesn't increase", Want: "a sequence above %d",
	}, o.last, at.N)
	o.inFlight(f, object, at.N)
	o.last = at
	o.highest.Raise(at.N)
	if !o.removed {
		o.latest.Raise(at.N)
	}
	return at
}

// sequence checks that the envelope's sequence equals the id. If the id isn't a number, only the sequence itself can be
// judged.
func (o *order) sequence(f *wire.Frame, object map[string]any) {
	o.Saw(wireSequence)
	o.Saw(orderingAtLeastOne)
	raw, there := object["sequence"]
	text, _ := raw.(json.Number)
	if f.HasID && string(text) == f.ID {
		return
	}
	seq, id := judge.Integer(raw), judge.Decimal(f.ID)
	switch {
	case !there:
		o.Violation(wireSequence, judge.At(f), "a chunk frame has no sequence", "a sequence", "none")
	case !seq.OK:
		o.Violation(wireSequence, judge.At(f), "the sequence of a chunk frame isn't an integer", "an integer", judge.Show(raw))
	case f.HasID && id.OK && seq != id:
		o.Violation(wireSequence, judge.At(f), "the sequence of a chunk frame differs from its id", f.ID, strconv.FormatInt(seq.N, 10))
	}
}

// position returns the position of readers after the chunk: its id, or if that isn't a number its sequence.
func (o *order) position(f *wire.Frame, object map[string]any) judge.Number {
	if id := judge.Decimal(f.ID); f.HasID && id.OK {
		return id
	}
	return judge.Integer(object["sequence"])
}

// inFlight checks that a chunk isn't one that a truncated frame removed.
func (o *order) inFlight(f *wire.Frame, object map[string]any, at int64) {
	if len(o.cuts) == 0 {
		return
	}
	chunk, _ := object["chunk"].(map[string]any)
	step := judge.Integer(chunk["step"])
	if !step.OK {
		return
	}
	o.Saw(truncationInFlight)
	for _, c := range o.cuts {
		if step.N > c.step && at <= c.sequence {
			o.Violation(truncationInFlight, judge.At(f), "a removed chunk follows the truncated frame",
				fmt.Sprintf("a step of at most %d or a sequence above %d", c.step, c.sequence),
				fmt.Sprintf("step %d, sequence %d", step.N, at))
			return
		}
	}
}

// truncated checks a truncated frame's numbers.
func (o *order) truncated(f *wire.Frame, object map[string]any) {
	at, step := judge.Integer(object["atSequence"]), judge.Integer(object["truncatedAtStep"])
	if !at.OK { // chunks that this reader was never sent may be gone
		o.removed, o.latest = true, judge.Number{}
		return
	}
	o.Ascends(truncationCoversDelivered, judge.At(f), judge.Order{
		Message: "atSequence is below a sequence that was delivered before", Want: "at least %d", Equal: true,
	}, o.highest, at.N)
	o.removed = false // from here on this connection knows
	if o.highest.OK {
		o.latest.Raise(o.highest.N)
	}
	o.latest.Raise(at.N)
	if step.OK {
		o.removeAfter(removedAfter{step.N, at.N})
	}
}

// removeAfter records a removal and drops those that removed less.
func (o *order) removeAfter(c removedAfter) {
	kept := o.cuts[:0]
	for _, old := range o.cuts {
		if old.step < c.step || old.sequence > c.sequence {
			kept = append(kept, old)
		}
	}
	o.cuts = append(kept, c)
	if len(o.cuts) > maxCuts {
		o.cuts = append(o.cuts[:0], o.cuts[1:]...)
	}
}

// finish checks a terminal frame's id.
func (o *order) finish(f *wire.Frame) {
	if o.Options.Bare {
		return
	}
	o.Saw(wireTerminalID)
	if !f.HasID {
		if !f.IDBad {
			o.Violation(wireTerminalID, judge.At(f), "the terminal frame has no id", "an id above that of every chunk", "none")
		}
		return
	}
	id := judge.Decimal(f.ID)
	if !id.OK {
		return
	}
	if o.highest.OK && id.N <= o.highest.N {
		o.Violation(wireTerminalID, judge.At(f), "the terminal frame's id isn't above that of every chunk",
			fmt.Sprintf("an id above %d", o.highest.N), f.ID)
		return
	}
	if !o.latest.OK {
		return
	}
	o.Saw(wireTerminalIDNext)
	if id.N != o.latest.N+1 {
		o.Violation(wireTerminalIDNext, judge.At(f), "the terminal frame's id doesn't follow the latest sequence",
			strconv.FormatInt(o.latest.N+1, 10), f.ID)
	}
}

// showNumber returns a number for people, or where it would come from.
func showNumber(v any) string {
	if n := judge.Integer(v); n.OK {
		return strconv.FormatInt(n.N, 10)
	}
	return "the chunk's sequence"
}
