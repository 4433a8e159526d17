package helix_test

import (
	"context"
	"path"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/restart"
	"github.com/streamcert/streamcert/reference/store"
	variant "github.com/streamcert/streamcert/reference/variant/helix"
	"github.com/streamcert/streamcert/runner/campaign/helix/draw"
	"github.com/streamcert/streamcert/runner/campaign/helix/play"
	"github.com/streamcert/streamcert/runner/target"
	targethelix "github.com/streamcert/streamcert/runner/target/helix"
	"github.com/streamcert/streamcert/runner/target/transcript"
)

// TestNoVariantIsAccused: servers that use allowances of the spec pass. Without flags it plays a few of them;
// streamcert-lab variants plays a drawn part against all.
func TestNoVariantIsAccused(t *testing.T) {
	if testing.Short() {
		t.Skip("a server for each variant")
	}
	validate, err := reference.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range variant.Catalogue() {
		all := *only != "*" || *seeds > 1 || *firstSeed != 1
		if ok, err := path.Match(*only, v.Name); err != nil || !ok || !all && i%64 != 0 {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			tg, stop := serveRestarts(t, func(streams store.Store) restart.Server {
				return variant.Handler(v, reference.Options{Validate: validate, Store: streams})
			}, target.Config{
				Timing: target.Timing{Deadline: 20 * time.Second, MaxConnection: v.MaxConnection}, Sections: []any{targethelix.Config{Replay: v.Replays, Partial: v.Partial}},
				Limits: target.Limits{String: v.LongestString, Events: v.Events, Readers: v.Readers}, Without: v.Without,
			})
			defer stop()
			for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
				for k, about := range requested() {
					for n := range draw.Programs(about) {
						if *seeds == 1 && (n+i+k)%6 != 0 { // another part for each variant
							continue
						}
						o := play.Options{By: time.Now().Add(time.Second)}
						result, err := play.Play(context.Background(), tg, draw.Draw(seed, n, about, tg.Claims), o)
						if err != nil {
							t.Fatal(err)
						}
						if f := result.Failure; f != nil {
							t.Errorf("%s, seed %d, program %d: %s: %v\n%v\n%s", about, seed, n, f.Requirement, f, f.Program, transcript.Render(f.Exchange, -1))
							return
						}
					}
				}
			}
		})
	}
}
