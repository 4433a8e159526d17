package report_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
)

// judgedAgain returns a judge that reports a violation of the requirement that is named by the path of each exchange.
func judgedAgain(exchanges []report.Exchange) (report.Judged, error) {
	out := report.Judged{Occasions: map[string]int{}}
	for _, e := range exchanges {
		out.Occasions["helix.a.seen"]++
		if e.Altered {
			return out, errors.New("altered")
		}
		if e.Path != "" {
			out.Findings = append(out.Findings, record.Finding{Requirement: e.Path, Message: "broken", Want: "whole"})
		}
	}
	return out, nil
}

// consistent returns a consistent report: one requirement that passed, one that a scenario's step found violated, one that the
// judge did.
func consistent() *report.Report {
	r := &report.Report{
		Scenarios: []report.Scenario{
			{Title: "one", Location: "f:1", Requirement: "helix.a.step", Outcome: report.Fail, Occasions: 2, Exchanges: []report.Exchange{{}}},
			{Title: "two", Location: "f:2", Requirement: "helix.a.seen", Outcome: report.Pass, Occasions: 3, Exchanges: []report.Exchange{{Path: "helix.a.judged"}}},
			{Title: "nothing sent", Location: "f:3", Requirement: "helix.a.seen", Outcome: report.Unprovable},
		},
		Requirements: []report.Requirement{
			{ID: "helix.a.step", Level: "MUST", Verdict: report.Fail, Occasions: 2, Findings: []record.Finding{{Message: "m", Step: "Then", Scenario: "one", Location: "f:1"}}},
			{ID: "helix.a.seen", Level: "MUST", Verdict: report.Pass, Occasions: 5},
			{ID: "helix.a.judged", Level: "SHOULD", Verdict: report.Warn, Findings: []record.Finding{{Message: "broken", Want: "whole", Scenario: "two", Location: "f:2"}}},
			{ID: "helix.a.open", Level: "MUST", Verdict: report.Unprovable},
		},
		Classes: []report.Class{{Name: "Core", Missing: []report.Missing{{ID: "helix.a.step", Verdict: report.Fail}}}},
	}
	r.Count()
	return r
}

// campaign makes the first scenario one that checks several requirements and failed for another than its first.
func campaign(r *report.Report) {
	r.Requirements[3].Verdict, r.Requirements[3].Findings = report.Fail, r.Requirements[0].Findings
	r.Requirements[0].Verdict, r.Requirements[0].Findings = report.Unprovable, nil
	r.Classes[0].Missing[0].Verdict = report.Unprovable
	r.Count()
}

func TestVerify(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*report.Report)
		want   []string // requirement and a word of each difference
	}{
		"sound":               {func(*report.Report) {}, nil},
		"finding invented":    {func(r *report.Report) { r.Scenarios[1].Exchanges[0].Path = "" }, []string{"helix.a.judged don't show"}},
		"finding missing":     {func(r *report.Report) { r.Scenarios[0].Exchanges[0].Path = "helix.a.judged" }, []string{"helix.a.judged doesn't have"}},
		"finding of a pass":   {func(r *report.Report) { r.Scenarios[0].Exchanges[0].Path = "helix.a.seen" }, []string{"helix.a.seen doesn't have"}},
		"of another scenario": {func(r *report.Report) { r.Requirements[2].Findings[0].Scenario = "one" }, []string{"helix.a.judged don't show", "helix.a.judged doesn't have"}},
		"finding of a step":   {func(r *report.Report) { r.Requirements[0].Findings = nil }, []string{"helix.a.step there is no finding", "helix.a.step no finding says why"}},
		"of a campaign":       {campaign, nil},
		"without its finding": {func(r *report.Report) { campaign(r); r.Requirements[3].Findings[0].Scenario = "two" }, []string{"helix.a.step no finding says why"}},
		"skipped requirement": {func(r *report.Report) {
			r.Requirements[2].Verdict, r.Requirements[2].Findings = report.Skipped, nil
			r.Count()
		}, nil},
		"occasions":             {func(r *report.Report) { r.Requirements[1].Occasions++ }, []string{"helix.a.seen 6 occasions"}},
		"exchange left out":     {func(r *report.Report) { r.Scenarios[1].Exchanges = nil }, []string{"helix.a.seen 5 occasions", "helix.a.judged don't show"}},
		"pass without occasion": {func(r *report.Report) { r.Requirements[3].Verdict = report.Pass; r.Count() }, []string{"helix.a.open no occasion"}},
		"pass with findings":    {func(r *report.Report) { r.Requirements[2].Verdict = report.Pass; r.Count() }, []string{"helix.a.judged there are findings"}},
		"untestable":            {func(r *report.Report) { r.Requirements[1].Untestable = "x" }, []string{"helix.a.seen from outside"}},
		"level":                 {func(r *report.Report) { r.Requirements[2].Level = "MUST" }, []string{"helix.a.judged its level is MUST"}},
		"unprovable and broken": {func(r *report.Report) { r.Requirements[2].Verdict = report.Unprovable; r.Count() }, []string{"helix.a.judged there are findings"}},
		"summary":               {func(r *report.Report) { r.Summary.Pass = 9 }, []string{" summary"}},
		"class":                 {func(r *report.Report) { r.Classes[0].Earned = true }, []string{" class Core"}},
		"what is missing":       {func(r *report.Report) { r.Classes[0].Missing[0].Verdict = report.Error }, []string{"helix.a.step class Core says error"}},
	} {
		r := consistent()
		c.change(r)
		out := report.Verify(r, judgedAgain)
		left := append([]string{}, c.want...)
		for _, d := range out.Differences {
			found := -1
			for i, want := range left {
				id, words, _ := strings.Cut(want, " ")
				if d.Requirement == id && strings.Contains(d.Message, words) {
					found = i
				}
			}
			if found < 0 {
				t.Errorf("%s: unexpected %+v", name, d)
				continue
			}
			left = append(left[:found], left[found+1:]...)
		}
		if len(left) > 0 {
			t.Errorf("%s: not noticed: %q", name, left)
		}
	}
}

func TestVerifyListsUnjudgedExchanges(t *testing.T) {
	r := consistent()
	r.Scenarios[1].Exchanges[0].Altered = true
	out := report.Verify(r, judgedAgain)
	if len(out.Differences) > 0 || len(out.Unjudged) != 1 || out.Scenarios != 2 {
		t.Errorf("%+v", out)
	}
	for i := range r.Scenarios {
		r.Scenarios[i].Exchanges = nil
	}
	if out := report.Verify(r, judgedAgain); out.Scenarios != 0 || len(out.Differences) > 0 {
		t.Errorf("without transcripts: %+v", out)
	}
	if out := report.Verify(&report.Report{Fault: "x", Summary: report.Summary{Error: 1}}, judgedAgain); len(out.Differences) > 0 {
		t.Errorf("a fault: %+v", out)
	}
}

func TestReadJSON(t *testing.T) {
	want := recorded()
	var b bytes.Buffer
	if err := report.WriteJSON(&b, want); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	got, err := report.ReadJSON(&b)
	if err != nil {
		t.Fatal(err)
	}
	if err := report.WriteJSON(&b, got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, b.String()); diff != "" {
		t.Errorf("a report that was read is written differently (-want +got):\n%s", diff)
	}
	if _, err := report.ReadJSON(strings.NewReader("{")); err == nil {
		t.Error("half a document is a report")
	}
}
