package aep_test

import (
	"context"
	"errors"
	"flag"
	"net/http"
	"path"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	reference "github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/restart"
	"github.com/streamcert/streamcert/reference/store"
	campaign "github.com/streamcert/streamcert/runner/campaign/aep"
	"github.com/streamcert/streamcert/runner/campaign/campaigntest"
	"github.com/streamcert/streamcert/runner/judge"
	judged "github.com/streamcert/streamcert/runner/judge/aep"
	"github.com/streamcert/streamcert/runner/target"
	targetaep "github.com/streamcert/streamcert/runner/target/aep"
	"github.com/streamcert/streamcert/runner/target/transcript"
)

var (
	firstSeed = flag.Int64("seed", 1, "the first seed")
	seeds     = flag.Int64("seeds", 1, "how many seeds")
	about     = flag.String("about", "*", "the subjects to play, a glob")
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// users returns the credentials of a server's users, which the config contains.
func users() (reference.Options, targetaep.Config) {
	return reference.Options{Principals: map[string]string{"token-of-one": "one", "token-of-two": "two"}, Heartbeat: -1, MaxBody: 64 << 20},
		targetaep.Config{Other: map[string]string{"Authorization": "Bearer token-of-two"}}
}

// configured returns the target of a server with users.
func configured(section targetaep.Config, deadline time.Duration) target.Config {
	return target.Config{
		Timing: target.Timing{Deadline: deadline}, Sections: []any{section},
		Headers: map[string]string{"Authorization": "Bearer token-of-one"},
	}
}

// serve starts a server and returns a target for it, and a function that ends both.
func serve(t testing.TB, h http.Handler, section targetaep.Config, deadline time.Duration) (*target.Target, func()) {
	t.Helper()
	return campaigntest.Serve(t, h, configured(section, deadline))
}

// serveRestarts is serve for a server that is killed and started again over one disk.
func serveRestarts(t testing.TB, begin func(reference.Options) restart.Server, base reference.Options, section targetaep.Config, deadline time.Duration) (*target.Target, func()) {
	t.Helper()
	return campaigntest.ServeLives(t, restart.New(func(s store.Store) restart.Server {
		o := base
		o.Threads, o.Actions = reference.StoredThreads{Records: s}, reference.NewStoredActions(s)
		return begin(o)
	}), configured(section, deadline))
}

// selectedSubjects returns the subjects that the flag names.
func selectedSubjects() []string {
	return slices.DeleteFunc(campaign.Subjects(), func(name string) bool {
		ok, err := path.Match(*about, name)
		return err != nil || !ok
	})
}

// options passes every response to the judge.
func options(t testing.TB) campaign.Options {
	t.Helper()
	return campaign.Options{Judge: campaigntest.Judge(t, "aep", judge.Judge{Machine: judged.New, Answer: judged.JudgeAnswer})}
}

// TestReferenceIsNotAccused plays a program of every subject against the reference, and all programs if several seeds are
// requested.
func TestReferenceIsNotAccused(t *testing.T) {
	base, section := users()
	tg, stop := serveRestarts(t, func(o reference.Options) restart.Server { return reference.New(o) }, base, section, 20*time.Second)
	defer stop()
	how := options(t)
	for _, about := range selectedSubjects() {
		began, operations, occasions := time.Now(), 0, 0
		for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
			for n := range campaign.Programs(about) {
				if *seeds == 1 && n > 0 {
					continue
				}
				result, err := campaign.Play(context.Background(), tg, campaign.Draw(seed, n, about, tg.Claims), how)
				if err != nil {
					t.Fatal(err)
				}
				if f := result.Failure; f != nil {
					t.Errorf("seed %d, program %d: %s: %v\n%v\n%.3000s", seed, n, f.Requirement, f, f.Program, transcript.Render(f.Exchange, -1))
					return
				}
				operations += result.Operations
				for _, n := range result.Occasions {
					occasions += n
				}
			}
		}
		t.Logf("%s: %d operations in %v, %d occasions", about, operations, time.Since(began), occasions)
	}
}

