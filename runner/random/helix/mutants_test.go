package helix_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/reference"
	mutant "github.com/streamcert/streamcert/reference/mutant/helix"
	random "github.com/streamcert/streamcert/runner/random/helix"
)

// A miss is a mutant that random operations don't find.
type miss struct {
	why string
	// sometimes: it is found when the timing helps.
	sometimes bool
}

// misses are all of them.
func misses() map[string]miss {
	const (
		recommended = "it breaks a recommendation, and those are not held against a server here"
		noID        = "the cursors that are drawn are ids that the server gave out"
		stalled     = "every reader takes what comes, so nothing waits at the server for long"
	)
	return map[string]miss{
		"skips-numbers":               {why: recommended},
		"starts-at-1000":              {why: recommended},
		"status-repeats":              {why: recommended},
		"truncated-for-nothing":       {why: recommended},
		"beyond-latest-delivers-next": {why: noID},
		"empty-cursor-refused":        {why: noID},
		"invalid-cursor-replays-all":  {why: noID},
		"padded-cursor-is-octal":      {why: noID},
		"reads-cursor-prefix":         {why: noID},
		"drops-for-slow-reader":       {why: stalled},
		"stalled-reader-blocks":       {why: stalled},
		"removed-chunks-in-flight":    {why: stalled, sometimes: true},
		"end-while-attaching-lost":    {why: "the stream must be empty and end with a reader attached, which is drawn too rarely", sometimes: true},
		"forgets-when-idle":           {why: "nothing here lets time pass, unless the machine is busy", sometimes: true},
		"twice-cut-event-is-skipped":  {why: "it takes two cuts inside one event, and cuts are drawn between events", sometimes: true},
		"info-invents-stream":         {why: "only streams that were made are asked about"},
	}
}

// inReach are the mutants that change what a stream is: its store, its subscriptions or its cursors.
func inReach() []mutant.Mutant {
	chapters := []string{"lifecycle", "ordering", "resume", "truncation", "status"}
	seams := []string{"store", "attach", "cursor"}
	return slices.DeleteFunc(mutant.Catalogue(), func(m mutant.Mutant) bool {
		_, rest, _ := strings.Cut(m.Requirement, ".")
		chapter, _, _ := strings.Cut(rest, ".")
		return !slices.Contains(chapters, chapter) || !slices.ContainsFunc(m.Seams(), func(s string) bool { return slices.Contains(seams, s) })
	})
}

const (
	// budget is how many sequences a mutant has to survive to count as missed.
	budget = 60
	// patience multiplies the budget of one that isn't known to be missed: for a few it depends on the timing which
	// sequence finds it.
	patience = 5
	// deadline is what a mutant that never answers costs, again and again. A right answer has to come within it.
	deadline = 3 * time.Second
)

func TestRandomFindsStoreMutants(t *testing.T) {
	if testing.Short() {
		t.Skip("a server for each mutant")
	}
	validate, err := reference.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	all := inReach()
	var mu sync.Mutex
	missed, found := map[string]bool{}, 0
	each(0, int64(len(all)), 12, func(i int64) bool {
		m := all[i]
		h := m.Handler(reference.Options{Validate: validate})
		defer h.Close()
		tg, stop := serve(t, h, deadline)
		defer stop()
		tries := int64(budget * patience)
		if _, known := misses()[m.Name]; known {
			tries = budget
		}
		for seed := range tries {
			f, err := random.Run(context.Background(), tg, random.Options{Seed: seed, Whole: true})
			if err != nil {
				t.Errorf("%s: %v", m.Name, err)
				return true
			}
			if f != nil {
				mu.Lock()
				found++
				mu.Unlock()
				t.Logf("%s: seed %d: %s", m.Name, seed, f.Message)
				return true
			}
		}
		mu.Lock()
		missed[m.Name] = true
		mu.Unlock()
		return true
	})
	t.Logf("%d of %d mutants found", found, len(all))
	var want, got []string
	for name, m := range misses() {
		if !m.sometimes {
			want = append(want, name+": "+m.why)
		}
	}
	for name := range missed {
		if m := misses()[name]; !m.sometimes {
			got = append(got, name+": "+m.why)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("missed (-want +got):\n%s", diff)
	}
}

// TestFailureIsShrunk: of what was drawn little is left, and it fails again.
func TestFailureIsShrunk(t *testing.T) {
	all := mutant.Catalogue()
	m := all[slices.IndexFunc(all, func(m mutant.Mutant) bool { return m.Name == "second-cleanup-removes-nothing" })]
	h := m.Handler(reference.Options{})
	defer h.Close()
	tg, stop := serve(t, h, deadline)
	defer stop()
	for seed := int64(1); ; seed++ {
		f, err := random.Run(context.Background(), tg, random.Options{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		if f == nil && seed < budget {
			continue
		}
		cleanups := 0
		for _, o := range f.Script {
			if o.Kind == random.Cleanup {
				cleanups++
			}
		}
		// Two cleanups, and no more than a write for each and a reader.
		if cleanups != 2 || len(f.Script) > 5 || f.Seed != seed || f.Drawn != 25 {
			t.Errorf("not shrunk: %v", f)
		}
		if !strings.Contains(f.Error(), "cleanup to step") || !strings.Contains(f.Error(), "seed ") {
			t.Errorf("the script isn't shown: %v", f)
		}
		return
	}
}
