package observe

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/runner/client"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
)

// Paint paints words on a terminal; the zero value leaves them as they are.
type Paint struct{ Good, Bad func(...any) string }

// Console writes a result for people. Nothing that a server sent reaches the
// terminal as it was sent.
func (r *Result) Console(w io.Writer, paint Paint, strict bool) error {
	p := &page{result: r, good: paint.Good, bad: paint.Bad}
	if p.good == nil {
		p.good = fmt.Sprint
	}
	if p.bad == nil {
		p.bad = fmt.Sprint
	}
	p.head()
	for _, v := range []report.Verdict{report.Fail, report.Warn} {
		for _, q := range r.Requirements {
			if q.Verdict == v {
				p.broken(q)
			}
		}
	}
	p.passed()
	get := cmp.Or(r.Request.Method, http.MethodGet) == http.MethodGet
	if get && r.Sweep == nil && r.resumes && r.Fault == "" {
		p.line("note  whether the stream resumes was not looked at; --sweep does")
	}
	for _, n := range r.Notes {
		p.line("note  %s", p.text(n))
	}
	p.closing(strict)
	if _, err := io.WriteString(w, p.b.String()); err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	return nil
}

// page is a result as text, as far as it is written.
type page struct {
	result    *Result
	b         strings.Builder
	bad, good func(...any) string // paints a word; the default leaves it as it is
}

// line adds a line. Its arguments hold no secret: text that a server sent passes through page.text.
func (p *page) line(format string, args ...any) { fmt.Fprintf(&p.b, format+"\n", args...) }

// text is s without secrets and on one line.
func (p *page) text(s string) string { return report.OneLine(p.result.Request.Redacted(s)) }

// head writes the request, the pack, and how the first read ended.
func (p *page) head() {
	r := p.result
	p.line("%s %s", cmp.Or(r.Request.Method, http.MethodGet), p.text(client.Shown(r.Request.URL)))
	guess := ""
	if r.Guessed {
		guess = " (nothing in the stream says so)"
	}
	p.line("pack    %s%s, suite %s", r.Kind, guess, r.Pack.Version)
	state := "it had not ended"
	if r.Ended {
		state = "it had ended"
	}
	p.line("stream  answered %d, %s in %s; %s: %s",
		r.Status, count(r.Events, "event"), size(r.Bytes), state, p.text(r.End))
	if s := r.Sweep; s != nil && s.Unproven == "" {
		upTo := "the stream has ended"
		if !s.Finished {
			upTo = "the stream goes on"
		}
		p.line("sweep   %s, %s; %s after one event, %s at a byte, %s cut several times",
			count(s.Events, "event"), upTo, count(s.Cursors, "resume"), count(s.Cuts, "cut"), count(s.Chains, "reader"))
		p.line("        %s in %.1f s, seed %d%s",
			count(s.Connections, "connection"), s.Took.Seconds(), s.Seed, r.proven())
	}
	p.line("")
}

// proven returns a short text that resuming works, "" if it doesn't.
func (r *Result) proven() string {
	if r.Sweep.Cursors+r.Sweep.Cuts == 0 {
		return ""
	}
	for _, q := range r.Requirements {
		if q.Verdict == report.Fail && (q.Chapter == "resume" || q.Chapter == "ordering") {
			return ""
		}
	}
	return "; nothing was lost, repeated or out of order"
}

// broken writes a requirement that the stream breaks, with its stored findings.
func (p *page) broken(q Requirement) {
	word := "WARN"
	if q.Verdict == report.Fail {
		word = "FAIL"
	}
	p.line("%s  %s (%s)", p.bad(word), q.ID, q.Level)
	p.line("      %s", report.OneLine(q.Sentence))
	for _, f := range q.Findings {
		p.finding(f)
	}
	// A finding of a sweep represents all equal ones.
	last := q.Findings[len(q.Findings)-1]
	if more := q.Found - len(q.Findings); more > 0 && last.Where == "" {
		p.line("      … and %d more", more)
	}
	p.line("      read   %s", report.Read(q.ID))
	p.line("")
}

