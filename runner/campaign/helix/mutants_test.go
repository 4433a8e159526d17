package helix_test

import (
	"context"
	"flag"
	"path"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference"
	mutant "github.com/streamcert/streamcert/reference/mutant/helix"
	campaign "github.com/streamcert/streamcert/runner/campaign/helix"
	"github.com/streamcert/streamcert/runner/target"
)

var only = flag.String("only", "*", "the mutants to play, a glob")

// deadline is what a mutant that never answers costs. A right answer has to come within it.
const deadline = 1500 * time.Millisecond

// found plays what standard effort plays with a seed, until something is found.
func found(t *testing.T, tg *target.Target, seed int64) *campaign.Failure {
	for _, about := range asked() {
		for n := range campaign.Programs(about) {
			result, err := campaign.Play(context.Background(), tg, campaign.Draw(seed, n, about, tg.Claims), campaign.Options{})
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
	validate, err := reference.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	var mu sync.Mutex
	var group sync.WaitGroup
	work := make(chan mutant.Mutant)
	for range 2 * runtime.NumCPU() {
		group.Go(func() {
			for m := range work {
				h := m.Handler(reference.Options{Validate: validate})
				tg, stop := serve(t, h, deadline)
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
				h.Close()
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

// provoked are requirements that the player holds, not the model: a server breaks them by how it answers.
var provoked = []string{
	"helix.lifecycle.body-closes", "helix.lifecycle.closed-writer", "helix.lifecycle.many-writers", "helix.lifecycle.reader-disconnect",
	"helix.lifecycle.write-after-end", "helix.lifecycle.writer-close", "helix.lifecycle.writer-creates", "helix.runs.refused", "helix.truncation.reset-reopens", "helix.wire.head",
	"helix.resume.beyond-latest", "helix.resume.invalid-cursor", "helix.resume.large-cursor", "helix.status.info-unknown",
}

// TestMutantsOfThePlayerAreFound: of the mutants that break what the player holds, one of each requirement is found.
func TestMutantsOfThePlayerAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("a server for each mutant")
	}
	all := slices.DeleteFunc(mutant.Catalogue(), func(m mutant.Mutant) bool { return !slices.Contains(provoked, m.Requirement) })
	got := kills(t, all)
	for _, id := range provoked {
		if !slices.ContainsFunc(all, func(m mutant.Mutant) bool { return m.Requirement == id && got[m.Name] > 0 }) {
			t.Errorf("no mutant of %s is found", id)
		}
	}
}

// TestDeepMutantsAreFound: some of a part of them, for one seed; streamcert mutants --deep plays all, for as many as it is
// told, and knows how many must be found.
func TestDeepMutantsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("a server for each mutant")
	}
	part := 0
	all := slices.DeleteFunc(mutant.Deep(), func(m mutant.Mutant) bool {
		part++
		ok, err := path.Match(*only, m.Name)
		return err != nil || !ok || *only == "*" && part%20 != 0
	})
	got := kills(t, all)
	for _, m := range all {
		if got[m.Name] == 0 {
			t.Logf("%s isn't found", m.Name)
		}
	}
	if 3*len(got) < len(all) {
		t.Errorf("%d of %d are found, expected a third at least", len(got), len(all))
	}
}
