package certify_test

import (
	"os"
	"testing"
	"time"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	mutant "github.com/streamcert/streamcert/reference/mutant/helix"
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// leading certifies a mutant by its whole pack and returns what fails, in the order of the headings.
func leading(t *testing.T, pack string, url string, effort campaign.Effort) []report.Requirement {
	t.Helper()
	cfg := certifytest.Config(url)
	cfg.Timing.Deadline = time.Second
	tg, err := target.New(cfg, target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tg.Close()
	res, err := certify.Run(t.Context(), certifytest.Load(t, pack), certify.Options{Target: tg, Seed: 1, Effort: effort, Confirm: 20})
	if err != nil {
		t.Fatal(err)
	}
	return res.Report.InOrder()
}

// TestTerminalFrameThatNeverComes: a server that leaves out the terminal frame for who comes back to a finished stream is
// told first that it owes that frame there.
func TestTerminalFrameThatNeverComes(t *testing.T) {
	t.Parallel()
	for name, apply := range map[string]on.Apply{
		"with a cursor":    on.Events(on.Terminal(), on.ForVisits(func(v on.Visit) bool { return v.Finished() && v.Cursor.After > 0 })).Drop(),
		"who has all":      on.Events(on.Terminal(), on.ForVisits(func(v on.Visit) bool { return v.Finished() && v.Cursor.After == v.Info.LatestSequence })).Drop(),
		"whoever attaches": on.Events(on.Terminal(), on.ForVisits(func(v on.Visit) bool { return v.Finished() })).Drop(),
	} {
		for _, effort := range []campaign.Effort{campaign.Quick, campaign.Standard} {
			if os.Getenv("STREAMCERT_SOAK") == "" && effort != campaign.Quick {
				continue
			}
			t.Run(name+" "+string(effort), func(t *testing.T) {
				h := mutant.Handler(mutant.Mutant{Name: name, Apply: apply}, certifytest.Options())
				defer h.Close()
				found := leading(t, "helix", certifytest.Serve(t, h), effort)
				if len(found) == 0 || found[0].ID != "helix.resume.finished-tail" {
					t.Errorf("another rule leads: %v", found)
				}
			})
		}
	}
}
