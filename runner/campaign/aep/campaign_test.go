package aep_test

import (
	"context"
	"errors"
	"flag"
	"net"
	"net/http"
	"testing"
	"time"

	"go.uber.org/goleak"

	reference "github.com/streamcert/streamcert/reference/aep"
	campaign "github.com/streamcert/streamcert/runner/campaign/aep"
	"github.com/streamcert/streamcert/runner/judge"
	judged "github.com/streamcert/streamcert/runner/judge/aep"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	targetaep "github.com/streamcert/streamcert/runner/target/aep"
	"github.com/streamcert/streamcert/schemas"
)

var (
	firstSeed = flag.Int64("seed", 1, "the first seed")
	seeds     = flag.Int64("seeds", 1, "how many seeds")
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// users are a server's, and what a config says of them.
func users() (reference.Options, targetaep.Config) {
	return reference.Options{Principals: map[string]string{"token-of-one": "one", "token-of-two": "two"}, Heartbeat: -1, MaxBody: 64 << 20},
		targetaep.Config{Other: map[string]string{"Authorization": "Bearer token-of-two"}}
}

// serve starts a server and returns a target of it, and what ends both.
func serve(t testing.TB, h http.Handler, section targetaep.Config, deadline time.Duration) (*target.Target, func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: h, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	done := make(chan struct{})
	go func() { defer close(done); _ = srv.Serve(l) }()
	tg, err := target.New(target.Config{
		URL: "http://" + l.Addr().String(), Timing: target.Timing{Deadline: deadline}, Sections: []any{section},
		Headers: map[string]string{"Authorization": "Bearer token-of-one"},
	}, target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tg, func() {
		tg.Close()
		_ = srv.Close()
		<-done
	}
}

// options have the judge look at every response.
func options(t testing.TB) campaign.Options {
	t.Helper()
	set, err := schemas.Load(schemas.FS, "aep")
	if err != nil {
		t.Fatal(err)
	}
	return campaign.Options{Judge: func(e *record.Exchange) ([]record.Finding, map[string]int) {
		return judge.Exchange(judge.Judge{Machine: judged.New, Answer: judged.JudgeAnswer}, judge.Options{Schemas: set}, e)
	}}
}

// TestReferenceIsNotAccused plays a program of every subject against the reference, and all programs where more seeds than
// one are asked for.
func TestReferenceIsNotAccused(t *testing.T) {
	base, section := users()
	ref := reference.New(base)
	defer ref.Close()
	tg, stop := serve(t, ref, section, 20*time.Second)
	defer stop()
	how := options(t)
	for _, about := range campaign.Subjects() {
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
					t.Errorf("seed %d, program %d: %s: %v\n%v\n%.3000s", seed, n, f.Requirement, f, f.Program, f.Exchange.Render(-1))
					return
				}
				operations += result.Operations
				for _, n := range result.Ledger {
					occasions += n
				}
			}
		}
		t.Logf("%s: %d operations in %v, %d occasions", about, operations, time.Since(began), occasions)
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

// TestPlaySaysWhatTheServerLacks: a target whose agent knows no script is no failure of the server.
func TestPlaySaysWhatTheServerLacks(t *testing.T) {
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
