package aep_test

import (
	"context"
	"slices"
	"testing"
	"time"

	reference "github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/lives"
	variant "github.com/streamcert/streamcert/reference/variant/aep"
	campaign "github.com/streamcert/streamcert/runner/campaign/aep"
)

// TestVariantsAreNotAccused plays a program with every thirtieth variant, and all with all of them where more seeds than one are
// asked for.
func TestVariantsAreNotAccused(t *testing.T) {
	if testing.Short() {
		t.Skip("many servers")
	}
	how := options(t)
	for i, v := range variant.Catalogue() {
		if *seeds == 1 && (v.Slow || i%30 != 0) {
			continue
		}
		base, section := users()
		tg, stop := serveLives(t, func(o reference.Options) lives.Server { return variant.Handler(v, o) }, base, section, 20*time.Second)
		for j, about := range asked() {
			if *seeds == 1 && j != i%len(asked()) {
				continue
			}
			for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
				for n := range min(2*int(*seeds)-1, campaign.Programs(about)) {
					result, err := campaign.Play(context.Background(), tg, campaign.Draw(seed, n, about, tg.Claims), how)
					if err != nil {
						t.Errorf("%s: %v", v.Name, err)
					}
					if f := result.Failure; f != nil {
						t.Errorf("%s: seed %d, %s %d: %s: %v\n%v\n%.2000s", v.Name, seed, about, n, f.Requirement, f, f.Program, f.Exchange.Render(-1))
					}
				}
			}
		}
		stop()
	}
}

// TestACancellationTakesItsTime: where a cancellation and the agent cross, the request may be over before that is read.
func TestACancellationTakesItsTime(t *testing.T) {
	program, err := campaign.Parse("1 thread\n" +
		"a request of 1 message with plain data of 1 bytes: waits, waits\n" +
		"the agent goes on and the request is cancelled\n" +
		"the request is cancelled")
	if err != nil {
		t.Fatal(err)
	}
	once := slices.IndexFunc(variant.Catalogue(), func(v variant.Variant) bool { return v.Name == "cancelled-once" })
	base, section := users()
	tg, stop := serve(t, variant.Handler(variant.Catalogue()[once], base), section, 20*time.Second)
	defer stop()
	for range 20 {
		result, err := campaign.Play(t.Context(), tg, program, options(t))
		if err != nil || result.Failure != nil {
			t.Fatal(err, result.Failure)
		}
	}
}
