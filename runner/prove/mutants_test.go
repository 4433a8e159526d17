package prove_test

import (
	"context"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/prove"
	"github.com/streamcert/streamcert/runner/prove/killreport"
)

// TestMutantsAreKilled runs the complete catalogue: every mutant must be found by the requirement that it names, and no
// testable requirement may be without a kill.
func TestMutantsAreKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("a good part of the catalogue takes a while")
	}
	all, chosen := os.Getenv("STREAMCERT_SOAK") != "", []string(nil)
	catalogue := certifytest.Mutants(t)
	if !all { // make mutants plays them all
		for _, m := range catalogue {
			if rand.IntN(24) == 0 {
				chosen = append(chosen, m.Name)
			}
		}
	}
	rep, err := prove.Mutants(context.Background(), certifytest.Load(t, "helix"), catalogue, prove.MutantOptions{
		Config: certifytest.Config(""), Only: chosen,
		Progress: func(done, total int, r killreport.Result) {
			if r.Seconds > 3 {
				t.Logf("%s took %.1f s", r.Name, r.Seconds)
			}
		},
		Healthy: func() (string, func(), error) {
			ref := reference.New(certifytest.Options())
			return certifytest.Listen(ref, ref.Close)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rep.Results {
		if r.Outcome != killreport.Killed {
			t.Errorf("%s (%s): %s %v %q", r.Name, r.Requirement, r.Outcome, r.By, r.Unproven)
		}
	}
	for _, id := range rep.Requirements.Without {
		t.Errorf("%s: no mutant of it was killed", id)
	}
	if all && (!rep.OK() || rep.Generated.Total == 0) {
		t.Errorf("of %d generated mutants %d were killed; without a reason: %q", rep.Generated.Total, rep.Generated.Killed, rep.Generated.Unexplained())
	}
	validMutants(t, rep)
	t.Logf("%d mutants, %d killed, %d by another requirement, %d survived; %d of %d testable requirements; %.1f s",
		rep.Mutants, rep.Killed, rep.KilledByOther, len(rep.Survived), rep.Requirements.Killed, rep.Requirements.Testable, rep.Seconds)
}
