package certify_test

import (
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// TestHeartbeatOfTheConfig: a server that promises a longer silence than the rule allows gets a warning, without a wait.
func TestHeartbeatOfTheConfig(t *testing.T) {
	for _, pack := range []string{"helix", "aep"} {
		tg := started(t, asItIs, func(c *target.Config) { c.Timing.Heartbeat = 20 * time.Second })
		began := time.Now()
		res, err := certify.Run(t.Context(), certifytest.Load(t, pack), certify.Options{Target: tg, Seed: 1, Only: []string{pack + ".wire.heartbeat"}})
		if err != nil {
			t.Fatal(err)
		}
		if q := of(t, res.Report, pack+".wire.heartbeat"); q.Verdict != report.Warn {
			t.Errorf("%s is %s: %s", q.ID, q.Verdict, q.Reason)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("the run took %v", took)
		}
	}
}
