package report

import (
	"cmp"
	"errors"
	"strings"

	"github.com/streamcert/streamcert/runner/record"
)

// Recorder writes exchanges and findings down.
type Recorder struct {
	Redact func(string) string // takes the secrets of the target out of a text
	Prefix string              // of the names that the suite chose, such as sc-1a2b of sc-1a2b-7; "" where none is known
}

// Exchange writes an exchange down.
func (k Recorder) Exchange(e *record.Exchange) Exchange {
	x := k.request(e)
	x.Produced, x.Heading, x.Hidden, x.Removed = e.Origin == record.Produced, e.Heading, e.Hidden, e.Removed
	x.Route, x.Status, x.End = e.Route, e.Status, e.End
	x.State, _ = k.body(e.State)
	if e.Err != nil {
		x.Error = k.Redact(e.Err.Error())
	}
	var altered [3]bool
	if e.Kind != record.Control {
		x.Request, _ = k.lines(e.Request.Header)
		x.Response, altered[0] = k.lines(e.Response.Header)
	}
	x.Answer, altered[1] = k.body(e.Answer)
	size := 0
	for _, f := range e.Frames {
		size += len(f.Raw)
	}
	frames := make([]byte, 0, size)
	for _, f := range e.Frames {
		frames = append(frames, f.Raw...)
	}
	x.Frames, altered[2] = k.body(frames)
	x.Altered = altered != [3]bool{}
	return x
}

func (k Recorder) request(e *record.Exchange) Exchange {
	x := Exchange{Kind: e.Kind, Method: e.Method, Path: k.Redact(e.Path)}
	x.Body, _ = k.body(e.Body)
	return x
}

func (k Recorder) lines(in []record.Header) (out []string, altered bool) {
	for _, h := range in {
		line := h.Name + ": " + h.Value
		out = append(out, k.Redact(line))
		altered = altered || out[len(out)-1] != line
	}
	return out, altered
}

func (k Recorder) body(in []byte) (Body, bool) {
	out := k.Redact(string(in))
	if out == string(in) {
		return NewBody(in), false // the received bytes don't change any more
	}
	return NewBody([]byte(out)), true
}

// Finding converts a finding of the judge or a step in a scenario for the report. The caller adds its position and how to
// reproduce it.
func (k Recorder) Finding(f record.Finding, scenario, location string) record.Finding {
	f.Message, f.Want, f.Got = k.Redact(f.Message), k.Redact(f.Want), k.Redact(InShapeOf(f.Want, f.Got))
	f.Scenario, f.Location = scenario, location
	if f.Message == "" {
		f.Message = Unsaid
	}
	return f
}

// Record returns the exchange as it was when it was written down. The error explains why
// it can't be judged again.
func (e Exchange) Record() (*record.Exchange, error) {
	if e.Altered {
		return nil, errors.New("secrets were redacted in what came back")
	}
	out := &record.Exchange{
		Request: record.Request{
			Kind: e.Kind, Heading: e.Heading, Hidden: e.Hidden, Removed: e.Removed, Route: e.Route, Method: e.Method, Path: e.Path, Header: fields(e.Request),
		},
		Response: record.Response{Status: e.Status, Header: fields(e.Response), End: cmp.Or(e.End, record.Open)},
	}
	if e.Produced {
		out.Origin = record.Produced
	}
	if e.Error != "" {
		out.Err = errors.New(e.Error)
	}
	var err error
	if !e.State.IsZero() {
		if out.State, err = e.State.Bytes(); err != nil {
			return nil, err
		}
	}
	if out.Answer, err = e.Answer.Bytes(); err != nil {
		return nil, err
	}
	for f, err := range e.Frames.Each() {
		if err != nil {
			return nil, err
		}
		out.Frames = append(out.Frames, f)
	}
	return out, nil
}

func fields(lines []string) []record.Header {
	var out []record.Header
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		out = append(out, record.Header{Name: name, Value: value})
	}
	return out
}
