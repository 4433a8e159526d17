package helix_test

import (
	"context"
	"errors"
	"flag"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/restart"
	"github.com/streamcert/streamcert/reference/store"
	campaigns "github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/campaigntest"
	"github.com/streamcert/streamcert/runner/campaign/helix/draw"
	"github.com/streamcert/streamcert/runner/campaign/helix/play"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/transcript"
)

var (
	firstSeed = flag.Int64("seed", 1, "the first seed")
	seeds     = flag.Int64("seeds", 1, "how many seeds")
	about     = flag.String("about", "*", "the subjects to play, a glob")
)

// requested returns the subjects that the flag names.
func requested() []string {
	return slices.DeleteFunc(draw.Subjects(), func(name string) bool {
		ok, err := path.Match(*about, name)
		return err != nil || !ok
	})
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve starts a server and returns a target of it, and a function that stops both.
func serve(t testing.TB, h http.Handler, deadline time.Duration) (*target.Target, func()) {
	t.Helper()
	return campaigntest.Serve(t, h, target.Config{Timing: target.Timing{Deadline: deadline}})
}

// serveRestarts is serve for a server that is killed and started again over one disk.
func serveRestarts(t testing.TB, begin func(store.Store) restart.Server, cfg target.Config) (*target.Target, func()) {
	t.Helper()
	return campaigntest.ServeLives(t, restart.New(begin), cfg)
}

// TestReferenceIsNotAccused plays every subject against the reference, with one seed only every third program.
func TestReferenceIsNotAccused(t *testing.T) {
	validate, err := reference.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	tg, stop := serveRestarts(t, func(streams store.Store) restart.Server {
		return reference.New(reference.Options{Validate: validate, Store: streams})
	}, target.Config{Timing: target.Timing{Deadline: 20 * time.Second}})
	defer stop()
	every := 3
	if testing.Short() { // the race detector takes ten times as long
		every = 9
	}
	for _, about := range requested() {
		began, operations, occasions := time.Now(), 0, 0
		for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
			for n := range draw.Programs(about) {
				if *seeds == 1 && n%every != 0 { // make certify plays them all
					continue
				}
				result, err := play.Play(context.Background(), tg, draw.Draw(seed, n, about, tg.Claims), play.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if f := result.Failure; f != nil {
					t.Errorf("seed %d, program %d: %s: %v\n%v\n%s", seed, n, f.Requirement, f, f.Program, transcript.Render(f.Exchange, -1))
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

// TestParse: a parsed program writes the same text.
func TestParse(t *testing.T) {
	for _, about := range draw.Subjects() {
		for n := range 20 {
			p := draw.Draw(7, n, about, func(string) bool { return true })
			again, err := program.Parse(p.String())
			if err != nil || again.String() != p.String() {
				t.Errorf("%v:\n%v\nis read as\n%v", err, p, again)
			}
		}
	}
	for _, bad := range []string{"", "2 streams\nnothing", "9 streams", "1 stream\non stream 2, a reset", "1 stream\nwriter 0 writes 1 chunk of no step, plain data of 1 bytes",
		"1 stream with odd ids", "1 stream\nit ends with odd data", "1 stream\nreader 99 attaches"} {
		if p, err := program.Parse(bad); err == nil {
			t.Errorf("%q is read as %v", bad, p)
		}
	}
}

// TestPlaySaysWhatTheServerLacks: a target without the control binding isn't a failure of the server.
func TestPlaySaysWhatTheServerLacks(t *testing.T) {
	tg, stop := serve(t, http.NotFoundHandler(), time.Second)
	defer stop()
	result, err := play.Play(context.Background(), tg, draw.Draw(1, 0, "a stream", tg.Claims), play.Options{})
	var missing *target.UnavailableError
	if result.Failure != nil || !errors.As(err, &missing) {
		t.Errorf("got %v, %v", result.Failure, err)
	}
}

// TestPlayNamesRefusedCalls: the error names the refused control call that ends a program. A server that doesn't
// support a kind of script refuses it with another status, which isn't an error.
func TestPlayNamesRefusedCalls(t *testing.T) {
	validate, err := reference.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method, pattern string
		after           int32 // how many calls are answered before
		status          int
		says            string
	}{
		{"POST", "/control/runs", 0, http.StatusConflict, "a run was started on the stream"},
		{"POST", "/control/runs", 0, http.StatusUnprocessableEntity, ""},
		{"GET", "/control/runs/*", 0, http.StatusBadRequest, "the state of the run"},
		{"GET", "/control/runs/*", 0, http.StatusNotFound, ""},
		{"GET", "/control/runs/*", 3, http.StatusNotFound, "the state of the run"},
	} {
		var calls atomic.Int32
		ref := reference.New(reference.Options{Validate: validate})
		tg, stop := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if ok, err := path.Match(c.pattern, r.URL.Path); err == nil && ok && r.Method == c.method && calls.Add(1) > c.after {
				w.WriteHeader(c.status)
				return
			}
			ref.ServeHTTP(w, r)
		}), time.Second)
		result, err := play.Play(context.Background(), tg, draw.Draw(1, 1, "a run", tg.Claims), play.Options{})
		var unable *campaigns.UnableError
		says := ""
		if errors.As(err, &unable) {
			says = unable.Error()
		}
		if result.Failure != nil || (says == "") != (c.says == "") || !strings.Contains(says, c.says) {
			t.Errorf("%+v: got %v, %v", c, result.Failure, err)
		}
		stop()
		ref.Close()
	}
}

func TestPlayEndsWithItsContext(t *testing.T) {
	ref := reference.New(reference.Options{})
	defer ref.Close()
	tg, stop := serve(t, ref, time.Second)
	defer stop()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	result, err := play.Play(ctx, tg, draw.Draw(1, 0, "a stream", tg.Claims), play.Options{})
	if result.Failure != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", result.Failure, err)
	}
}

// TestPlayPassesOverWhatTheServerLacks: a server without cleanups passes.
func TestPlayPassesOverWhatTheServerLacks(t *testing.T) {
	ref := reference.New(reference.Options{})
	defer ref.Close()
	tg, stop := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/cleanup") || strings.HasSuffix(r.URL.Path, "/reset") {
			http.NotFound(w, r)
			return
		}
		ref.ServeHTTP(w, r)
	}), 5*time.Second)
	defer stop()
	for n := range 4 {
		result, err := play.Play(context.Background(), tg, draw.Draw(1, n, "a stream that begins again and again", tg.Claims), play.Options{})
		if result.Failure != nil || err != nil {
			t.Errorf("got %v, %v", result.Failure, err)
		}
	}
}

