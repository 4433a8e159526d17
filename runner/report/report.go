package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/record"
)

// Verdict is the result of a run for one requirement.
type Verdict string

// The verdicts.
const (
	Pass       Verdict = "pass"        // exercised, and nothing was found
	Fail       Verdict = "fail"        // a MUST was broken
	Warn       Verdict = "warn"        // a SHOULD was broken
	NotClaimed Verdict = "not claimed" // the target's config declares the capability absent
	Unprovable Verdict = "unprovable"  // the target offers no way to provoke it, or it was never exercised
	Skipped    Verdict = "skipped"     // the call left it out, or some of its scenarios
	Known      Verdict = "known"       // failed, and the baseline lists it
	Error      Verdict = "error"       // the suite could not find out
)

// Report is the result of one run against one target. Its JSON form is described
// by schemas/report.json.
type Report struct {
	Suite   Suite     `json:"suite"`
	Target  Target    `json:"target"`
	Started time.Time `json:"started"`
	Summary Summary   `json:"summary"`
	Classes []Class   `json:"classes"`
	// Unearnable is the reason why this run could earn no class, whatever passed; "" if it could.
	Unearnable   string        `json:"unearnable,omitempty"`
	Requirements []Requirement `json:"requirements"`
	Scenarios    []Scenario    `json:"scenarios"`
	// Notes are differences from the golden transcripts that no check explains:
	// holes in the suite, never failures of the server.
	Notes []Note `json:"notes"`
	// Model lists the mistakes in the server's requests to the language model that the suite plays, a line each.
	Model []string `json:"model,omitempty"`
	// Proven lists the largest sizes that the server was seen to accept and to deliver, independent of its config.
	Proven []Proven `json:"proven,omitempty"`
	// Unplayed is the campaigns that time ended before all of their programs were played.
	Unplayed []Unplayed `json:"cutShort,omitempty"`
	// Baseline are the problems of the file of known failures, a line each. Any of
	// them fails the run.
	Baseline []string `json:"baseline,omitempty"`
	// Notices are remarks on the baseline file, a line each, that don't fail the run.
	Notices []string `json:"notices,omitempty"`
	// Fault is the reason why the suite could not find out anything; "" for a run that
	// was made.
	Fault string `json:"fault,omitempty"`
	// Interrupted reports that the user ended the run before every scenario had run.
	Interrupted bool `json:"interrupted,omitempty"`
	// Ended is the reason why the run ended itself before every scenario had run, such as its timeout; "" for none.
	Ended string `json:"ended,omitempty"`
	// Ends are the moments at which the server ended or could not be reached, though the suite had not killed it.
	Ends []End `json:"ends,omitempty"`
	// ServerLog is the end of the server's output if the suite started it, with secrets redacted.
	ServerLog string `json:"serverLog,omitempty"`
}

// Suite identifies the version of everything that ran.
type Suite struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Pack    string `json:"pack"`
	Digest  string `json:"digest"` // SHA-256 over the spec, schemas and features
	Seed    int64  `json:"seed"`
	Effort  string `json:"effort,omitempty"` // quick, standard or thorough
	Strict  bool   `json:"strict"`
	Program string `json:"program,omitempty"` // version of the program that ran it
}

// Drawn returns the random parameters of the run: the seed, and the effort if there is one.
func (s Suite) Drawn() string {
	text := fmt.Sprintf("seed %d", s.Seed)
	if s.Effort != "" {
		text += " · effort " + OneLine(s.Effort)
	}
	return text
}

// Target describes the server under test.
type Target struct {
	URL     string   `json:"url"`
	Without []string `json:"without"`
	Limits  []string `json:"limits"` // limits that its config declares, such as "string: 256KiB"
	// Names maps members whose names differ from the specification.
	Names record.Names `json:"names,omitempty"`
	// Settings are the keys that its config sets, a line each, without secrets.
	Settings []string `json:"settings,omitempty"`
	// Name, Version and Commit come from the config or the server's response; each may be "".
	Name    string `json:"name,omitempty"`
	Version string `json:"version,omitempty"`
	Commit  string `json:"commit,omitempty"`
}

// Identity names the server, "" if it is unknown.
func (t Target) Identity() string {
	text := strings.TrimSpace(t.Name + " " + t.Version)
	if t.Commit != "" {
		text = strings.TrimSpace(text + " (" + t.Commit + ")")
	}
	return text
}

// Introduce sets missing values from the Server header of a response, such as "agents/1.4.0": its first product. The header
// may come from a proxy before the server.
func (t *Target) Introduce(header string) {
	if t.Name != "" {
		return
	}
	product, _, _ := strings.Cut(strings.TrimSpace(header), " ")
	name, version, _ := strings.Cut(product, "/")
	t.Name = name
	if t.Version == "" {
		t.Version = version
	}
}

// Proven is the largest of something that a server was seen to take and to deliver.
type Proven struct {
	What string `json:"what"` // such as "events of a stream"
	Most int    `json:"most"`
}

// Unplayed is a campaign that time ended: of so many programs so many were played.
type Unplayed struct {
	What   string `json:"what"` // its subject, such as "a long stream"
	Played int    `json:"played"`
	Of     int    `json:"of"`
}

// UnplayedText returns the list as a line of text.
func (r *Report) UnplayedText() string {
	var out []string
	for _, c := range r.Unplayed {
		out = append(out, fmt.Sprintf("%s %d of %d", OneLine(c.What), c.Played, c.Of))
	}
	return strings.Join(out, ", ")
}

