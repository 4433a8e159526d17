package aep

import (
	"fmt"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas"
)

// New returns a machine that judges one response. All events are the server's
// own: the origin doesn't matter, and neither does the profile.
func New(o judge.Options) judge.Machine { return &machine{o: o} }

// A machine remembers of a response only what later events are compared with.
type machine struct {
	o     judge.Options
	count occasions
	out   []judge.Finding // of the current call

	first bool // a block of the body was seen
	open  place

	begun    bool   // an event was seen
	metadata bool   // and one of them was metadata
	request  string // requestId of the first event that had one
	thread   string // threadId of metadata
	late     moment // the latest timestamp
	terminal string // the terminal event that was seen
	extra    bool   // and something after it

	blocks  blocks
	actions map[uint64]bool // hashes of the actionIds so far
	asked   bool            // a continuation was seen
	calls   map[uint64]call // by hash of the toolCallId

	unknown int // events of a kind that isn't known
}

// call says which sides of a tool call have begun.
type call struct{ called, answered bool }

// A place is where a finding is: a block of the body, or nowhere.
type place struct {
	frame  int
	offset int64
	line   int
	set    bool
}

func placeOf(f *wire.Frame) place { return place{f.Index, f.Offset, f.Line, true} }

// A verdict is what the schemas say of an event's data. It depends on the data
// alone.
type verdict struct {
	schemas.Result
	object map[string]any // the data, if it is an object
	broken bool           // the data isn't JSON
}

func (m *machine) look(f *wire.Frame) verdict {
	v := verdict{Result: m.o.Schemas.Frame(schemas.Strict, f.Data)}
	v.object, _ = v.Value.(map[string]any)
	for i := range v.Findings {
		// JSON that can't be read is the only thing that no keyword finds in no value.
		v.broken = v.broken || v.Value == nil && v.Findings[i].Schema == ""
	}
	return v
}

// Head implements judge.Machine.
func (m *machine) Head(h judge.Head) []judge.Finding {
	m.out = nil
	m.headers(h)
	return m.out
}

// Frame implements judge.Machine.
func (m *machine) Frame(f *wire.Frame) []judge.Finding {
	m.out = nil
	if m.o.Bare {
		m.count[wireUTF8]++
	} else {
		m.bytes(f)
	}
	switch {
	case f.Dispatched():
		v := m.look(f)
		if !m.o.Bare {
			m.framing(f, v)
		}
		m.shape(f, v)
		m.flow(f, v)
		m.witness()
	case f.DataLines > 0:
		m.open = placeOf(f)
	}
	return m.out
}

// Close implements judge.Machine.
func (m *machine) Close(end judge.End) []judge.Finding {
	m.out = nil
	if end == judge.EOF && m.open.set {
		m.count[wireBlankLine]++
		m.add(wireBlankLine, m.open, "the body ends in the middle of an event, before its blank line", "a blank line", "the end of the body")
	}
	// A connection that broke may be the network's fault, or ours.
	if end == judge.EOF && m.terminal == "" && !m.open.set {
		m.count[flowTerminal]++
		m.add(flowTerminal, place{}, "the body ends without a terminal event", "done, error or aborted", "the end of the body")
	}
	if m.terminal != "" && (end == judge.EOF || end == judge.OpenStill) {
		m.count[flowBodyCloses]++
		if end == judge.OpenStill {
			m.add(flowBodyCloses, place{}, "the body stays open after the terminal event", "the end of the body", "an open connection")
		}
	}
	return m.out
}

// Occasions implements judge.Machine.
func (m *machine) Occasions() map[string]int { return m.count.byID() }

// Unknown implements judge.Machine.
func (m *machine) Unknown() int { return m.unknown }

func (m *machine) add(r rule, at place, message, want, got string) {
	f := judge.Finding{Requirement: ids[r], Message: message, Want: want, Got: got, Frame: -1, Offset: -1}
	if at.set {
		f.Frame, f.Offset, f.Line = at.frame, at.offset, at.line
	}
	m.out = append(m.out, f)
}

// schema passes on what the schemas found.
func (m *machine) schema(at place, found []schemas.Finding) {
	for _, s := range found {
		f := judge.Finding{
			Requirement: s.Requirement, Message: s.Message, Frame: -1, Offset: -1, Instance: s.Instance, Schema: s.Schema,
		}
		if at.set {
			f.Frame, f.Offset, f.Line = at.frame, at.offset, at.line
		}
		m.out = append(m.out, f)
	}
}

// witness makes sure that what was found had an occasion: members that an event
// may have are counted only where it had to have them.
func (m *machine) witness() {
	for _, f := range m.out {
		for r, id := range ids {
			if id == f.Requirement && m.count[r] == 0 {
				m.count[r] = 1
			}
		}
	}
}

// bytes checks what holds for every block of the body, with data or not.
func (m *machine) bytes(f *wire.Frame) {
	m.count[wireUTF8]++
	if !m.first {
		m.first = true
		m.count[wireNoBOM]++
	}
	for _, v := range f.Violations {
		at := place{f.Index, v.Offset, v.Line, true}
		switch v.Kind {
		case wire.InvalidUTF8:
			m.add(wireUTF8, at, "the body isn't valid UTF-8", "UTF-8", v.Detail)
		case wire.BOM:
			m.add(wireNoBOM, at, "the body begins with a byte order mark", "the first line", "EF BB BF")
		}
	}
}

// framing checks the fields around an event's data.
func (m *machine) framing(f *wire.Frame, v verdict) {
	m.count[wireBlankLine]++
	m.count[wireSingleDataLine]++
	if f.DataLines > 1 {
		m.add(wireSingleDataLine, placeOf(f), "the event's data stands on more than one line", "1 data line", fmt.Sprintf("%d data lines", f.DataLines))
	}
	m.count[wireNamed]++
	m.count[wireIDs]++
	if f.Event == "" {
		m.add(wireNamed, placeOf(f), "the event has no event field", "event: "+v.Type, "none")
		return
	}
	if name, ok := v.object["event"].(string); ok {
		m.count[wireSameName]++
		if name != f.Event {
			m.add(wireSameName, placeOf(f), "the event field isn't the event of the data", show(name), show(f.Event))
		}
	}
}
