package certify_test

import (
	"testing"
	"time"

	mutant "github.com/streamcert/streamcert/reference/mutant/helix"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// TestDeclaredAge: a server that ends a silent response breaks a rule, unless its config declares that it ends every
// response at that age.
func TestDeclaredAge(t *testing.T) {
	const rule = "helix.wire.stays-open"
	suite := certifytest.Load(t, "helix")
	for _, c := range []struct {
		age  time.Duration
		want report.Verdict
	}{{0, report.Fail}, {time.Minute, report.Fail}, {10 * time.Millisecond, report.Pass}} {
		for _, m := range mutant.Catalogue() {
			if m.Name != "idle-time-out" {
				continue
			}
			cfg := certifytest.Config(certifytest.Serve(t, mutant.Handler(m, certifytest.Options())))
			cfg.Timing.MaxConnection = c.age
			tg, err := target.New(cfg, target.Options{})
			if err != nil {
				t.Fatal(err)
			}
			res, err := certify.Run(t.Context(), suite, certify.Options{Target: tg, Seed: 1, Only: []string{rule}})
			if err != nil {
				t.Fatal(err)
			}
			tg.Close()
			for _, q := range res.Report.Requirements {
				if q.ID == rule && q.Verdict != c.want {
					t.Errorf("declared %v: %s (%s), want %s", c.age, q.Verdict, q.Reason, c.want)
				}
			}
		}
	}
}
