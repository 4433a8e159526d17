package helix

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/streamcert/streamcert/runner/wire"
)

// A cut is what one truncated frame said: chunks of a step above step with a
// sequence of at most sequence are gone.
type cut struct{ step, sequence int64 }

// maxCuts bounds how many cuts are remembered. Each hides those before it that
// cut less, so more than a few happen only on streams made to that end.
const maxCuts = 16

// chunk checks a chunk frame's numbers.
func (m *machine) chunk(f *wire.Frame, object map[string]any) {
	if !m.o.Bare {
		m.count[wireChunkID]++
		if !f.HasID && !f.IDBad {
			m.add(wireChunkID, placeOf(f), "a chunk frame has no id", "id: "+showNumber(object["sequence"]), "none")
		}
	}
	m.sequence(f, object)
	at := m.position(f, object)
	if !at.ok {
		return
	}
	if m.cursor.ok {
		m.count[resumeAfterCursor]++
		if at.n <= m.cursor.n {
			m.add(resumeAfterCursor, placeOf(f), "a chunk that the cursor acknowledged is sent again",
				fmt.Sprintf("a sequence above %d", m.cursor.n), strconv.FormatInt(at.n, 10))
		}
	}
	if m.last.ok {
		m.count[orderingAscending]++
		if at.n <= m.last.n {
			m.add(orderingAscending, placeOf(f), "the sequence doesn't increase",
				fmt.Sprintf("a sequence above %d", m.last.n), strconv.FormatInt(at.n, 10))
		}
	}
	m.inFlight(f, object, at.n)
	m.last = at
	m.highest.raise(at.n)
	if !m.removed {
		m.latest.raise(at.n)
	}
}

func (n *number) raise(to int64) {
	if !n.ok || to > n.n {
		*n = number{to, true}
	}
}

// sequence checks that the envelope says what the id says. Where the id isn't a
// number, only the sequence itself can be judged.
func (m *machine) sequence(f *wire.Frame, object map[string]any) {
	m.count[wireSequence]++
	raw, there := object["sequence"]
	text, _ := raw.(json.Number)
	if f.HasID && string(text) == f.ID {
		return
	}
	seq, id := integer(raw), decimal(f.ID)
	switch {
	case !there:
		m.add(wireSequence, placeOf(f), "a chunk frame has no sequence", "a sequence", "none")
	case !seq.ok:
		m.add(wireSequence, placeOf(f), "the sequence of a chunk frame isn't an integer", "an integer", show(raw))
	case f.HasID && id.ok && seq != id:
		m.add(wireSequence, placeOf(f), "the sequence of a chunk frame differs from its id", f.ID, strconv.FormatInt(seq.n, 10))
	}
}

// position is where readers think they are after the chunk: its id, and where
// that is no number its sequence.
func (m *machine) position(f *wire.Frame, object map[string]any) number {
	if id := decimal(f.ID); f.HasID && id.ok {
		return id
	}
	return integer(object["sequence"])
}

// inFlight checks that a chunk isn't one that a truncated frame removed.
func (m *machine) inFlight(f *wire.Frame, object map[string]any, at int64) {
	if len(m.cuts) == 0 {
		return
	}
	chunk, _ := object["chunk"].(map[string]any)
	step := integer(chunk["step"])
	if !step.ok {
		return
	}
	m.count[truncationInFlight]++
	for _, c := range m.cuts {
		if step.n > c.step && at <= c.sequence {
			m.add(truncationInFlight, placeOf(f), "a removed chunk follows the truncated frame",
				fmt.Sprintf("a step of at most %d or a sequence above %d", c.step, c.sequence),
				fmt.Sprintf("step %d, sequence %d", step.n, at))
			return
		}
	}
}

// truncated checks a truncated frame's numbers.
func (m *machine) truncated(f *wire.Frame, object map[string]any) {
	at, step := integer(object["atSequence"]), integer(object["truncatedAtStep"])
	if !at.ok { // chunks that this reader was never sent may be gone
		m.removed, m.latest = true, number{}
		return
	}
	if m.highest.ok {
		m.count[truncationCoversDelivered]++
		if at.n < m.highest.n {
			m.add(truncationCoversDelivered, placeOf(f), "atSequence is below a sequence that was delivered before",
				fmt.Sprintf("at least %d", m.highest.n), strconv.FormatInt(at.n, 10))
		}
	}
	m.removed = false // from here on this connection knows
	if m.highest.ok {
		m.latest.raise(m.highest.n)
	}
	m.latest.raise(at.n)
	if step.ok {
		m.cutAt(cut{step.n, at.n})
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
	if m.o.Bare {
		return
	}
	m.count[wireTerminalID]++
	if !f.HasID {
		if !f.IDBad {
			m.add(wireTerminalID, placeOf(f), "the terminal frame has no id", "an id above that of every chunk", "none")
		}
		return
	}
	id := decimal(f.ID)
	if !id.ok {
		return
	}
	if m.highest.ok && id.n <= m.highest.n {
		m.add(wireTerminalID, placeOf(f), "the terminal frame's id isn't above that of every chunk",
			fmt.Sprintf("an id above %d", m.highest.n), f.ID)
		return
	}
	if !m.latest.ok {
		return
	}
	m.count[wireTerminalIDNext]++
	if id.n != m.latest.n+1 {
		m.add(wireTerminalIDNext, placeOf(f), "the terminal frame's id doesn't follow the latest sequence",
			strconv.FormatInt(m.latest.n+1, 10), f.ID)
	}
}

func showNumber(v any) string {
	if n := integer(v); n.ok {
		return strconv.FormatInt(n.n, 10)
	}
	return "the chunk's sequence"
}
