package report_test

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
)

// forms returns all in which a report is written.
func forms(t *testing.T, r *report.Report) map[string]string {
	t.Helper()
	badge := r.Badge(nil)
	out := map[string]string{}
	for name, write := range map[string]func(io.Writer) error{
		"JSON":     func(w io.Writer) error { return report.WriteJSON(w, r) },
		"JUnit":    func(w io.Writer) error { return report.WriteJUnit(w, r) },
		"console":  func(w io.Writer) error { return report.Console{}.Write(w, r) },
		"HTML":     func(w io.Writer) error { return report.HTML{}.Write(w, r) },
		"Markdown": func(w io.Writer) error { return report.Markdown{}.Write(w, r) },
		"badge":    badge.WriteJSON, "picture": badge.WriteSVG,
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = b.String()
	}
	return out
}

// known returns a run in which one requirement passed and one is known to fail.
func known(problems ...string) *report.Report {
	r := &report.Report{
		Suite:   report.Suite{Name: "streamcert", Pack: "helix"},
		Classes: []report.Class{{Name: "Core", Missing: []report.Missing{{ID: "helix.wire.b", Verdict: report.Known}}}},
		Requirements: []report.Requirement{
			{ID: "helix.wire.a", Level: "MUST", Chapter: "wire", Verdict: report.Pass, Occasions: 1},
			{ID: "helix.wire.b", Level: "MUST", Chapter: "wire", Verdict: report.Known, Occasions: 1, Reason: "ticket four-five-six",
				Findings: []record.Finding{{Message: "no id", Scenario: "s", Location: "p", Step: "x"}}},
		},
		Scenarios: []report.Scenario{{Title: "s", Location: "p", Requirement: "helix.wire.b", Outcome: report.Fail, Occasions: 1}},
		Baseline:  problems,
	}
	r.Count()
	return r
}

func TestEveryFormShowsWhatIsKnown(t *testing.T) {
	r := known()
	if got := r.ExitCode(nil); got != 0 {
		t.Errorf("exit code %d for what is known, want 0", got)
	}
	if got := r.ExitCode([]string{"Core"}); got != 1 {
		t.Errorf("exit code %d for a class that something known denies, want 1", got)
	}
	for name, text := range forms(t, r) {
		if name == "badge" || name == "picture" {
			if strings.Contains(text, "failing") || strings.Contains(text, "Core") {
				t.Errorf("the %s says a failure or a class: %s", name, text)
			}
			continue
		}
		for _, part := range []string{"ticket four-five-six", "helix.wire.b", "no id"} {
			if !strings.Contains(text, part) {
				t.Errorf("%s doesn't show %q", name, part)
			}
		}
	}
	if text := forms(t, r)["JUnit"]; strings.Contains(text, "<failure") || strings.Contains(text, "<skipped") {
		t.Errorf("what is known has passed, with output:\n%s", text)
	}
}

func TestEveryFormShowsTheBaselinesProblems(t *testing.T) {
	r := known("known.yaml:3: helix.wire.a: it passes; take it out", "known.yaml:9: helix.wire.c: <unknown>")
	if got := r.ExitCode(nil); got != 1 {
		t.Errorf("exit code %d, want 1", got)
	}
	for name, text := range forms(t, r) {
		switch name {
		case "badge", "picture":
			if !strings.Contains(text, "baseline out of date") {
				t.Errorf("the %s says %s", name, text)
			}
		case "JSON":
			var again report.Report
			if err := json.Unmarshal([]byte(text), &again); err != nil || len(again.Baseline) != 2 {
				t.Errorf("%v: %v", err, again.Baseline)
			}
		default:
			if !strings.Contains(text, "helix.wire.a: it passes; take it out") || !strings.Contains(text, "known.yaml:9") {
				t.Errorf("%s doesn't show the problems:\n%s", name, text)
			}
			if (name == "HTML" || name == "JUnit") && strings.Contains(text, "<unknown>") {
				t.Errorf("%s isn't escaped", name)
			}
		}
	}
	if text := forms(t, r)["JUnit"]; strings.Count(text, "<failure") != 2 || !strings.Contains(text, `failures="2"`) {
		t.Errorf("JUnit has no failure for each problem:\n%s", text)
	}
}

func TestVerifyAsksWhatIsKnownForAFinding(t *testing.T) {
	r := known()
	if out := report.Verify(r, nil); len(out.Differences) > 0 {
		t.Errorf("got %v", out.Differences)
	}
	r.Requirements[1].Findings = nil
	out := report.Verify(r, nil)
	if !slices.ContainsFunc(out.Differences, func(d report.Difference) bool {
		return strings.Contains(d.Message, "the verdict is known, and there is no finding")
	}) {
		t.Errorf("a known failure without a finding is borne out: %v", out.Differences)
	}
}
