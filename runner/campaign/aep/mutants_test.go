package aep_test

import (
	"context"
	"flag"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	reference "github.com/streamcert/streamcert/reference/aep"
	mutant "github.com/streamcert/streamcert/reference/mutant/aep"
	"github.com/streamcert/streamcert/reference/restart"
	campaign "github.com/streamcert/streamcert/runner/campaign/aep"
	model "github.com/streamcert/streamcert/runner/model/aep"
	"github.com/streamcert/streamcert/runner/target"
)

var only = flag.String("only", "*", "the mutants to play, globs with commas")

// deadline bounds the wait for an answer. It is the time that a mutant costs that never answers.
const deadline = 1500 * time.Millisecond

// found plays the programs of standard effort with a seed, until one finds a violation.
func found(t *testing.T, tg *target.Target, seed int64) *campaign.Failure {
	o := options(t)
	for _, about := range selectedSubjects() {
		o.Ids = model.NewIds()
		for n := range campaign.Programs(about) {
			result, err := campaign.Play(context.Background(), tg, campaign.Draw(seed, n, about, tg.Claims), o)
			if err != nil {
				t.Error(err)
				return nil
			}
			if result.Failure != nil {
				return result.Failure
			}
		}
	}
	return nil
}

// kills plays mutants with several seeds and returns how many each is found with.
func kills(t *testing.T, all []mutant.Mutant) map[string]int {
	base, section := users()
	out := map[string]int{}
	var mu sync.Mutex
	var group sync.WaitGroup
	work := make(chan mutant.Mutant)
	for range 2 * runtime.NumCPU() {
		group.Go(func() {
			for m := range work {
				tg, stop := serveRestarts(t, func(o reference.Options) restart.Server { return mutant.Handler(m, o) }, base, section, deadline)
				var first *campaign.Failure
				for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
					if f := found(t, tg, seed); f != nil {
						if first == nil {
							first = f
						}
						mu.Lock()
						out[m.Name]++
						mu.Unlock()
					}
				}
				stop()
				if first != nil {
					t.Logf("%s (%s): %s: %v", m.Name, m.Requirement, first.Requirement, first)
				}
			}
		})
	}
	for _, m := range all {
		work <- m
	}
	close(work)
	group.Wait()
	return out
}

// TestMutantsAreFound plays some of the campaignOnly mutants, for one seed; streamcert-lab mutants --deep plays all, for
// any number of seeds. The servers of these tests have no agent whose streams time out, so that mutants of that kind are
// left out.
func TestMutantsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("a server for each mutant")
	}
	part := 0
	all := slices.DeleteFunc(mutant.CampaignOnly(), func(m mutant.Mutant) bool {
		if strings.HasPrefix(m.Name, "time-out-") {
			return true
		}
		part++
		ok := slices.ContainsFunc(strings.Split(*only, ","), func(glob string) bool {
			is, err := path.Match(glob, m.Name)
			return err == nil && is
		})
		return !ok || *only == "*" && part%25 != 1
	})
	got := kills(t, all)
	for _, m := range all {
		if got[m.Name] == 0 {
			t.Errorf("%s isn't found", m.Name)
		}
	}
}
