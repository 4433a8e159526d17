package observe_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference"
	mutant "github.com/streamcert/streamcert/reference/mutant/helix"
	variant "github.com/streamcert/streamcert/reference/variant/helix"
	"github.com/streamcert/streamcert/runner/observe"
)

// TestSweepFindsMutants: each is wrong about resuming in a way that shows without any
// control of the server.
func TestSweepFindsMutants(t *testing.T) {
	validate, err := reference.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	all := mutant.Catalogue()
	for name, c := range map[string]struct {
		how  string
		rule string // another than the mutant's own, where it shows as something else
	}{
		"inclusive-resume":      {"end", ""},
		"wrong-across-9-10":     {"active", "helix.resume.complete"},
		"resume-skips-one":      {"end", ""},
		"renumbers-on-resume":   {"active", ""},
		"resume-re-encodes":     {"active", ""},
		"resume-at-latest-ends": {"active", ""},
		"finished-tail-204":     {"fail", ""},
		"terminal-again":        {"end", ""},
		"second-resume-skips":   {"end", "helix.resume.complete"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := slices.IndexFunc(all, func(m mutant.Mutant) bool { return m.Name == name })
			if i < 0 {
				t.Fatal("there is no such mutant")
			}
			url := filled(t, start(t, mutant.Handler(all[i], reference.Options{Validate: validate})), 14, c.how)
			r := sweptIn(t, url, 500*time.Millisecond, observe.SweepOptions{Seed: 1, Cuts: 40})
			rule := c.rule
			if rule == "" {
				rule = all[i].Requirement
			}
			if !slices.Contains(verdicts(r), rule) || r.ExitCode(false) != 1 {
				t.Errorf("want %s, got %v\n%s", rule, verdicts(r), page(t, r))
			}
		})
	}
}

// TestSweepBlamesNoVariant: servers that use the freedoms of the specification are
// right.
func TestSweepBlamesNoVariant(t *testing.T) {
	if testing.Short() {
		t.Skip("many servers")
	}
	validate, err := reference.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	blamesNothing := func(v variant.Variant, how string) {
		url := filled(t, start(t, variant.Handler(v, reference.Options{Validate: validate})), 12, how)
		r := swept(t, url, observe.SweepOptions{Seed: 1, Cuts: 8, Concurrency: 2})
		for _, id := range verdicts(r) {
			if q, _ := has(r, id); !slices.Contains(v.Warns, id) || q.Level.Mandatory() {
				t.Errorf("%s, %s: %s is blamed\n%s", v.Name, how, id, page(t, r))
			}
		}
		if r.Sweep.Unproven != "" || r.Sweep.Undecided > 0 {
			t.Errorf("%s, %s: %s", v.Name, how, page(t, r))
		}
	}
	var all sync.WaitGroup
	turn := make(chan struct{}, 16) // most of the time they wait, for which subtests would take turns
	for _, v := range variant.Catalogue() {
		if v.HTTP2 || strings.HasPrefix(v.Name, "latency-") {
			continue
		}
		for _, how := range []string{"end", "active"} {
			turn <- struct{}{}
			all.Go(func() {
				defer func() { <-turn }()
				blamesNothing(v, how)
			})
		}
	}
	all.Wait()
}
