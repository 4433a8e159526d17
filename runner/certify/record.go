package certify

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/report/script"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/transcript"
)

// recorder converts exchanges and findings of a run for the report.
type recorder struct{ report.Recorder }

func (k recorder) all(session *target.Session, exchanges []*target.Exchange) []report.Exchange {
	var out []report.Exchange
	for _, e := range exchanges {
		x := k.Exchange(e.Record())
		x.Refused = session.Refused(e)
		out = append(out, x)
	}
	return out
}

// show adds to a finding its transcript, the calls that led to it, and a command that reproduces it. frame is -1 if it
// concerns no frame.
func (k recorder) show(f *record.Finding, e *target.Exchange, base string, frame int, all []*target.Exchange) {
	f.Exchange = k.Redact(transcript.Render(e, frame, all...))
	led, at := transcript.LedBy(e, frame, all)
	var calls []script.Call
	for i, c := range led {
		calls = append(calls, script.Call{Exchange: c.Record(), Base: c.Base, Open: i+1 < len(led) && transcript.OpenAt(c, led[i+1])})
	}
	if at >= 0 {
		f.Curl, f.Script = script.Commands(k.Recorder, calls, at, base)
	}
}

// refusals are the statuses with which a busy server refuses a call. Responses with any other status are judged, even if a
// report reports that the server was busy.
var refusals = []int{http.StatusConflict, http.StatusTooManyRequests, http.StatusServiceUnavailable}

// Rejudge passes a report's exchanges of one scenario to the judge again, with the names of the report's target. The error
// explains why that can't be done.
func Rejudge(s *pack.Suite, names record.Names, exchanges []report.Exchange) (report.Judged, error) {
	out := report.Judged{Occasions: map[string]int{}}
	distinct := record.Distinct{}
	for _, x := range exchanges {
		if x.Kind == record.Control || x.Refused && slices.Contains(refusals, x.Status) {
			continue
		}
		e, err := x.Record()
		if err != nil {
			return out, fmt.Errorf("%s %s: %w", x.Method, x.Path, err)
		}
		findings, seen := s.Judge(e, names)
		for id, n := range seen {
			out.Occasions[id] += n
		}
		for _, f := range findings {
			if distinct.Take(f) {
				out.Findings = append(out.Findings, f)
			}
		}
	}
	return out, nil
}
