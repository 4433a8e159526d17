package probe_test

import (
	"slices"
	"testing"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/merlin"
	"github.com/streamcert/streamcert/reference/restart"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/probe"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// TestProbeForetellsWhatTheModelProves: for a server that only its model provokes, the requirements that the probe promises
// are proven, and their number for the model is that of the run.
func TestProbeForetellsWhatTheModelProves(t *testing.T) {
	for _, name := range []string{"helix", "aep", "merlin"} {
		t.Run(name, func(t *testing.T) {
			cfg := certifytest.Modelled(t, true, func(o reference.Options) restart.Server {
				if name == "merlin" {
					return merlin.New(merlin.Options{ControlToken: o.ControlToken, Model: o.Model})
				}
				return reference.New(o)
			})
			suite := certifytest.Load(t, name)
			tg, err := target.New(cfg, target.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer tg.Close()
			p, err := probe.Run(t.Context(), suite, tg)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(p.Tiers, "modelled") || slices.Contains(p.Tiers, "scripted") {
				t.Errorf("the tiers are %q", p.Tiers)
			}
			proven, passing := 0, 0
			perhaps := slices.Clone(p.Passing)
			for _, ids := range p.Unclear {
				perhaps = append(perhaps, ids...)
			}
			for _, q := range certifytest.Run(t, suite, cfg, target.Options{}).Report.Requirements {
				promised := slices.Contains(p.Provable, q.ID)
				switch {
				case promised != (q.Verdict == report.Pass) && promised:
					t.Errorf("%s was promised and is %s (%s)", q.ID, q.Verdict, q.Reason)
				case q.Verdict == report.Pass && promised:
					proven++
				case q.Verdict == report.Pass:
					if passing++; !slices.Contains(perhaps, q.ID) {
						t.Errorf("%s (%s) is proven, and wasn't promised even in passing", q.ID, q.Tier)
					}
				}
			}
			t.Logf("%d promised, %d by the model, %d proven, %d of %d more in passing", len(p.Provable), len(p.Modelled), proven, passing, len(p.Passing))
		})
	}
}
