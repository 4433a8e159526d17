package aep_test

import (
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/report"
	targetaep "github.com/streamcert/streamcert/runner/target/aep"
)

// TestTimeouts: a time-out is total or idle, as the config states. A total one that is called idle comes too soon.
func TestTimeouts(t *testing.T) {
	const limit, early = time.Second, "aep.errors.timeout-early"
	for name, c := range map[string]struct {
		idle, declared bool
		want           report.Verdict
	}{
		"idle": {true, true, report.Pass}, "total": {false, false, report.Pass}, "total, declared idle": {false, true, report.Fail},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			options, cfg := agentOptions()
			section, _ := cfg.Sections[0].(targetaep.Config)
			options.Timeouts[section.TimeoutAgent], options.TimeoutWhenIdle = limit, c.idle
			section.StreamTimeout, section.IdleTimeout = limit, c.declared
			cfg.Sections[0] = section
			rep := certifyAgent(t, aep.New(options), cfg, certify.Options{Only: []string{early}})
			for _, q := range rep.Requirements {
				slow := c.want == report.Fail && q.Verdict == report.Unprovable // half of the time-out was more than that
				if q.ID == early && q.Verdict != c.want && !slow {
					t.Errorf("%s is %s %s, want %s: %+v", q.ID, q.Verdict, q.Reason, c.want, q.Findings)
				}
			}
		})
	}
}
