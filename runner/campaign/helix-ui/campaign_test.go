package helixui_test

import (
	"context"
	"errors"
	"flag"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	reference "github.com/streamcert/streamcert/reference/helix-ui"
	mutant "github.com/streamcert/streamcert/reference/mutant/helix-ui"
	variant "github.com/streamcert/streamcert/reference/variant/helix-ui"
	"github.com/streamcert/streamcert/runner/campaign/campaigntest"
	campaign "github.com/streamcert/streamcert/runner/campaign/helix-ui"
	"github.com/streamcert/streamcert/runner/judge"
	judged "github.com/streamcert/streamcert/runner/judge/helix-ui"
	model "github.com/streamcert/streamcert/runner/model/helix-ui"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/transcript"
)

var (
	firstSeed = flag.Int64("seed", 1, "the first seed")
	seeds     = flag.Int64("seeds", 1, "how many seeds")
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve starts a server and returns a target for it, and a function that ends both.
func serve(t testing.TB, h http.Handler, deadline time.Duration, without ...string) (*target.Target, func()) {
	t.Helper()
	return campaigntest.Serve(t, h, target.Config{ControlToken: "control", Headers: map[string]string{"Authorization": "Bearer credential"}, Without: without, Timing: target.Timing{Deadline: deadline}})
}

// options passes every response to the judge.
func options(t testing.TB) campaign.Options {
	t.Helper()
	return campaign.Options{Judge: campaigntest.Judge(t, "helix-ui", judge.Judge{Machine: judged.New, Answer: judged.JudgeAnswer})}
}

// found plays the programs of standard effort with a seed, until one finds a violation; nil if none does. occasions counts
// the checks.
func found(t *testing.T, tg *target.Target, seed int64, occasions model.OccasionCounts) *campaign.Failure {
	t.Helper()
	for _, about := range campaign.Subjects() {
		for n := range campaign.Programs(about) {
			program := campaign.Draw(seed, n, about, campaign.Offers(tg))
			result, err := campaign.Play(context.Background(), tg, program, options(t))
			if err != nil {
				t.Fatalf("%v\n%v", err, program)
			}
			if result.Failure != nil {
				return result.Failure
			}
			for id, n := range result.Occasions {
				occasions[id] += n
			}
		}
	}
	return nil
}

// TestReferenceIsNotAccused plays all programs of standard effort, and checks every requirement of the model.
func TestReferenceIsNotAccused(t *testing.T) {
	ref := reference.New(reference.Options{ControlToken: "control", Token: "credential"})
	defer ref.Close()
	tg, stop := serve(t, ref, 20*time.Second)
	defer stop()
	for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
		occasions := model.OccasionCounts{}
		if f := found(t, tg, seed, occasions); f != nil {
			t.Errorf("seed %d: %s: %v\n%v\n%.3000s", seed, f.Requirement, f, f.Program, transcript.Render(f.Exchange, -1))
			return
		}
		for _, id := range model.Covered() {
			if occasions[id] == 0 {
				t.Errorf("seed %d: there was no occasion of %s", seed, id)
			}
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
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			h := variant.Handler(v, reference.Options{ControlToken: "control", Token: "credential"})
			defer h.Close()
			tg, stop := serve(t, h, 20*time.Second, v.Without...)
			defer stop()
			for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
				if f := found(t, tg, seed, model.OccasionCounts{}); f != nil {
					t.Errorf("seed %d: %s: %v\n%v\n%.2000s", seed, f.Requirement, f, f.Program, transcript.Render(f.Exchange, -1))
				}
			}
		})
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
		h := mutant.Handler(m, reference.Options{ControlToken: "control", Token: "credential"})
		tg, stop := serve(t, h, 1500*time.Millisecond)
		for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
			f := found(t, tg, seed, model.OccasionCounts{})
			for next := seed + 1; f == nil && *seeds == 1 && next < seed+3; next++ { // when a server notices that a reader left is a matter of time
				f = found(t, tg, next, model.OccasionCounts{})
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

// TestParse: a program is read as it is written.
func TestParse(t *testing.T) {
	for _, about := range campaign.Subjects() {
		for n := range 40 {
			p := campaign.Draw(7, n, about, func(string) bool { return true })
			again, err := campaign.Parse(p.String())
			if err != nil || again.String() != p.String() {
				t.Errorf("%v:\n%v\nis read as\n%v", err, p, again)
			}
		}
	}
	head := "a turn of chat 1\n"
	for _, bad := range []string{
		"", "3 texts of plain data of 1 bytes", "a turn of chat 0", "beside it a turn of chat 1", head + "beside it a turn of chat 1", head + "texts",
		head + "3 songs", head + "3 texts", head + "3 barriers of plain data of 1 bytes", head + "3 texts of odd data of 1 bytes", head + "0 barriers",
		head + "9999 texts of plain data of 1 bytes", head + "2000 texts of plain data of 1000000 bytes", head + "1 failures\n1 pauses", head + "1 sweeps\n1 sweeps",
	} {
		if p, err := campaign.Parse(bad); err == nil {
			t.Errorf("%q is read as %v", bad, p)
		}
	}
}

// TestShrunk: a shrunk failure is small.
func TestShrunk(t *testing.T) {
	p, err := campaign.Parse("a turn of chat 1\n7 texts of plain data of 9 bytes\nbeside it a turn of chat 2\n9 thoughts of astral data of 300 bytes\n2 pauses\na turn of chat 2\n1 barriers")
	if err != nil {
		t.Fatal(err)
	}
	got := campaign.Shrunk(&campaign.Failure{Program: p}, 200, func(shorter campaign.Program) *campaign.Failure {
		if !strings.Contains(shorter.String(), "pauses") {
			return nil
		}
		return &campaign.Failure{Program: shorter}
	})
	if want := "a turn of chat 2\n1 pauses"; !strings.HasSuffix(got.Program.String(), "1 pauses") || len(got.Program.String()) != len(want) {
		t.Errorf("got %v, want %s", got.Program, want)
	}
}

// TestPlayReportsWhatTheServerLacks: a target that knows no script is no failure of the server.
func TestPlayReportsWhatTheServerLacks(t *testing.T) {
	tg, stop := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotImplemented) }), time.Second)
	defer stop()
	result, err := campaign.Play(context.Background(), tg, campaign.Draw(1, 0, "short turns", campaign.Offers(tg)), options(t))
	var missing *target.UnavailableError
	if result.Failure != nil || !errors.As(err, &missing) {
		t.Errorf("got %v, %v", result.Failure, err)
	}
}

