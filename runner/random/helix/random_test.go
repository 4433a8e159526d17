package helix_test

import (
	"context"
	"errors"
	"flag"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/streamcert/streamcert/reference"
	random "github.com/streamcert/streamcert/runner/random/helix"
	"github.com/streamcert/streamcert/runner/target"
)

var seed = flag.Int64("seed", 0, "run this seed only")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// seeds are those to run: one that is asked for, as many as STREAMCERT_SOAK says times a hundred, or a few.
func seeds(t *testing.T) (first, n int64) {
	if *seed != 0 {
		return *seed, 1
	}
	if env := os.Getenv("STREAMCERT_SEED"); env != "" {
		s, err := strconv.ParseInt(env, 10, 64)
		if err != nil {
			t.Fatalf("STREAMCERT_SEED must be a number, got %q", env)
		}
		return s, 1
	}
	if times, err := strconv.ParseInt(os.Getenv("STREAMCERT_SOAK"), 10, 64); err == nil {
		return 1, times * 100
	}
	if testing.Short() {
		return 1, 40
	}
	return 1, 200
}

// serve starts a server and returns a target of it, and what ends both.
func serve(t testing.TB, h http.Handler, deadline time.Duration) (*target.Target, func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: h}
	done := make(chan struct{})
	go func() { defer close(done); _ = srv.Serve(l) }()
	tg, err := target.New(target.Config{URL: "http://" + l.Addr().String(), Timing: target.Timing{Deadline: deadline}}, target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tg, func() {
		tg.Close()
		_ = srv.Close()
		<-done
	}
}

// each runs f for numbers from first on, n of them, several at a time, until one returns false.
func each(first, n int64, at int, f func(int64) bool) {
	var mu sync.Mutex
	var all sync.WaitGroup
	next, stopped := first, false
	for range at {
		all.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				over := stopped || i >= first+n
				mu.Unlock()
				if over {
					return
				}
				if !f(i) {
					mu.Lock()
					stopped = true
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
}

func TestRandom(t *testing.T) {
	ref := reference.New(reference.Options{})
	defer ref.Close()
	tg, stop := serve(t, ref, 20*time.Second)
	defer stop()
	first, n := seeds(t)
	each(first, n, 4, func(seed int64) bool {
		f, err := random.Run(context.Background(), tg, random.Options{Seed: seed, Streams: 1 + int(seed%2)})
		if err != nil {
			t.Error(err)
		}
		if f != nil {
			t.Errorf("again with STREAMCERT_SEED=%d\n%v", seed, f)
		}
		return f == nil && err == nil
	})
}

// TestRunSaysWhatTheServerLacks: a target without the control binding is no failure of the server.
func TestRunSaysWhatTheServerLacks(t *testing.T) {
	tg, stop := serve(t, http.NotFoundHandler(), time.Second)
	defer stop()
	f, err := random.Run(context.Background(), tg, random.Options{Seed: 1})
	var missing *target.UnavailableError
	if f != nil || !errors.As(err, &missing) {
		t.Errorf("got %v, %v", f, err)
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	ref := reference.New(reference.Options{})
	defer ref.Close()
	tg, stop := serve(t, ref, time.Second)
	defer stop()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if f, err := random.Run(ctx, tg, random.Options{Seed: 1}); f != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", f, err)
	}
}
