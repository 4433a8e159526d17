package certify_test

import (
	"slices"
	"testing"

	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
)

// TestPlaceReportsEveryRule: the rerun line of a finding in a scenario of another rule fails again, though the place
// selects only the scenario.
func TestPlaceReportsEveryRule(t *testing.T) {
	at := started(t, withoutInfo, nil)
	rep := run(t, certify.Options{Target: at, Seed: 3, Only: []string{"status.*", "resume.*"}, Confirm: 20, Rerun: rerunAs})
	tried := 0
	for _, q := range rep.Requirements {
		i := slices.IndexFunc(q.Findings, func(f record.Finding) bool { return f.Alone == record.AloneFails })
		if i < 0 || tried == 4 {
			continue
		}
		tried++
		place := q.Findings[i].Place
		again := run(t, certify.Options{Target: at, Seed: 3, Only: []string{place}})
		fails := func(r report.Requirement) bool { return r.ID == q.ID && len(r.Findings) > 0 }
		if !slices.ContainsFunc(again.Requirements, fails) {
			t.Errorf("%s isn't found at %s: %+v", q.ID, place, again.Summary)
		}
		for _, s := range again.Scenarios {
			if s.Place != place {
				t.Errorf("%s selects %s", place, s.Place)
			}
		}
		for _, c := range again.Classes {
			if c.Earned {
				t.Errorf("%s earns %s", place, c.Name)
			}
		}
	}
	if tried == 0 {
		t.Errorf("no finding fails alone: %+v", rep.Summary)
	}
}
