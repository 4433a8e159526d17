package aep_test

import (
	"flag"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/report"
	targetaep "github.com/streamcert/streamcert/runner/target/aep"
)

var (
	firstSeed = flag.Int64("seed", 1, "the first seed of the histories")
	seeds     = flag.Int64("seeds", 1, "how many seeds; with more than one, every way plays the histories of each")
)

// TestLetterInCampaigns: histories accuse no server that follows the source exactly. Without flags one way plays the
// conversations of one seed; the catalogue of variants plays a part against its ways.
func TestLetterInCampaigns(t *testing.T) {
	for i, w := range ways(t) {
		if *seeds == 1 && int64(i) != (*firstSeed-1)%3 { // those after the third are in the catalogue as well
			continue
		}
		t.Run(w.name, func(t *testing.T) {
			for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
				rep, err := w.played(t, seed)
				if err != nil || rep.Fault != "" {
					t.Fatalf("seed %d: %v %s", seed, err, rep.Fault)
				}
				seen := 0
				for _, q := range rep.Requirements {
					switch q.Verdict {
					case report.Pass:
						seen++
					case report.Fail, report.Error:
						t.Errorf("seed %d: %s is %s %s %+v", seed, q.ID, q.Verdict, q.Reason, q.Findings)
					}
				}
				if seen == 0 {
					t.Errorf("seed %d: nothing was played", seed)
				}
			}
		})
	}
}

// played certifies a way by its histories alone.
func (w way) played(t *testing.T, seed int64) (*report.Report, error) {
	options, cfg := agentOptions()
	section, _ := cfg.Sections[0].(targetaep.Config)
	if w.tell != nil {
		w.tell(&cfg, &section)
	}
	cfg.Sections[0] = section
	options = options.WithDefaults()
	if w.apply != nil {
		options = w.apply(options)
	}
	only := "aep/campaigns/"
	return certified(t.Context(), alter.NewServer(aep.New(options), w.wrap), cfg, certify.Options{
		Seed: seed, Effort: campaign.Standard, Rows: func(sc features.Scenario, title string) bool {
			return strings.HasPrefix(sc.Location(), only) && (*seeds > 1 || strings.HasSuffix(title, "a conversation"))
		},
	})
}
