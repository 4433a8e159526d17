package beacon

import (
	"encoding/json"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas"
)

// machine judges one response. Base counts the occasions and keeps the findings.
type machine struct {
	judge.Base

	begun bool
	watch string
	last  judge.Number // n of the latest flash
	dark  bool
}

// New returns a machine that judges one response.
func New(o judge.Options) judge.Machine {
	return &machine{
		Base: judge.NewBase(o, judge.Wire{ContentType: wireContentType, UTF8: wireObject, Unit: "signal", AUnit: "a signal"}),
		last: judge.Number{OK: true},
	}
}

// JudgeAnswer judges an answer that isn't a stream; no rule is about one.
func JudgeAnswer(judge.Options, judge.Answer) ([]record.Finding, map[string]int) { return nil, nil }

// Head implements judge.Machine.
func (m *machine) Head(h judge.Head) []record.Finding {
	m.Begin()
	if h.Header != nil {
		m.StreamHead(h) // beacon.wire.content-type
	}
	return m.Found()
}

// Frame implements judge.Machine.
func (m *machine) Frame(f *wire.Frame) []record.Finding {
	m.Begin()
	m.Bytes(f)
	if f.Dispatched() {
		v := judge.VerdictOf(m.Options.Schemas.Event(schemas.Strict, f.Event, f.Data))
		m.signal(f, v)
		m.Witness()
	}
	return m.Found()
}

// signal judges one signal: its members by its schema, its place by what came before.
func (m *machine) signal(f *wire.Frame, v judge.Verdict) {
	at := judge.At(f)
	m.Saw(wireObject)
	m.Schema(at, v.Findings...)
	if !v.Known {
		m.MeetUnknown()
	}
	if !m.begun {
		m.Saw(signalsLit)
		if f.Event != "lit" {
			m.Violation(signalsLit, at, "the stream begins with another signal", "lit", judge.Show(f.Event))
		}
	}
	m.begun = true
	if m.dark {
		m.Violation(signalsDark, at, "a signal follows the last one", "the end of the body", judge.Show(f.Event))
	}
	watch, _ := v.Object["watch"].(string)
	m.SameText(signalsWatch, at, "the signal is of another watch", m.watch, watch)
	if m.watch == "" {
		m.watch = watch
	}
	switch f.Event {
	case "flash":
		m.flash(at, v.Object)
	case "dark":
		m.Saw(signalsDark)
		m.dark = true
	}
}

func (m *machine) flash(at judge.Position, flash map[string]any) {
	m.Saw(signalsComplete)
	m.Saw(signalsColour)
	n, _ := flash["n"].(json.Number)
	if number, err := n.Int64(); err == nil {
		want := m.last.N + 1
		m.SameNumber(signalsNumbered, at, "the number isn't the next one", judge.Number{N: want, OK: true}, judge.Number{N: number, OK: true})
		m.last.N = number
	}
}

// Close implements judge.Machine.
func (m *machine) Close(end record.End) []record.Finding {
	m.Begin()
	m.Ends(end, m.dark)
	if end == record.ServerClose && !m.dark {
		m.Saw(signalsDark)
		m.Violation(signalsDark, judge.Position{}, "the body ends without the last signal", "dark", "the end of the body")
	}
	return m.Found()
}
