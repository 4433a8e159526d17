package certify_test

import (
	"slices"
	"testing"

	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
)

// TestLocationReportsEveryRule: the rerun line of a finding in a scenario of another rule fails again, though the location
// selects only the scenario.
func TestLocationReportsEveryRule(t *testing.T) {
	at := started(t, withoutInfo, nil)
	rep := run(t, certify.Options{Target: at, Seed: 3, Only: []string{"status.*", "resume.*"}, Confirm: 20, Rerun: rerunAs})
	tried := 0
	for _, q := range rep.Requirements {
		i := slices.IndexFunc(q.Findings, func(f record.Finding) bool { return f.Alone == record.AloneFails })
		if i < 0 || tried == 4 {
			continue
		}
		tried++
		location := q.Findings[i].Location
		again := run(t, certify.Options{Target: at, Seed: 3, Only: []string{location}})
		fails := func(r report.Requirement) bool { return r.ID == q.ID && len(r.Findings) > 0 }
		if !slices.ContainsFunc(again.Requirements, fails) {
			t.Errorf("%s isn't found at %s: %+v", q.ID, location, again.Summary)
		}
		for _, s := range again.Scenarios {
			if s.Location != location {
				t.Errorf("%s selects %s", location, s.Location)
			}
		}
		for _, c := range again.Classes {
			if c.Earned {
				t.Errorf("%s earns %s", location, c.Name)
			}
		}
	}
	if tried == 0 {
		t.Errorf("no finding fails alone: %+v", rep.Summary)
	}
}