// TestRightServersAreNotAccused: programs for which a right server was accused once.
func TestRightServersAreNotAccused(t *testing.T) {
	base, section := users()
	tg, stop := serveRestarts(t, func(o reference.Options) restart.Server { return reference.New(o) }, base, section, 20*time.Second)
	defer stop()
	for name, history := range map[string]string{
		"a kill comes before the request that begins a thread": `1 thread
a request is made and the server is killed
a request of 1 message with sample 79: thinks 2 words, says 2 words
the first request is made again without its thread`,
	} {
		t.Run(name, func(t *testing.T) {
			program, err := campaign.Parse(history)
			if err != nil {
				t.Fatal(err)
			}
			result, err := campaign.Play(context.Background(), tg, program, options(t))
			if err != nil {
				t.Fatal(err)
			}
			if f := result.Failure; f != nil {
				t.Errorf("%s: %v\n%.3000s", f.Requirement, f, transcript.Render(f.Exchange, -1))
			}
		})
	}
}

// TestParse: a program is read as it is written.
func TestParse(t *testing.T) {
	for _, about := range campaign.Subjects() {
		for n := range 20 {
			p := campaign.Draw(7, n, about, func(string) bool { return true })
			again, err := campaign.Parse(p.String())
			if err != nil || again.String() != p.String() {
				t.Errorf("%v:\n%v\nis read as\n%v", err, p, again)
			}
		}
	}
	for _, bad := range []string{"", "2 threads\nnothing", "9 threads", "1 thread\non thread 2, the agent goes on",
		"1 thread\na request of 0 messages with plain data of 1 bytes:", "1 thread\na request of 1 message with odd data of 1 bytes:",
		"1 thread\na request of 1 message with plain data of 1 bytes: sings", "1 thread\na request of 1 message with plain data of 1 bytes: repeats history, says 2 words",
		"1 thread\na request of 1 message with plain data of 1 bytes: asks plain data of 1 bytes, fails with agent_error"} {
		if p, err := campaign.Parse(bad); err == nil {
			t.Errorf("%q is read as %v", bad, p)
		}
	}
}

// TestSpelledIn: the events of a model are written as usual but for the requested ways.
func TestSpelledIn(t *testing.T) {
	p, err := campaign.Parse("1 thread\na request of 1 message with plain data of 1 bytes, of a model that writes comments: says 2 words\n" +
		"a request of 1 message with plain data of 1 bytes, read late, over gzip, of a model that writes lines that end in CR: says 2 words")
	if err != nil {
		t.Fatal(err)
	}
	if got := p.SpelledIn("comments").Spellings(); len(p.Spellings()) != 2 || len(got) != 1 || got[0] != "comments" {
		t.Errorf("of %q stays %q", p.Spellings(), got)
	}
	if got := p.SpelledIn().Spellings(); len(got) > 0 {
		t.Errorf("there stays %q", got)
	}
}

// TestPlayReportsWhatTheServerLacks: a target whose agent knows no script is no failure of the server.
func TestPlayReportsWhatTheServerLacks(t *testing.T) {
	_, section := users()
	tg, stop := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotImplemented) }), section, time.Second)
	defer stop()
	result, err := campaign.Play(context.Background(), tg, campaign.Draw(1, 0, "a conversation", tg.Claims), options(t))
	var missing *target.UnavailableError
	if result.Failure != nil || !errors.As(err, &missing) {
		t.Errorf("got %v, %v", result.Failure, err)
	}
}

func TestPlayEndsWithItsContext(t *testing.T) {
	base, section := users()
	ref := reference.New(base)
	defer ref.Close()
	tg, stop := serve(t, ref, section, time.Second)
	defer stop()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	result, err := campaign.Play(ctx, tg, campaign.Draw(1, 0, "a conversation", tg.Claims), options(t))
	if result.Failure != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", result.Failure, err)
	}
}
