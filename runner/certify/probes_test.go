package certify_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// TestProbes: probes begin before all others and end after them, as far as the config lets them.
func TestProbes(t *testing.T) {
	for _, c := range []struct {
		name           string
		limits         target.Limits
		slow, longest  time.Duration
		played, waited bool
		reason         string
	}{
		{name: "not asked for"},
		{name: "held", slow: 30 * time.Millisecond, played: true, waited: true},
		{name: "a declared silence", limits: target.Limits{Silence: time.Millisecond}, slow: 30 * time.Millisecond, played: true, waited: true,
			reason: "it waited for the longest silence that the config declares, 1ms, and not for the whole run"},
		{name: "a run that takes long", longest: time.Nanosecond, played: true, waited: true,
			reason: "it waited for 1ns, since many servers end what is silent for longer, and not for the whole run; --slow holds it"},
		{name: "a run that takes long, and longer is asked for", longest: time.Nanosecond, slow: 30 * time.Millisecond, played: true, waited: true},
		{name: "no room beside the others", limits: target.Limits{Streams: 3}, slow: time.Hour, played: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			tg := started(t, asItIs, func(cfg *target.Config) { cfg.Limits = c.limits })
			const beside = "helix.status.count"
			var first, last string
			var effort campaign.Effort
			if c.longest > 0 {
				effort = campaign.Standard
			}
			rep := run(t, certify.Options{
				Target: tg, Seed: 1, Slow: c.slow, Longest: c.longest, Effort: effort,
				Rows: func(sc features.Scenario, _ string) bool { return sc.Probe || sc.Requirement == beside },
				Progress: func(p certify.Progress) {
					if last = p.Scenario.Location; first == "" {
						first = last
					}
				},
			})
			probes := 0
			for _, sc := range rep.Scenarios {
				if sc.Outcome != report.Pass {
					t.Errorf("%s: %s %s", sc.Title, sc.Outcome, sc.Reason)
				}
				if strings.Contains(sc.Location, "probes") {
					if probes++; sc.Reason != c.reason {
						t.Errorf("%s: %q, expected %q", sc.Title, sc.Reason, c.reason)
					}
				}
			}
			if (probes == 4) != c.played || (rep.Summary.Silence > 0) != c.waited {
				t.Errorf("%d probes, %v s of silence", probes, rep.Summary.Silence)
			}
			if c.played && c.reason == "" && (strings.Contains(first, "probes") || !strings.Contains(last, "probes")) {
				t.Errorf("the first to end is %s, the last %s", first, last)
			}
		})
	}
}

// TestAProbeThatFailsAtOnce doesn't delay the run.
func TestAProbeThatFailsAtOnce(t *testing.T) {
	tg := started(t, withoutPauses, nil)
	rep := run(t, certify.Options{Target: tg, Seed: 1, Slow: time.Millisecond, Rows: func(sc features.Scenario, _ string) bool { return sc.Probe }})
	outcomes := map[report.Verdict]int{}
	for _, sc := range rep.Scenarios {
		outcomes[sc.Outcome]++
	}
	if outcomes[report.Pass] != 2 || outcomes[report.Fail]+outcomes[report.Unprovable] != 2 {
		t.Errorf("%v", outcomes)
	}
}

func withoutPauses(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/status") && r.Method == http.MethodPost {
			http.Error(w, "no", http.StatusInternalServerError)
			return
		}
		h.ServeHTTP(w, r)
	})
}
