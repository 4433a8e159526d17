package runner_test

import (
	"context"
	"os"
	"testing"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/variant"
	"github.com/streamcert/streamcert/runner"
)

func variants(t testing.TB, catalogue []variant.Variant) []runner.Variant {
	t.Helper()
	validate, err := reference.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	var out []runner.Variant
	for _, v := range catalogue {
		out = append(out, runner.Variant{
			Name: v.Name, Freedom: v.Freedom, Summary: v.Summary, Warns: v.Warns, HTTP2: v.HTTP2,
			Start: func() (string, func(), error) {
				o := options()
				o.Validate = validate
				h := v.Handler(o)
				return listen(h, h.Close)
			},
		})
	}
	return out
}

// TestVariantsPass runs the whole suite against every server that is right in its own way: nothing may be held against
// any of them.
func TestVariantsPass(t *testing.T) {
	if os.Getenv("STREAMCERT_SOAK") == "" {
		t.Skip("the whole suite against the whole catalogue takes minutes; make variants runs it, make soak this test")
	}
	rep, err := load(t).Variants(context.Background(), variants(t, variant.Catalogue()), runner.VariantOptions{Config: config("")})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rep.Results {
		t.Logf("%-28s %4.1f s %v", r.Name, r.Seconds, r.Warns)
		for i, h := range r.Held {
			if i == 6 {
				break
			}
			t.Errorf("%s (%s): %s %s: %s\n  %s %s", r.Name, r.Freedom, h.Requirement, h.Verdict, h.Message, h.Scenario, h.Place)
		}
	}
	t.Logf("%d variants, %d accused, %.1f s", rep.Variants, len(rep.Accused), rep.Seconds)
}