// finding writes one finding: where it was found, what was expected, and the command that repeats it.
func (p *page) finding(f Finding) {
	message := f.Message
	if f.Instance != "" {
		message += " at " + f.Instance
	}
	p.line("      %s", p.text(message))
	add := func(name, value string) {
		if value != "" {
			p.line("      %-6s %s", name, p.text(value))
		}
	}
	add("how", f.Where)
	add("want", f.Want)
	add("got", f.Got)
	if f.Data != nil {
		p.line("      frame  %s, line %d, byte %d", p.text(f.Label), f.Line, f.Offset)
		for line := range bytes.SplitSeq(bytes.Trim(f.Data, "\r\n"), []byte("\n")) {
			p.line("      %s %s", p.bad("✗"), p.text(string(bytes.TrimSuffix(line, []byte("\r")))))
		}
	}
	add("rerun", f.Rerun)
	add("curl", f.Curl)
}

// passed lists the requirements that were checked without a finding, with the number of checks, by chapter.
func (p *page) passed() {
	var chapters []string
	items := map[string][]string{}
	for _, q := range p.result.Requirements {
		if q.Verdict != report.Pass {
			continue
		}
		chapter := q.Pack + "." + q.Chapter
		if items[chapter] == nil {
			chapters = append(chapters, chapter)
		}
		items[chapter] = append(items[chapter], fmt.Sprintf("%s ×%d", q.Slug, q.Occasions))
	}
	for _, chapter := range chapters {
		line := fmt.Sprintf("%s  %-16s", p.good("pass"), chapter)
		used := 0
		for i, item := range items[chapter] {
			if i > 0 {
				line += ","
			}
			if used += len(item) + 2; used > 80 {
				line += "\n" + strings.Repeat(" ", 22)
				used = len(item)
			}
			line += " " + item
		}
		p.line("%s", line)
	}
	if len(chapters) > 0 {
		p.line("")
	}
}

// closing writes the verdict, which agrees with the exit code.
func (p *page) closing(strict bool) {
	r := p.result
	counts := map[report.Verdict]int{}
	for _, q := range r.Requirements {
		counts[q.Verdict]++
	}
	summary := count(len(r.Requirements), "requirement") + " had an occasion, none is broken"
	if n := counts[report.Fail]; n > 0 {
		summary = fmt.Sprintf("%s had an occasion, %d broken", count(len(r.Requirements), "requirement"), n)
	}
	if n := counts[report.Warn]; n > 0 {
		summary += fmt.Sprintf(", %s", count(n, "warning"))
	}
	if r.Sweep != nil && r.Sweep.Unproven != "" {
		p.line("%s  the resume was not proven: %s", p.bad("NONE"), p.text(r.Sweep.Unproven))
	}
	if r.Fault != "" {
		p.line("%s  %s", p.bad("ERROR"), p.text(r.Fault))
	}
	switch r.ExitCode(strict) {
	case 1:
		p.line("%s  %s", p.bad("FAIL"), summary)
	case 0:
		p.line("%s  %s", p.good("PASS"), summary)
	default:
		p.line("%s  %s; what was asked for could not be found out", p.bad("ERROR"), summary)
	}
}

// resultJSON is the document that [Result.JSON] writes; its parts are the types below.
type resultJSON struct {
	Suite        report.Suite      `json:"suite"`
	Request      requestJSON       `json:"request"`
	Kind         string            `json:"kind"`
	Guessed      bool              `json:"guessed"`
	Status       int               `json:"status"`
	Events       int               `json:"events"`
	Bytes        int64             `json:"bytes"`
	Seconds      float64           `json:"seconds"` // of the first read
	End          string            `json:"end"`
	Ended        bool              `json:"ended"`
	Requirements []requirementJSON `json:"requirements"` // those with an occasion, in the order of the spec
	Notes        []string          `json:"notes"`
	Sweep        *sweepJSON        `json:"sweep,omitempty"`
	Fault        string            `json:"fault,omitempty"`
}

