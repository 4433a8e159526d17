package merlin_test

import (
	"context"
	"errors"
	"flag"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	reference "github.com/streamcert/streamcert/reference/merlin"
	mutant "github.com/streamcert/streamcert/reference/mutant/merlin"
	variant "github.com/streamcert/streamcert/reference/variant/merlin"
	"github.com/streamcert/streamcert/runner/campaign/campaigntest"
	campaign "github.com/streamcert/streamcert/runner/campaign/merlin"
	"github.com/streamcert/streamcert/runner/judge"
	judged "github.com/streamcert/streamcert/runner/judge/merlin"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/transcript"
)

var (
	firstSeed = flag.Int64("seed", 1, "the first seed")
	seeds     = flag.Int64("seeds", 1, "how many seeds")
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve starts a server and returns a target for it, and a function that ends both.
func serve(t testing.TB, h http.Handler, deadline time.Duration) (*target.Target, func()) {
	t.Helper()
	return campaigntest.Serve(t, h, target.Config{ControlToken: "control", Timing: target.Timing{Deadline: deadline}})
}

// options passes every response to the judge.
func options(t testing.TB) campaign.Options {
	t.Helper()
	return campaign.Options{Judge: campaigntest.Judge(t, "merlin", judge.Judge{Machine: judged.New, Answer: judged.JudgeAnswer})}
}

// found plays the programs of standard effort with a seed, until one finds a violation; nil if none does. advice is the
// first deviation from a recommendation.
func found(t *testing.T, tg *target.Target, seed int64) (failure, advice *campaign.Failure) {
	t.Helper()
	for _, about := range campaign.Subjects() {
		for n := range campaign.Programs(about) {
			for version := 1; version <= 2; version++ {
				result, err := campaign.Play(context.Background(), tg, campaign.Draw(seed, n, about, version, tg), options(t))
				if err != nil {
					t.Fatal(err)
				}
				if advice == nil {
					advice = result.Advice
				}
				if result.Failure != nil {
					return result.Failure, advice
				}
			}
		}
	}
	return nil, advice
}

// TestReferenceIsNotAccused plays all that standard effort plays.
func TestReferenceIsNotAccused(t *testing.T) {
	ref := reference.New(reference.Options{ControlToken: "control"})
	defer ref.Close()
	tg, stop := serve(t, ref, 20*time.Second)
	defer stop()
	for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
		f, advice := found(t, tg, seed)
		if f == nil {
			f = advice
		}
		if f != nil {
			t.Errorf("seed %d: %s: %v\n%v\n%.3000s", seed, f.Requirement, f, f.Program, transcript.Render(f.Exchange, -1))
			return
		}
	}
}

// TestVariantsAreNotAccused plays a seed with every fourth variant, and with all if several seeds are requested.
func TestVariantsAreNotAccused(t *testing.T) {
	if testing.Short() {
		t.Skip("many servers")
	}
	for i, v := range variant.Catalogue() {
		if *seeds == 1 && *firstSeed == 1 && (v.Slow || i%16 != 0) {
			continue
		}
		h := variant.Handler(v, reference.Options{ControlToken: "control"})
		tg, stop := serve(t, h, 20*time.Second)
		for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
			if f, _ := found(t, tg, seed); f != nil {
				t.Errorf("%s: seed %d: %s: %v\n%v\n%.2000s", v.Name, seed, f.Requirement, f, f.Program, transcript.Render(f.Exchange, -1))
			}
		}
		stop()
		h.Close()
	}
}

// TestMutantsAreFound plays some of the campaignOnly mutants, for one seed; streamcert-lab mutants --deep plays all, for
// any number of seeds.
func TestMutantsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("a server for each mutant")
	}
	for i, m := range mutant.CampaignOnly() {
		if *seeds == 1 && i%8 != 0 {
			continue
		}
		h := mutant.Handler(m, reference.Options{ControlToken: "control"})
		tg, stop := serve(t, h, 1500*time.Millisecond)
		for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
			f, advice := found(t, tg, seed)
			for next := seed + 1; f == nil && advice == nil && *seeds == 1 && next < seed+3; next++ { // when a server notices that a reader left is a matter of time
				f, advice = found(t, tg, next)
			}
			if f == nil {
				f = advice
			}
			switch {
			case f == nil:
				t.Errorf("%s isn't found with seed %d", m.Name, seed)
			case f.Requirement != m.Requirement:
				t.Logf("%s breaks %s, and seed %d finds %s: %v", m.Name, m.Requirement, seed, f.Requirement, f)
			}
		}
		stop()
		h.Close()
	}
}

// everything is a server that claims every capability.
type everything struct{}

func (everything) Claims(string) bool    { return true }
func (everything) Scripts() bool         { return true }
func (everything) Limits() target.Limits { return target.Limits{} }

// TestParse: a program is read as it is written.
func TestParse(t *testing.T) {
	for _, about := range campaign.Subjects() {
		for n := range 40 {
			p := campaign.Draw(7, n, about, 1+n%2, everything{})
			again, err := campaign.Parse(p.String())
			if err != nil || again.String() != p.String() {
				t.Errorf("%v:\n%v\nis read as\n%v", err, p, again)
			}
		}
	}
	head := "a stream of version 1\n"
	for _, bad := range []string{
		"", "3 texts of plain data of 1 bytes", "a stream of version 3", "a stream of version 2", `a stream of version 1 that begins with {"odd":1}`,
		head + "texts", head + "3 songs", head + "3 texts", head + "3 noises of plain data of 1 bytes", head + "3 texts of odd data of 1 bytes",
		head + "9999 texts of plain data of 1 bytes", head + "2000 texts of plain data of 1000000 bytes", head + "1 handoffs",
		head + "1 aborts\n1 usages", head + "1 stops\n1 usages",
	} {
		if p, err := campaign.Parse(bad); err == nil {
			t.Errorf("%q is read as %v", bad, p)
		}
	}
}

// TestShrunk: a shrunk failure is small.
func TestShrunk(t *testing.T) {
	p, err := campaign.Parse("a stream of version 1\n7 texts of plain data of 9 bytes\n9 thoughts of astral data of 300 bytes\n2 usages")
	if err != nil {
		t.Fatal(err)
	}
	f := &campaign.Failure{Program: p}
	got := campaign.Shrunk(f, 200, func(shorter campaign.Program) *campaign.Failure {
		if !strings.Contains(shorter.String(), "usages") {
			return nil
		}
		return &campaign.Failure{Program: shorter}
	})
	if want := "a stream of version 1\n1 usages"; got.Program.String() != want {
		t.Errorf("got %v, want %s", got.Program, want)
	}
}

// TestPlayReportsWhatTheServerLacks: a target that knows no script is no failure of the server.
func TestPlayReportsWhatTheServerLacks(t *testing.T) {
	tg, stop := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotImplemented) }), time.Second)
	defer stop()
	result, err := campaign.Play(context.Background(), tg, campaign.Draw(1, 0, "short streams", 1, tg), options(t))
	var missing *target.UnavailableError
	if result.Failure != nil || !errors.As(err, &missing) {
		t.Errorf("got %v, %v", result.Failure, err)
	}
}

func TestPlayEndsWithItsContext(t *testing.T) {
	ref := reference.New(reference.Options{ControlToken: "control"})
	defer ref.Close()
	tg, stop := serve(t, ref, time.Second)
	defer stop()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	result, err := campaign.Play(ctx, tg, campaign.Draw(1, 0, "short streams", 1, tg), options(t))
	if result.Failure != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", result.Failure, err)
	}
}