func TestPlayEndsWithItsContext(t *testing.T) {
	ref := reference.New(reference.Options{ControlToken: "control", Token: "credential"})
	defer ref.Close()
	tg, stop := serve(t, ref, time.Second)
	defer stop()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	result, err := campaign.Play(ctx, tg, campaign.Draw(1, 0, "short turns", campaign.Offers(tg)), options(t))
	if result.Failure != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", result.Failure, err)
	}
}

// TestSpelledIn: the events of a model are written as usual except for the requested spellings.
func TestSpelledIn(t *testing.T) {
	p, err := campaign.Parse("a turn of chat 1\n9 spellings")
	if err != nil {
		t.Fatal(err)
	}
	all := p.Spellings()
	if got := p.SpelledIn(all[2]).Spellings(); len(all) < 4 || len(got) != 1 || got[0] != all[2] {
		t.Errorf("of %q stays %q", all, got)
	}
	if got := p.SpelledIn().Spellings(); len(got) > 0 {
		t.Errorf("there stays %q", got)
	}
}

// TestResemblingChatsAreNamed: a finding in two chats names the characters in which their names differ.
func TestResemblingChatsAreNamed(t *testing.T) {
	all := mutant.CampaignOnly()
	m := all[slices.IndexFunc(all, func(m mutant.Mutant) bool { return m.Name == "chat-names-are-trimmed" })]
	h := mutant.Handler(m, reference.Options{ControlToken: "control", Token: "credential"})
	defer h.Close()
	tg, stop := serve(t, h, 1500*time.Millisecond)
	defer stop()
	program, err := campaign.Parse("a turn of chat 17\na turn of chat 19")
	if err != nil {
		t.Fatal(err)
	}
	result, err := campaign.Play(t.Context(), tg, program, options(t))
	if err != nil || result.Failure == nil {
		t.Fatalf("%+v, %v", result, err)
	}
	if got, want := result.Failure.Message, `names differ in their ends, "-x" and "-x "`; !strings.HasSuffix(got, want) {
		t.Errorf("%s, want %s at its end", got, want)
	}
}
