package runner

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/steps"
)

// kinds and ends are the words of a report for those of a target.
var (
	kinds = map[target.Kind]string{
		target.Read: report.ReadExchange, target.Document: report.DocumentExchange, target.Snapshot: report.SnapshotExchange,
		target.Control: report.ControlExchange,
	}
	ends = map[target.End]string{
		target.Open: report.StillOpen, target.ServerClose: report.ServerCloses, target.Broken: report.Broken,
		target.ClientClose: report.ClientCloses,
	}
)

// recorder keeps exchanges for a report, without the target's secrets.
type recorder struct{ redact func(string) string }

func (k recorder) all(exchanges []*target.Exchange) []report.Exchange {
	var out []report.Exchange
	for _, e := range exchanges {
		out = append(out, k.one(e))
	}
	return out
}

func (k recorder) one(e *target.Exchange) report.Exchange {
	v := e.Now()
	x := report.Exchange{
		Kind: kinds[e.Kind], Produced: e.Origin == target.Produced, Heading: e.Heading, Hidden: e.Hidden, Removed: e.Removed,
		Method: e.Method, Path: k.redact(e.Path), Status: v.Status, End: ends[v.End],
	}
	x.Body, _ = k.body(e.Body)
	if v.Err != nil {
		x.Error = k.redact(v.Err.Error())
	}
	var altered [3]bool
	if e.Kind != target.Control {
		x.Request, _ = k.headers(e.Request)
		x.Response, altered[0] = k.headers(v.Response)
	}
	x.Answer, altered[1] = k.body(v.Answer)
	var frames []byte
	for _, f := range v.Frames {
		frames = append(frames, f.Raw...)
	}
	x.Frames, altered[2] = k.body(frames)
	x.Altered = altered != [3]bool{}
	return x
}

func (k recorder) headers(in []target.Header) (out []string, altered bool) {
	for _, h := range in {
		line := h.Name + ": " + h.Value
		out = append(out, k.redact(line))
		altered = altered || out[len(out)-1] != line
	}
	return out, altered
}

func (k recorder) body(in []byte) (report.Body, bool) {
	out := k.redact(string(in))
	return report.NewBody([]byte(out)), out != string(in)
}

// show says in a finding where on the wire it is, what the suite had done before,
// and how to ask the server the same. frame is -1 where it is about no frame.
func (k recorder) show(f *report.Finding, e *target.Exchange, base string, frame int, all []*target.Exchange) {
	f.Exchange = k.redact(e.Render(frame, all...))
	x := report.Exchange{Kind: kinds[e.Kind], Method: e.Method, Path: k.redact(e.Path)}
	x.Request, _ = k.headers(e.Request)
	x.Body, _ = k.body(e.Body)
	f.Curl = x.Curl(k.redact(base))
}

// Rejudge shows what a report kept of one scenario to the judge again. The error
// says why that can't be done.
func (s *Suite) Rejudge(exchanges []report.Exchange) (report.Judged, error) {
	out := report.Judged{Occasions: map[string]int{}}
	distinct := distinct{}
	for _, x := range exchanges {
		if x.Kind == report.ControlExchange {
			continue
		}
		e, err := restored(x)
		if err != nil {
			return out, fmt.Errorf("%s %s: %w", x.Method, x.Path, err)
		}
		findings, seen := steps.Judge(s.env(), e)
		for id, n := range seen {
			out.Occasions[id] += n
		}
		for _, f := range findings {
			if distinct.take(f) {
				out.Findings = append(out.Findings, f)
			}
		}
	}
	return out, nil
}

// restored is an exchange as it was when it was recorded.
func restored(x report.Exchange) (*target.Exchange, error) {
	if x.Altered {
		return nil, errors.New("secrets were redacted in what came back")
	}
	e := &target.Exchange{
		Heading: x.Heading, Hidden: x.Hidden, Removed: x.Removed, Method: x.Method, Path: x.Path, Request: headers(x.Request),
	}
	for kind, word := range kinds {
		if word == x.Kind {
			e.Kind = kind
		}
	}
	if x.Produced {
		e.Origin = target.Produced
	}
	v := target.View{Status: x.Status, Response: headers(x.Response)}
	for end, word := range ends {
		if word == x.End {
			v.End = end
		}
	}
	if x.Error != "" {
		v.Err = errors.New(x.Error)
	}
	var err error
	if v.Answer, err = x.Answer.Bytes(); err != nil {
		return nil, err
	}
	body, err := x.Frames.Bytes()
	if err != nil {
		return nil, err
	}
	v.Frames, err = framesOf(body)
	return target.Recorded(e, v), err
}

func framesOf(body []byte) ([]*wire.Frame, error) {
	var out []*wire.Frame
	// The judge of a run is told no time, so that none need be kept.
	clock := func() time.Time { return time.Time{} }
	r := wire.NewReader(bytes.NewReader(body), wire.Options{MaxFrame: int64(len(body)) + 1, Now: clock})
	for {
		f, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, fmt.Errorf("reading the frames again: %w", err)
		}
		out = append(out, f)
	}
}

func headers(lines []string) []target.Header {
	var out []target.Header
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		out = append(out, target.Header{Name: name, Value: value})
	}
	return out
}
