package observe

import (
	"fmt"
	"time"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/spec"
)

// A Result is the result of observing a stream.
type Result struct {
	Request Request
	Pack    Pack
	Kind    string        // the pack and its profile, for people
	resumes bool          // a stream of the kind can be resumed
	Guessed bool          // nothing in the stream identifies its kind
	Status  int           // of HTTP
	Events  int           // of the first read
	Bytes   int64         // of the first read's body
	Took    time.Duration // duration of the first read
	End     string        // how the first read ended
	Ended   bool          // with the last event of the stream
	// Requirements are those with an occasion, in the order of the spec.
	Requirements []Requirement
	Notes        []string // for people, a line each
	Sweep        *Sweep   // nil without a sweep
	// Fault is the reason why the suite could not find out; "" if it could.
	Fault string
}

// A Requirement is a rule that the stream could be judged by.
type Requirement struct {
	spec.Requirement
	Verdict   report.Verdict
	Occasions int       // at least 1
	Findings  []Finding // the first few
	Found     int       // all of them
}

// A Finding is one violation, with the data that shows it. A finding of the first read has no command that repeats it.
type Finding struct {
	record.Finding
	Where string // which connection: "" for the first read
	Label string // of the frame: "event 7", or ""
	Data  []byte // beginning of the frame's bytes, nil if it isn't about one
}

// Sweep is the result of reading a stream again with disconnects.
type Sweep struct {
	Seed        int64         // repeats the same cuts
	Events      int           // events of the first read, which resumes have to repeat
	Finished    bool          // the stream had ended
	Cursors     int           // resumes after an event
	Cuts        int           // cuts at a byte
	Chains      int           // readers with several disconnects
	Connections int           // made in all
	Undecided   int           // resumes that something else came between
	Took        time.Duration // duration of the sweep
	// Unproven is the reason why there was nothing to sweep; "" if there was.
	Unproven string
}

// ExitCode is 1 for a broken MUST (when strict, for a broken SHOULD too), else 3 if
// the suite could not find out, else 0.
func (r *Result) ExitCode(strict bool) int {
	for _, q := range r.Requirements {
		if q.Verdict == report.Fail || strict && q.Verdict == report.Warn {
			return 1
		}
	}
	if r.Fault != "" || r.Sweep != nil && r.Sweep.Unproven != "" {
		return 3
	}
	return 0
}

// maxStoredFindings limits the stored findings of one requirement.
const maxStoredFindings = 3

// counters collects findings and occasions by requirement, in bounded memory.
type counters struct {
	occasions map[string]int       // of all reads
	found     map[string]int       // findings, whether stored or not
	findings  map[string][]Finding // the first maxStoredFindings of each
}

// newCounters returns counters at zero.
func newCounters() *counters {
	return &counters{map[string]int{}, map[string]int{}, map[string][]Finding{}}
}

// add adds a finding that represents n equal ones.
func (t *counters) add(f Finding, n int) {
	id := f.Requirement
	t.found[id] += n
	if len(t.findings[id]) < maxStoredFindings {
		t.findings[id] = append(t.findings[id], f)
	}
}

// count adds the occasions of a machine, by requirement.
func (t *counters) count(occasions map[string]int) {
	for id, n := range occasions {
		t.occasions[id] += n
	}
}

// requirements gives each requirement that had an occasion its verdict.
func (t *counters) requirements(p Pack) []Requirement {
	var out []Requirement
	for _, q := range p.Book.Pack(p.Name) {
		n, found := t.occasions[q.ID], t.found[q.ID]
		if n == 0 && found == 0 {
			continue
		}
		r := Requirement{
			Requirement: q, Verdict: report.Pass, Occasions: max(n, found), Findings: t.findings[q.ID], Found: found,
		}
		switch {
		case found > 0 && q.Level.Advisory():
			r.Verdict = report.Warn
		case found > 0:
			r.Verdict = report.Fail
		}
		out = append(out, r)
	}
	return out
}

// shownBytes limits the stored bytes of a frame for reports.
const shownBytes = 400

// findingOf returns a judge's finding with the beginning of its frame, if f is that frame. where names the connection, "" for
// the first read.
func findingOf(found record.Finding, f *wire.Frame, where string) Finding {
	out := Finding{Finding: found, Where: where}
	if f == nil || found.Frame != f.Index {
		return out
	}
	out.Data = append([]byte{}, f.Raw[:min(len(f.Raw), shownBytes)]...)
	out.Label = fmt.Sprintf("frame %d", f.Index+1)
	if f.HasID {
		out.Label = "event " + f.ID
	}
	return out
}

// count returns a number of things, in words.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
