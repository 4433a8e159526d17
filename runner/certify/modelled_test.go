package certify_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/restart"
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/spec"
)

// certifyModelled certifies the reference through its model, campaigns included.
func certifyModelled(t *testing.T, pack string, only bool) *certify.Result {
	t.Helper()
	tg, err := target.New(certifytest.Modelled(t, only, func(o reference.Options) restart.Server { return referenceOf(pack, o) }), target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tg.Close)
	o := certify.Options{Target: tg, Seed: 1, Effort: campaign.Standard}
	if testing.Short() || !only && pack == "helix" && os.Getenv("STREAMCERT_SOAK") == "" { // its campaigns cost more than all else
		o.Effort = campaign.Quick
	}
	res, err := certify.Run(t.Context(), certifytest.Load(t, pack), o)
	if err != nil {
		t.Fatal(err)
	}
	if rep := res.Report; rep.Fault != "" || len(rep.Model) > 0 {
		t.Fatalf("%s; the model notes %q", rep.Fault, rep.Model)
	}
	return res
}

// TestReferencePassesModelled: the scenarios prove the same by the model, and by the control binding where a model can't.
func TestReferencePassesModelled(t *testing.T) {
	t.Parallel()
	for _, pack := range []string{"helix", "aep", "merlin"} {
		t.Run(pack, func(t *testing.T) {
			tiers := map[string]int{}
			for _, q := range certifyModelled(t, pack, false).Report.Requirements {
				tiers[q.Proof]++
				if q.Verdict == report.Fail || q.Verdict == report.Warn || q.Verdict == report.Error {
					t.Errorf("%s: %s %s %v", q.ID, q.Verdict, q.Reason, q.Findings)
				}
			}
			if t.Logf("proven by tier: %v", tiers); tiers[spec.TierModelled] == 0 {
				t.Error("nothing was proven by the model")
			}
		})
	}
}

// TestTierOfTheModel: by its model alone, every requirement of the tier modelled is proven, and none of a higher one.
func TestTierOfTheModel(t *testing.T) {
	t.Parallel()
	for _, pack := range []string{"helix", "aep", "merlin"} {
		t.Run(pack, func(t *testing.T) {
			tiers := map[string]int{}
			for _, q := range certifyModelled(t, pack, true).Report.Requirements {
				limited := strings.Contains(q.Reason, "the config") && !strings.Contains(q.Reason, "model.only") // it says nothing of users and limits
				switch {
				case q.Verdict == report.Pass && (q.Proof == spec.TierScripted || q.Tier == spec.TierScripted):
					t.Errorf("%s of the tier %s was proven by %s", q.ID, q.Tier, q.Proof)
				case q.Verdict == report.Pass:
					tiers[q.Proof]++
				case !slices.Contains([]report.Verdict{report.Unprovable, report.NotClaimed}, q.Verdict):
					t.Errorf("%s: %s %s %v", q.ID, q.Verdict, q.Reason, q.Findings)
				case q.Tier == spec.TierModelled && !limited && !testing.Short(): // reading streams again proves some, at standard effort
					t.Errorf("%s is of the tier %s, and %s: %s", q.ID, q.Tier, q.Verdict, q.Reason)
				}
			}
			t.Logf("proven by tier: %v", tiers)
		})
	}
}
