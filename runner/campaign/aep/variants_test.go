package aep_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	reference "github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/restart"
	variant "github.com/streamcert/streamcert/reference/variant/aep"
	campaign "github.com/streamcert/streamcert/runner/campaign/aep"
	"github.com/streamcert/streamcert/runner/target/transcript"
)

// TestVariantsAreNotAccused plays a program with every thirtieth variant, and all with all of them if several seeds are
// requested.
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
		tg, stop := serveRestarts(t, func(o reference.Options) restart.Server { return variant.Handler(v, o) }, base, section, 20*time.Second)
		for j, about := range selectedSubjects() {
			if *seeds == 1 && j != i%len(selectedSubjects()) {
				continue
			}
			for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
				for n := range min(2*int(*seeds)-1, campaign.Programs(about)) {
					result, err := campaign.Play(context.Background(), tg, campaign.Draw(seed, n, about, tg.Claims), how)
					if err != nil {
						t.Errorf("%s: %v", v.Name, err)
					}
					if f := result.Failure; f != nil {
						t.Errorf("%s: seed %d, %s %d: %s: %v\n%v\n%.2000s", v.Name, seed, about, n, f.Requirement, f, f.Program, transcript.Render(f.Exchange, -1))
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
	base, section := users()
	tg, stop := serve(t, variant.Handler(called(t, "cancelled-once"), base), section, 20*time.Second)
	defer stop()
	for range 20 {
		result, err := campaign.Play(t.Context(), tg, program, options(t))
		if err != nil || result.Failure != nil {
			t.Fatal(err, result.Failure)
		}
	}
}

// TestManyEventsTakeTheirTime: no event is delayed too long while the agent's output keeps coming.
func TestManyEventsTakeTheirTime(t *testing.T) {
	program, err := campaign.Parse("1 thread\na request of 1 message with plain data of 1 bytes: says 1 words" + strings.Repeat(", asks plain data of 1 bytes", 100))
	if err != nil {
		t.Fatal(err)
	}
	base, section := users()
	tg, stop := serve(t, variant.Handler(called(t, "agents-take-their-time"), base), section, 500*time.Millisecond)
	defer stop()
	result, err := campaign.Play(t.Context(), tg, program, options(t))
	if err != nil || result.Failure != nil {
		t.Fatal(err, result.Failure)
	}
}

// called returns the variant of a name.
func called(t *testing.T, name string) variant.Variant {
	t.Helper()
	at := slices.IndexFunc(variant.Catalogue(), func(v variant.Variant) bool { return v.Name == name })
	if at < 0 {
		t.Fatalf("there is no variant %s", name)
	}
	return variant.Catalogue()[at]
}
