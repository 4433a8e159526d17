package helix

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// A cut is what one truncated frame said: chunks of a step above step with a
// sequence of at most sequence are gone.
type cut struct{ step, sequence int64 }

// maxCuts bounds how many cuts are remembered. Each hides those before it that
// cut less, so more than a few happen only on streams made to that end.
const maxCuts = 16

// chunk checks a chunk frame's numbers, and returns its position.
func (m *machine) chunk(f *wire.Frame, object map[string]any) judge.Number {
	if !m.Options.Bare {
		m.Saw(wireChunkID)
		if !f.HasID && !f.IDBad {
			m.Breach(wireChunkID, judge.At(f), "a chunk frame has no id", "id: "+showNumber(object["sequence"]), "none")
		}
	}
	m.sequence(f, object)
	at := m.position(f, object)
	if !at.OK {
		return at
	}
	m.Ascends(resumeAfterCursor, judge.At(f), judge.Order{
		Message: "a chunk that the cursor acknowledged is sent again", Want: "a sequence above %d",
	}, m.cursor, at.N)
	m.Ascends(orderingAscending, judge.At(f), judge.Order{
		Message: "the sequence doesn't increase", Want: "a sequence above %d",
	}, m.last, at.N)
	m.inFlight(f, object, at.N)
	m.last = at
	m.highest.Raise(at.N)
	if !m.removed {
		m.latest.Raise(at.N)
	}
	return at
}

// sequence checks that the envelope says what the id says. Where the id isn't a
// number, only the sequence itself can be judged.
func (m *machine) sequence(f *wire.Frame, object map[string]any) {
	m.Saw(wireSequence)
	m.Saw(orderingAtLeastOne)
	raw, there := object["sequence"]
	text, _ := raw.(json.Number)
	if f.HasID && string(text) == f.ID {
		return
	}
	seq, id := judge.Integer(raw), judge.Decimal(f.ID)
	switch {
	case !there:
		m.Breach(wireSequence, judge.At(f), "a chunk frame has no sequence", "a sequence", "none")
	case !seq.OK:
		m.Breach(wireSequence, judge.At(f), "the sequence of a chunk frame isn't an integer", "an integer", judge.Show(raw))
	case f.HasID && id.OK && seq != id:
		m.Breach(wireSequence, judge.At(f), "the sequence of a chunk frame differs from its id", f.ID, strconv.FormatInt(seq.N, 10))
	}
}

// position is where readers think they are after the chunk: its id, and where
// that is no number its sequence.
func (m *machine) position(f *wire.Frame, object map[string]any) judge.Number {
	if id := judge.Decimal(f.ID); f.HasID && id.OK {
		return id
	}
	return judge.Integer(object["sequence"])
}

// inFlight checks that a chunk isn't one that a truncated frame removed.
func (m *machine) inFlight(f *wire.Frame, object map[string]any, at int64) {
	if len(m.cuts) == 0 {
		return
	}
	chunk, _ := object["chunk"].(map[string]any)
	step := judge.Integer(chunk["step"])
	if !step.OK {
		return
	}
	m.Saw(truncationInFlight)
	for _, c := range m.cuts {
		if step.N > c.step && at <= c.sequence {
			m.Breach(truncationInFlight, judge.At(f), "a removed chunk follows the truncated frame",
				fmt.Sprintf("a step of at most %d or a sequence above %d", c.step, c.sequence),
				fmt.Sprintf("step %d, sequence %d", step.N, at))
			return
		}
	}
}

// truncated checks a truncated frame's numbers.
func (m *machine) truncated(f *wire.Frame, object map[string]any) {
	at, step := judge.Integer(object["atSequence"]), judge.Integer(object["truncatedAtStep"])
	if !at.OK { // chunks that this reader was never sent may be gone
		m.removed, m.latest = true, judge.Number{}
		return
	}
	m.Ascends(truncationCoversDelivered, judge.At(f), judge.Order{
		Message: "atSequence is below a sequence that was delivered before", Want: "at least %d", Equal: true,
	}, m.highest, at.N)
	m.removed = false // from here on this connection knows
	if m.highest.OK {
		m.latest.Raise(m.highest.N)
	}
	m.latest.Raise(at.N)
	if step.OK {
		m.cutAt(cut{step.N, at.N})
	}
}

func (m *machine) cutAt(c cut) {
	kept := m.cuts[:0]
	for _, old := range m.cuts {
		if old.step < c.step || old.sequence > c.sequence {
			kept = append(kept, old)
		}
	}
	m.cuts = append(kept, c)
	if len(m.cuts) > maxCuts {
		m.cuts = append(m.cuts[:0], m.cuts[1:]...)
	}
}

// finish checks a terminal frame's id.
func (m *machine) finish(f *wire.Frame) {
	if m.Options.Bare {
		return
	}
	m.Saw(wireTerminalID)
	if !f.HasID {
		if !f.IDBad {
			m.Breach(wireTerminalID, judge.At(f), "the terminal frame has no id", "an id above that of every chunk", "none")
		}
		return
	}
	id := judge.Decimal(f.ID)
	if !id.OK {
		return
	}
	if m.highest.OK && id.N <= m.highest.N {
		m.Breach(wireTerminalID, judge.At(f), "the terminal frame's id isn't above that of every chunk",
			fmt.Sprintf("an id above %d", m.highest.N), f.ID)
		return
	}
	if !m.latest.OK {
		return
	}
	m.Saw(wireTerminalIDNext)
	if id.N != m.latest.N+1 {
		m.Breach(wireTerminalIDNext, judge.At(f), "the terminal frame's id doesn't follow the latest sequence",
			strconv.FormatInt(m.latest.N+1, 10), f.ID)
	}
}

func showNumber(v any) string {
	if n := judge.Integer(v); n.OK {
		return strconv.FormatInt(n.N, 10)
	}
	return "the chunk's sequence"
}
