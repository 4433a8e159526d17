package aep

import (
	"strings"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas"
)

// New returns a machine that judges one response. The server made
// all events: the origin doesn't matter, and neither does the profile.
func New(o judge.Options) judge.Machine { return newMachine(o) }

func newMachine(o judge.Options) *machine {
	m := &machine{Base: judge.NewBase(o, judge.Wire{
		ContentType: wireContentType, CacheControl: wireCacheControl, UTF8: wireUTF8, NoBOM: wireNoBOM, BlankLine: wireBlankLine,
		SingleDataLine: wireSingleDataLine, BodyCloses: flowBodyCloses, Unit: "event", AUnit: "an event",
	})}
	m.blocks.Base = &m.Base
	return m
}

// A machine stores only the data of a response with which later events are compared.
type machine struct {
	judge.Base

	started  bool   // an event was seen
	metadata bool   // and one of them was metadata
	request  string // requestId of the first event that had one
	thread   string // threadId of metadata
	latest   moment // the latest timestamp
	terminal string // the terminal event that was seen
	extra    bool   // and something after it

	blocks    assembly   // embeds the Base of this machine
	actions   judge.Seen // hashes of the actionIds so far
	continued bool       // a continuation was seen
}

func (m *machine) inspect(f *wire.Frame) judge.Verdict {
	return judge.VerdictOf(m.Options.Schemas.Frame(schemas.Strict, f.Data))
}

// Head implements judge.Machine.
func (m *machine) Head(h judge.Head) []record.Finding {
	m.Begin()
	// Refusals are left alone, and so is a capture without a head.
	if h.Status >= 200 && h.Status <= 299 && h.Header != nil {
		m.StreamHead(h)
		m.connection(h)
	}
	return m.Found()
}

// connection checks that the next request can use the connection. HTTP/2 has no
// such header, so that there is nothing to tell apart.
func (m *machine) connection(h judge.Head) {
	m.Saw(wireConnection)
	if got := strings.Join(h.Header["connection"], ", "); judge.Lists(got, "close") {
		m.Violation(wireConnection, judge.Position{}, "the connection isn't kept for the next request", "no Connection header, or keep-alive", judge.Show(got))
	}
}

// Frame implements judge.Machine.
func (m *machine) Frame(f *wire.Frame) []record.Finding {
	m.Begin()
	m.Bytes(f)
	if f.Dispatched() && !m.Several() {
		v := m.inspect(f)
		if !m.Options.Bare {
			m.framing(f, v)
		}
		m.shape(f, v)
		v.Object = m.Options.Names.Specified(v.Type, v.Object)
		m.flow(f, v)
		m.Witness()
	}
	return m.Found()
}

// Close implements judge.Machine.
func (m *machine) Close(end record.End) []record.Finding {
	m.Begin()
	m.Ends(end, m.terminal != "")
	// A connection that broke may be the network's fault, or ours.
	if end == record.ServerClose && m.terminal == "" && !m.Truncated() {
		m.Saw(flowTerminal)
		m.Violation(flowTerminal, judge.Position{}, "the body ends without a terminal event", "done, error or aborted", "the end of the body")
	}
	return m.Found()
}

// framing checks the fields around an event's data.
func (m *machine) framing(f *wire.Frame, v judge.Verdict) {
	m.Lines(f)
	m.Saw(wireNamed)
	m.Saw(wireIDs)
	if f.Event == "" {
		m.Violation(wireNamed, judge.At(f), "the event has no event field", "event: "+v.Type, "none")
		return
	}
	if name, ok := v.Object["event"].(string); ok {
		m.Saw(wireSameName)
		if name != f.Event {
			m.Violation(wireSameName, judge.At(f), "the event field isn't the event of the data", judge.Show(name), judge.Show(f.Event))
		}
	}
}
