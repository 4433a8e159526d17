package aep_test

import (
	"context"
	"testing"
	"time"

	variant "github.com/streamcert/streamcert/reference/variant/aep"
	campaign "github.com/streamcert/streamcert/runner/campaign/aep"
)

// TestVariantsAreNotAccused plays a program with every tenth variant, and all with all of them where more seeds than one are
// asked for.
func TestVariantsAreNotAccused(t *testing.T) {
	how := options(t)
	for i, v := range variant.Catalogue() {
		if *seeds == 1 && (v.Slow || i%10 != 0) {
			continue
		}
		base, section := users()
		h := v.Handler(base)
		tg, stop := serve(t, h, section, 20*time.Second)
		for j, about := range campaign.Subjects() {
			if *seeds == 1 && j != i%len(campaign.Subjects()) {
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
		h.Close()
	}
}
