package helix_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference"
	variant "github.com/streamcert/streamcert/reference/variant/helix"
	random "github.com/streamcert/streamcert/runner/random/helix"
)

// TestRandomBlamesNoVariant: servers that use the freedoms of the spec are right.
func TestRandomBlamesNoVariant(t *testing.T) {
	if testing.Short() {
		t.Skip("a server for each variant")
	}
	validate, err := reference.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	// An operation is several round trips; what they cost is no concern of the model.
	all := slices.DeleteFunc(variant.Catalogue(), func(v variant.Variant) bool { return strings.HasPrefix(v.Name, "latency-") })
	each(0, int64(len(all)), 12, func(i int64) bool {
		v := all[i]
		h := v.Handler(reference.Options{Validate: validate})
		defer h.Close()
		tg, stop := serve(t, h, 20*time.Second)
		defer stop()
		for seed := range int64(3) {
			f, err := random.Run(context.Background(), tg, random.Options{Seed: seed, Whole: true})
			if err != nil {
				t.Errorf("%s: %v", v.Name, err)
				break
			}
			if f != nil {
				t.Errorf("%s: %v", v.Name, f)
				break
			}
		}
		return true
	})
}
