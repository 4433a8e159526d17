package helix

import (
	"fmt"
	"time"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas"
)

// New returns a machine that judges one response.
func New(o judge.Options) judge.Machine {
	m := &machine{o: o}
	if o.Origin == judge.Produced {
		m.past = &history{}
	}
	return m
}

// A machine remembers of a response only what later frames are compared with.
type machine struct {
	o     judge.Options
	count occasions
	out   []judge.Finding // of the current call

	cursor  number // what the reader resumed at, if it is a plain decimal
	lastID  string // last id delivered, or the cursor before any was
	first   bool   // a block was seen
	removed bool   // a removal that this connection didn't see is possible

	last    number // position of the last chunk
	highest number // highest position of a chunk
	latest  number // latest sequence of the stream, where this connection shows it
	cuts    []cut  // what truncated frames said was removed
	status  string // of the last status frame

	terminal bool // an end or fail frame was seen
	extra    bool // and something after it
	open     place

	past *history // of what the server produced; nil if it only relayed

	unknown int // frames of a type that isn't known
}

// A number is an integer that may be missing.
type number struct {
	n  int64
	ok bool
}

// A place is where a finding is: a block, or nowhere.
type place struct {
	frame  int
	offset int64
	line   int
	set    bool
}

func placeOf(f *wire.Frame) place { return place{f.Index, f.Offset, f.Line, true} }

// A verdict is what the schemas say of a frame's data. It depends on the data
// alone.
type verdict struct {
	schemas.Result
	object map[string]any // the data, if it is an object
	broken bool           // the data isn't JSON
}

func (m *machine) look(f *wire.Frame) verdict {
	if !f.Dispatched() {
		return verdict{}
	}
	check := m.o.Schemas.Envelope
	switch {
	case m.isBare():
		check = m.o.Schemas.Chunk
	case m.o.Origin == judge.Produced:
		check = m.o.Schemas.Frame
	}
	v := verdict{Result: check(schemas.Strict, f.Data)}
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
	m.removed = h.Removed
	if h.HasCursor {
		m.lastID = h.Cursor
		m.cursor = decimal(h.Cursor)
	}
	if m.past != nil {
		m.past.attach(h)
	}
	m.headers(h)
	return m.out
}

// Frame implements judge.Machine.
func (m *machine) Frame(f *wire.Frame) []judge.Finding { return m.apply(f, m.look(f)) }

func (m *machine) apply(f *wire.Frame, v verdict) []judge.Finding {
	m.out = nil
	if m.o.Bare {
		m.count[wireUTF8]++
	} else {
		m.bytes(f)
	}
	switch {
	case f.Dispatched():
		if !m.o.Bare {
			m.framing(f)
		}
		if m.isBare() {
			m.bareChunk(f, v)
		} else {
			m.shape(f, v)
			m.meaning(f, v)
		}
	case f.DataLines > 0:
		m.open = placeOf(f)
	}
	if f.Terminated && f.HasID {
		m.lastID = f.ID
	}
	return m.out
}

// Close implements judge.Machine.
func (m *machine) Close(end judge.End) []judge.Finding {
	m.out = nil
	if m.open.set && end == judge.EOF {
		m.count[wireBlankLine]++
		m.add(wireBlankLine, m.open, "the body ends in the middle of a frame, before its blank line", "a blank line", "the end of the body")
	}
	if m.terminal && !m.isBare() && (end == judge.EOF || end == judge.OpenStill) {
		m.count[lifecycleBodyCloses]++
		if end == judge.OpenStill {
			m.add(lifecycleBodyCloses, place{}, "the body stays open after the terminal frame", "the end of the body", "an open connection")
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

// bytes checks what holds for every block, with data or not.
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
	m.silence(f)
}

// silence compares the longest wait with the heartbeat. A comment that comes a
// little early still shows that the server sends them, hence the tenth.
func (m *machine) silence(f *wire.Frame) {
	h := m.o.Heartbeat
	if h <= 0 || f.Silence < h-h/10 {
		return
	}
	m.count[wireHeartbeat]++
	if f.Silence > h+h/2 {
		m.add(wireHeartbeat, placeOf(f), "nothing was sent for longer than the heartbeat interval",
			fmt.Sprintf("a comment at least every %v", h), fmt.Sprintf("%v of silence", f.Silence.Round(time.Millisecond)))
	}
}

// framing checks the SSE fields around a frame's data.
func (m *machine) framing(f *wire.Frame) {
	m.count[wireBlankLine]++
	m.count[wireSingleDataLine]++
	if f.DataLines > 1 {
		m.add(wireSingleDataLine, placeOf(f), "the frame's data stands on more than one line", "1 data line", fmt.Sprintf("%d data lines", f.DataLines))
	}
	m.count[wireUnnamed]++
	if f.Event != "" && f.Event != "message" {
		m.add(wireUnnamed, placeOf(f), "the frame has a name", "no event field, or message", show(f.Event))
	}
	if !f.HasID && !f.IDBad || m.isBare() {
		return
	}
	m.count[wireIDDigits]++
	if f.IDBad {
		m.add(wireIDDigits, placeOf(f), "the frame's id holds a NUL, so that readers ignore it", "decimal digits", "a NUL")
	} else if !isDecimal(f.ID) {
		m.add(wireIDDigits, placeOf(f), "the frame's id isn't a decimal number without leading zeros", "decimal digits", show(f.ID))
	}
}