// requestJSON is the request, without its headers: their values are secrets.
type requestJSON struct {
	Method string `json:"method"`
	URL    string `json:"url"` // without secrets
}

// requirementJSON is a requirement that had an occasion.
type requirementJSON struct {
	ID        string         `json:"id"`
	Level     string         `json:"level"`
	Verdict   report.Verdict `json:"verdict"`
	Occasions int            `json:"occasions"`
	Found     int            `json:"found"` // findings in all; at least as many as Findings has
	Findings  []findingJSON  `json:"findings"`
}

// findingJSON has the members of a record.Finding between its members: one of them replaces
// the embedded one of the same name.
type findingJSON struct {
	Message string `json:"message"`
	How     string `json:"how,omitempty"` // the read that shows it
	record.Finding
	Line   int    `json:"line,omitempty"`   // 0 if it is about no frame
	Offset *int64 `json:"offset,omitempty"` // in bytes; nil if it is about no frame
	Frame  string `json:"frame,omitempty"`  // its beginning
	Rerun  string `json:"rerun,omitempty"`  // a command that shows it again; "" for none
	Curl   string `json:"curl,omitempty"`   // a command that shows it without the kit; "" for none
}

// sweepJSON is the [Sweep] of a result.
type sweepJSON struct {
	Seed        int64   `json:"seed"`
	Events      int     `json:"events"`
	Finished    bool    `json:"finished"`
	Cursors     int     `json:"cursors"`
	Cuts        int     `json:"cuts"`
	Chains      int     `json:"chains"`
	Connections int     `json:"connections"`
	Undecided   int     `json:"undecided"`
	Seconds     float64 `json:"seconds"`
	Unproven    string  `json:"unproven,omitempty"`
}

// JSON writes a result as one document.
func (r *Result) JSON(w io.Writer, strict bool) error {
	hide := r.Request.Redacted
	doc := resultJSON{
		Suite: report.Suite{
			Name: "streamcert", Version: r.Pack.Version, Pack: r.Pack.Name, Digest: r.Pack.Digest, Strict: strict,
		},
		Request: requestJSON{cmp.Or(r.Request.Method, http.MethodGet), hide(client.Shown(r.Request.URL))},
		Kind:    r.Kind, Guessed: r.Guessed, Status: r.Status, Events: r.Events, Bytes: r.Bytes,
		Seconds: r.Took.Seconds(), End: hide(r.End), Ended: r.Ended, Requirements: []requirementJSON{}, Notes: []string{}, Fault: hide(r.Fault),
	}
	for _, n := range r.Notes {
		doc.Notes = append(doc.Notes, hide(n))
	}
	for _, q := range r.Requirements {
		doc.Requirements = append(doc.Requirements, requirementJSON{
			q.ID, string(q.Level), q.Verdict, q.Occasions, q.Found, findingsJSON(q.Findings, hide),
		})
	}
	if s := r.Sweep; s != nil {
		doc.Suite.Seed = s.Seed
		doc.Sweep = &sweepJSON{
			s.Seed, s.Events, s.Finished, s.Cursors, s.Cuts, s.Chains, s.Connections, s.Undecided, s.Took.Seconds(),
			hide(s.Unproven),
		}
	}
	return report.WriteDocument(w, "the result", doc)
}

// findingsJSON returns findings for the document; hide removes secrets.
func findingsJSON(all []Finding, hide func(string) string) []findingJSON {
	out := []findingJSON{}
	for _, f := range all {
		j := findingJSON{
			Message: hide(f.Message), How: f.Where, Finding: f.Finding, Line: f.Line,
			Frame: hide(string(f.Data)), Rerun: hide(f.Rerun), Curl: hide(f.Curl),
		}
		j.Want, j.Got = hide(f.Want), hide(f.Got)
		if f.Offset >= 0 {
			j.Offset = &f.Offset
		}
		out = append(out, j)
	}
	return out
}