// Provens returns the list as a line of text.
func (r *Report) Provens() string {
	var out []string
	for _, p := range r.Proven {
		out = append(out, fmt.Sprintf("%d %s", p.Most, OneLine(p.What)))
	}
	return strings.Join(out, ", ")
}

// Summary counts requirements by verdict.
type Summary struct {
	Pass       int     `json:"pass"`
	Fail       int     `json:"fail"`
	Warn       int     `json:"warn"`
	NotClaimed int     `json:"notClaimed"`
	Unprovable int     `json:"unprovable"`
	Skipped    int     `json:"skipped"`
	Known      int     `json:"known"`
	Error      int     `json:"error"`
	Scenarios  int     `json:"scenarios"`
	Requests   int     `json:"requests"` // that were sent to the server
	Seconds    float64 `json:"seconds"`
	Silence    float64 `json:"silence,omitempty"` // the longest, in seconds, after which the server was seen to go on
}

// Class is a certification class. It is earned when every MUST of its chapters
// passed.
type Class struct {
	Name   string `json:"name"`
	Earned bool   `json:"earned"`
	// Unplayed names the histories that were left out because only the model provoked the server; "" for none.
	Unplayed string `json:"unplayed,omitempty"`
	// Missing are the requirements that keep the class from being earned, with their verdicts; empty for a class that isn't
	// claimed.
	Missing []Missing `json:"missing"`
	// Unclaimed is the reason why the target doesn't claim the class; "" if it does.
	Unclaimed string `json:"unclaimed,omitempty"`
}

// Missing is a requirement that keeps a class from being earned.
type Missing struct {
	ID      string  `json:"id"`
	Verdict Verdict `json:"verdict"`
}

// Requirement is a requirement of the specification with its verdict and the evidence for it.
type Requirement struct {
	ID           string           `json:"id"`
	Level        string           `json:"level"`
	Chapter      string           `json:"chapter"`
	Sentence     string           `json:"sentence"`
	Location     string           `json:"place"` // spec/<pack>/7-resume.md:12
	Tier         string           `json:"tier"`
	Proof        string           `json:"proof,omitempty"` // the tier by which a pass was proven
	Capabilities []string         `json:"capabilities"`
	Verdict      Verdict          `json:"verdict"`
	Reason       string           `json:"reason,omitempty"` // why it is unprovable, not claimed or an error
	Untestable   string           `json:"untestable,omitempty"`
	Occasions    int              `json:"occasions"` // how often the requirement was checked
	Findings     []record.Finding `json:"findings"`
	Scenarios    []string         `json:"scenarios"` // locations of the scenarios that carry its id
}

// Unsaid is the message of a finding without a message.
const Unsaid = "not as it must be"

// Scenario is one scenario, or one row of an outline, that was run.
type Scenario struct {
	Title       string  `json:"title"`
	Location    string  `json:"place"`
	Requirement string  `json:"requirement"`
	Outcome     Verdict `json:"outcome"`
	Reason      string  `json:"reason,omitempty"`
	Occasions   int     `json:"occasions"`
	// Others are the occasions of other requirements that a campaign counted.
	Others  map[string]int `json:"others,omitempty"`
	Seconds float64        `json:"seconds"`
	// Exchanges are the requests of the scenario with their responses, in the order in which the requests were sent.
	Exchanges []Exchange `json:"exchanges,omitempty"`
}

// Note is a difference from a golden transcript.
type Note struct {
	Scenario string `json:"scenario"`
	Golden   string `json:"golden"`
	Where    string `json:"where"`
	Want     string `json:"want"`
	Got      string `json:"got"`
}

// Count fills the summary from the requirements. A run that could not be made is one error.
func (r *Report) Count() {
	s := Summary{Scenarios: len(r.Scenarios), Seconds: r.Summary.Seconds, Requests: r.Summary.Requests, Silence: r.Summary.Silence}
	for _, q := range r.Requirements {
		switch q.Verdict {
		case Pass:
			s.Pass++
		case Fail:
			s.Fail++
		case Warn:
			s.Warn++
		case NotClaimed:
			s.NotClaimed++
		case Unprovable:
			s.Unprovable++
		case Skipped:
			s.Skipped++
		case Known:
			s.Known++
		case Error:
			s.Error++
		}
	}
	if r.Fault != "" && s.Error == 0 {
		s.Error = 1
	}
	r.Summary = s
}

// ExitCode returns the exit code for the report: 1 for any fail (or, with Strict, warn), for a problem of the baseline, for
// a required class that was not earned and for an end of a server that the suite had started, else 3 for any error and for
// a server that could not be reached, else 0.
func (r *Report) ExitCode(require []string) int {
	switch {
	case r.failedByEnd():
		return 1
	case r.Fault != "":
		return 3
	case r.Summary.Fail > 0, r.Suite.Strict && r.Summary.Warn > 0, len(r.Baseline) > 0:
		return 1
	case len(r.Unearned(require)) > 0:
		return 1
	case r.Summary.Error > 0, len(r.Scenarios) == 0, len(r.Ends) > 0:
		return 3
	}
	return 0
}

// Unearned lists those of some classes that were not earned.
func (r *Report) Unearned(classes []string) []string {
	return slices.DeleteFunc(slices.Clone(classes), r.Earned)
}

// Earned reports whether a class of that name was earned.
func (r *Report) Earned(class string) bool {
	for _, c := range r.Classes {
		if c.Name == class {
			return c.Earned
		}
	}
	return false
}

// scenarioKey identifies a scenario of a report.
type scenarioKey struct{ location, title string }
