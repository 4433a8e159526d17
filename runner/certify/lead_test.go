package certify_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	refaep "github.com/streamcert/streamcert/reference/aep"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	onmerlin "github.com/streamcert/streamcert/reference/alter/merlin"
	refmerlin "github.com/streamcert/streamcert/reference/merlin"
	mutants "github.com/streamcert/streamcert/reference/mutant"
	"github.com/streamcert/streamcert/reference/mutant/aep"
	mutant "github.com/streamcert/streamcert/reference/mutant/helix"
	"github.com/streamcert/streamcert/reference/mutant/merlin"
	"github.com/streamcert/streamcert/reference/restart"
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// leading certifies a mutant by its complete pack and returns the failures, in the order of the headings.
func leading(t *testing.T, pack string, cfg target.Config, effort campaign.Effort) []report.Requirement {
	t.Helper()
	if testing.Short() {
		t.Skip("a run of a whole pack")
	}
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

// TestTerminalFrameThatNeverComes: for a server that omits the terminal frame for readers of a finished stream, the first
// heading names the requirement of that frame.
func TestTerminalFrameThatNeverComes(t *testing.T) {
	t.Parallel()
	for name, apply := range map[string]on.Apply{
		"with a cursor":    on.Events(on.Terminal(), on.ForAttached(func(v on.Attached) bool { return v.Finished() && v.Cursor.After > 0 })).Drop(),
		"who has all":      on.Events(on.Terminal(), on.ForAttached(func(v on.Attached) bool { return v.Finished() && v.Cursor.After == v.Info.LatestSequence })).Drop(),
		"whoever attaches": on.Events(on.Terminal(), on.ForAttached(func(v on.Attached) bool { return v.Finished() })).Drop(),
	} {
		for _, effort := range []campaign.Effort{campaign.Quick, campaign.Standard} {
			if os.Getenv("STREAMCERT_SOAK") == "" && effort != campaign.Quick {
				continue
			}
			t.Run(name+" "+string(effort), func(t *testing.T) {
				h := mutant.Handler(mutant.Mutant{Name: name, Apply: apply}, certifytest.Options())
				defer h.Close()
				cfg := certifytest.Config(certifytest.Serve(t, h))
				cfg.Timing.Deadline = time.Second
				found := leading(t, "helix", cfg, effort)
				if len(found) == 0 || found[0].ID != "helix.resume.finished-tail" {
					t.Errorf("another rule leads: %v", found)
				}
			})
		}
	}
}

// TestSpellingOfTheModel: for a server that parses only one spelling of its model's events, the finding names an upstream
// rule.
func TestSpellingOfTheModel(t *testing.T) {
	t.Parallel()
	for spelling, alter := range map[string]func(piece []byte) []byte{
		"CRLF": func(piece []byte) []byte { // events are separated at LF LF alone
			return bytes.ReplaceAll(piece, []byte("\r\n\r\n"), []byte("\r\n"))
		},
		"no space": func(piece []byte) []byte { return bytes.ReplaceAll(piece, []byte("data:{"), []byte("note:{")) },
	} {
		t.Run(spelling, func(t *testing.T) {
			m := merlin.Mutant{Name: spelling, Apply: onmerlin.Pieces().Edit(func(piece *[]byte) { *piece = alter(*piece) })}
			h := merlin.Handler(m, refmerlin.Options{ControlToken: "control"})
			defer h.Close()
			cfg := target.Config{URL: certifytest.Serve(t, h), ControlToken: "control", Timing: target.Timing{Deadline: time.Second}}
			found := leading(t, "merlin", cfg, campaign.Standard)
			if len(found) == 0 || !strings.HasPrefix(found[0].ID, "merlin.upstream.") || !strings.Contains(found[0].Findings[0].Message, spelling) {
				for _, q := range found {
					t.Errorf("%s: %d findings, the first: %s; want %s, got %s (%s)\n%s", q.ID, len(q.Findings), q.Findings[0].Message, q.Findings[0].Want, q.Findings[0].Got, q.Findings[0].Step, q.Findings[0].History)
				}
			}
		})
	}
}

// TestMalformedWordsAreJudged: a server that performs a script, and damages the text, isn't treated as one without scripts.
func TestMalformedWordsAreJudged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pack  string
		serve func() restart.Server
	}{
		"text-as-content": {"merlin", func() restart.Server {
			return merlin.Handler(named(merlin.Catalogue(), "text-as-content"), refmerlin.Options{ControlToken: "control"})
		}},
		"trims-deltas": {"aep", func() restart.Server {
			return aep.Handler(named(aep.Catalogue(), "trims-deltas"), refaep.Options{ControlToken: "control"})
		}},
	} {
		h := c.serve()
		cfg := target.Config{URL: certifytest.Serve(t, h), ControlToken: "control", Timing: target.Timing{Deadline: time.Second}}
		if found := leading(t, c.pack, cfg, campaign.Quick); len(found) == 0 {
			t.Errorf("%s: nothing is found", name)
		}
		h.Close()
	}
}

// named returns the mutant of a name.
func named[O any](all []mutants.Mutant[O], name string) mutants.Mutant[O] {
	return all[slices.IndexFunc(all, func(m mutants.Mutant[O]) bool { return m.Name == name })]
}
