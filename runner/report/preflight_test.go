package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/report"
)

// TestAFailedPreflightIsOneError: the requirements were not tried, so that none of them is an error.
func TestAFailedPreflightIsOneError(t *testing.T) {
	r := &report.Report{Suite: report.Suite{Name: "streamcert", Pack: "helix"}, Fault: "preflight: connection refused"}
	for i := range 300 {
		r.Requirements = append(r.Requirements, report.Requirement{
			ID: fmt.Sprintf("helix.a.b%d", i), Chapter: "a", Verdict: report.Skipped, Reason: "the preflight failed",
		})
	}
	r.Count()
	if r.Summary.Error != 1 || r.Summary.Skipped != 300 || r.ExitCode(nil) != 3 {
		t.Errorf("%+v, exit code %d", r.Summary, r.ExitCode(nil))
	}
	var junit bytes.Buffer
	if err := report.WriteJUnit(&junit, r); err != nil || !strings.Contains(junit.String(), `tests="301" failures="0" errors="1"`) {
		t.Errorf("%v, %.300s", err, junit.String())
	}
	if got := page(t, report.HTML{}, r); !strings.Contains(got, `<b class="v error">1 error</b>`) {
		t.Error("the page counts no error")
	}
	if got := markdown(t, report.Markdown{}, r); len(got) > 2500 || strings.Contains(got, "skipped by the call") {
		t.Errorf("a summary of %d bytes:\n%s", len(got), got)
	}
}

// TestUnclaimedClasses: they are named with their reason, and are missing nowhere.
func TestUnclaimedClasses(t *testing.T) {
	r := made()
	r.Classes = []report.Class{{Name: "Core", Earned: true}, {Name: "Durable", Unclaimed: "no launch.kill"}}
	r.Unearnable = "no class can be earned by the model alone"
	got := console(t, report.Console{}, r)
	for _, want := range []string{"– Durable  not claimed: no launch.kill\n", "  no class can be earned by the model alone\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "not earned: Durable") {
		t.Error(got)
	}
	r.Requirements = r.Requirements[:1]
	r.Count()
	if b := r.Badge(nil); b.Message != "Core" {
		t.Errorf("the badge says %q", b.Message)
	}
}