// TestAnswersBeyondCapacity: a correct server passes if its answers exceed the memory of a scenario.
func TestAnswersBeyondCapacity(t *testing.T) {
	ref := reference.New(reference.Options{})
	defer ref.Close()
	tg, stop := campaigntest.Serve(t, ref, target.Config{Timing: target.Timing{Deadline: 20 * time.Second}, Limits: target.Limits{Scenario: 64 << 10}})
	defer stop()
	p, err := program.Parse("1 stream\nreader 1 attaches\nwriter 1 writes 9 chunks of no step, plain data of 16384 bytes\nreader 1 receives what is due")
	if err != nil {
		t.Fatal(err)
	}
	result, err := play.Play(context.Background(), tg, p, play.Options{})
	if result.Failure != nil || err != nil {
		t.Errorf("got %v, %v", result.Failure, err)
	}
}

// TestWithheldRunsAreFound: a server that counts the chunks of a run and sends none of them fails at the first
// inspection, without a wait at each.
func TestWithheldRunsAreFound(t *testing.T) {
	ref := reference.New(reference.Options{})
	defer ref.Close()
	tg, stop := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/events") {
			ref.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Cache-Control", "no-cache")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}), time.Second)
	defer stop()
	for _, text := range []string{
		"1 stream of runs\na run of [[{\"text\":\"One. \"},{\"await\":\"b\"},{\"text\":\"Two.\"}]]\nbarrier 1 is released",
		"1 stream of runs\na run of [[{\"tool\":{\"name\":\"pay\",\"arguments\":{},\"approval\":true}}]]\ncall 1 is approved",
	} {
		p, err := program.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		result, err := play.Play(context.Background(), tg, p, play.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if f := result.Failure; f == nil || f.Requirement != "helix.lifecycle.late-reader" {
			t.Errorf("%v after %v: expected a late reader that got nothing\n%s", f, time.Since(began), text)
		}
	}
}
