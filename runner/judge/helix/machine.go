package helix

import (
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas"
)

// New returns a machine that judges one response.
func New(o judge.Options) judge.Machine {
	m := newMachine(o)
	if o.Origin == record.Produced {
		m.produced = newProduction(&m.Base, o)
	}
	return m
}

func newMachine(o judge.Options) *machine {
	m := &machine{Base: judge.NewBase(o, judge.Wire{
		ContentType: wireContentType, CacheControl: wireCacheControl, UTF8: wireUTF8, NoBOM: wireNoBOM, BlankLine: wireBlankLine,
		SingleDataLine: wireSingleDataLine, Heartbeat: wireHeartbeat, BodyCloses: lifecycleBodyCloses, Unit: "frame", AUnit: "a frame",
	})}
	m.order.Base = &m.Base
	return m
}

// A machine stores only the data of a response with which later frames are compared.
type machine struct {
	judge.Base

	lastID string // last id delivered, or the cursor before any was
	status string // of the last status frame
	order  order  // of sequences; embeds the Base of this machine

	terminal bool // an end or fail frame was seen
	extra    bool // and something after it

	produced *production // judges the produced chunks; nil if the server only relayed
}

// inspect validates the data of a frame by the schemas: the envelope alone if the server only relays chunks.
func (m *machine) inspect(f *wire.Frame) judge.Verdict {
	if !f.Dispatched() {
		return judge.Verdict{}
	}
	check := m.Options.Schemas.Envelope
	switch {
	case m.isBare():
		check = m.Options.Schemas.Chunk
	case m.Options.Origin == record.Produced:
		check = m.Options.Schemas.Frame
	}
	return judge.VerdictOf(check(schemas.Strict, f.Data))
}

// Head implements judge.Machine.
func (m *machine) Head(h judge.Head) []record.Finding {
	m.Begin()
	m.order.removed = h.Removed
	if h.HasCursor {
		m.lastID = h.Cursor
		m.order.cursor = judge.Decimal(h.Cursor)
	}
	if m.produced != nil {
		m.produced.attach(h)
	}
	// Answers that don't claim to be a stream, 204 and errors, are left alone, and
	// so is a capture without a head.
	if h.Status >= 200 && h.Status <= 299 && h.Status != 204 && h.Header != nil {
		m.StreamHead(h)
	}
	return m.Found()
}

// Frame implements judge.Machine.
func (m *machine) Frame(f *wire.Frame) []record.Finding { return m.apply(f, m.inspect(f)) }

// apply judges a frame whose data was inspected. A frame without data changes the last id only.
func (m *machine) apply(f *wire.Frame, v judge.Verdict) []record.Finding {
	m.Begin()
	m.Bytes(f)
	if f.Dispatched() && !m.Several() {
		if !m.Options.Bare {
			m.framing(f)
		}
		if m.isBare() {
			m.bareChunk(f, v)
		} else {
			m.shape(f, v)
			m.meaning(f, v)
		}
	}
	if f.Terminated && f.HasID {
		m.lastID = f.ID
	}
	return m.Found()
}

// Close implements judge.Machine.
func (m *machine) Close(end record.End) []record.Finding {
	m.Begin()
	m.Ends(end, m.terminal && !m.isBare())
	return m.Found()
}

// framing checks the SSE fields around a frame's data.
func (m *machine) framing(f *wire.Frame) {
	m.Lines(f)
	m.Saw(wireUnnamed)
	if f.Event != "" && f.Event != "message" {
		m.Violation(wireUnnamed, judge.At(f), "the frame has a name", "no event field, or message", judge.Show(f.Event))
	}
	if !f.HasID && !f.IDBad || m.isBare() {
		return
	}
	m.Saw(wireIDDigits)
	if f.IDBad {
		m.Violation(wireIDDigits, judge.At(f), "the frame's id holds a NUL, so that readers ignore it", "decimal digits", "a NUL")
	} else if !judge.IsDecimal(f.ID) {
		m.Violation(wireIDDigits, judge.At(f), "the frame's id isn't a decimal number without leading zeros", "decimal digits", judge.Show(f.ID))
	}
}
