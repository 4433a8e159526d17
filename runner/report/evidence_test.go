package report_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
)

// broken returns a requirement with a finding in each of its scenarios.
func broken(r *report.Report, id string, got string, scenarios ...string) *report.Requirement {
	q := report.Requirement{ID: id, Chapter: strings.Split(id, ".")[1], Level: "MUST", Verdict: report.Fail}
	for _, title := range scenarios {
		q.Findings = append(q.Findings, record.Finding{Message: id, Want: id, Got: got, Scenario: title, Location: "f", Step: "s"})
		r.Scenarios = append(r.Scenarios, report.Scenario{Title: title, Location: "f", Requirement: id, Outcome: report.Fail})
	}
	r.Requirements = append(r.Requirements, q)
	return &r.Requirements[len(r.Requirements)-1]
}

// TestWhatExplainsMostStandsFirst: the headings of a report follow the evidence, not the order of the spec.
func TestWhatExplainsMostStandsFirst(t *testing.T) {
	const nothing = "nothing within 5s"
	r := &report.Report{}
	for range 40 { // so that no requirement is broken everywhere
		r.Scenarios = append(r.Scenarios, report.Scenario{Title: "x", Outcome: report.Pass})
	}
	broken(r, "p.wire.few-waits", nothing, "a")
	broken(r, "p.http.many-waits", nothing, "b", "c", "d")
	broken(r, "p.stages.held", "another", "e").Occasions = 9
	broken(r, "p.stages.half", "another one", "f")
	r.Scenarios = append(r.Scenarios, report.Scenario{Title: "g", Requirement: "p.stages.half", Outcome: report.Pass})
	broken(r, "p.stages.never", "yet another", "h")
	broken(r, "p.tools.most", "wrong", "i", "j")
	r.Count()
	var got []string
	for _, m := range regexp.MustCompile(`(?m)^FAIL  (p\S+)`).FindAllStringSubmatch(console(t, report.Console{}, r), -1) {
		got = append(got, m[1])
	}
	if want := "p.tools.most p.stages.never p.stages.half p.stages.held p.http.many-waits p.wire.few-waits"; strings.Join(got, " ") != want {
		t.Errorf("got %v\nwant %v", got, want)
	}
}
