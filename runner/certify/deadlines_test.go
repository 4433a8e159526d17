package certify_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

const patientPrefix = "patient"

// withheld is a response whose head, or whose body, doesn't leave before the handler returns.
type withheld struct {
	http.ResponseWriter
	head   bool // the head leaves at once
	body   []byte
	status int
}

func (w *withheld) WriteHeader(status int) {
	if w.status != 0 {
		return
	}
	if w.status = status; w.head {
		w.ResponseWriter.WriteHeader(status)
		_ = http.NewResponseController(w.ResponseWriter).Flush()
	}
}

func (w *withheld) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	w.body = append(w.body, p...)
	return len(p), nil
}

// Flush does nothing: that is the fault.
func (w *withheld) Flush() {}

func (w *withheld) release() {
	w.WriteHeader(http.StatusOK)
	if !w.head {
		w.ResponseWriter.WriteHeader(w.status)
	}
	_, _ = w.ResponseWriter.Write(w.body)
}

// isRead reports whether the answer to a request is a stream.
func isRead(r *http.Request) bool {
	return strings.HasSuffix(r.URL.Path, "/events") || strings.HasSuffix(r.URL.Path, "/stream")
}

// spared reports whether a request is one of the preflight.
func spared(r *http.Request) bool { return strings.Contains(r.URL.Path, "/"+patientPrefix+"-1/") }

// certified runs a pack against a handler, with the default deadlines.
func certified(t *testing.T, name string, h http.Handler, only ...string) (*report.Report, time.Duration) {
	t.Helper()
	return certifiedWithin(t, name, h, 0, only...)
}

// certifiedWithin is certified with a deadline, 0 for the default.
func certifiedWithin(t *testing.T, name string, h http.Handler, deadline time.Duration, only ...string) (*report.Report, time.Duration) {
	t.Helper()
	url, stop, err := certifytest.Listen(h, func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	cfg := certifytest.Config(url)
	cfg.Timing.Deadline = deadline
	tg, err := target.New(cfg, target.Options{Prefix: patientPrefix})
	if err != nil {
		t.Fatal(err)
	}
	defer tg.Close()
	began := time.Now()
	res, err := certify.Run(context.Background(), certifytest.Load(t, name), certify.Options{Target: tg, Seed: 1, Only: only})
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	t.Logf("%v, %d scenarios, %+v", took.Round(100*time.Millisecond), len(res.Report.Scenarios), res.Report.Summary)
	return res.Report, took
}

// TestRunsThatNothingAnswersEndSoon: a server that never streams, or only at the end, has its verdict soon, and the
// right one.
func TestRunsThatNothingAnswersEndSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("servers that keep the run waiting")
	}
	never := func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // else the server doesn't notice that the client hangs up
		<-r.Context().Done()
	}
	onlyHead := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Cache-Control", "no-cache")
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
	comments := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Cache-Control", "no-cache")
		for r.Context().Err() == nil {
			_, _ = w.Write([]byte(":\n\n"))
			_ = http.NewResponseController(w).Flush()
			time.Sleep(100 * time.Millisecond)
		}
	}
	// The real deadlines take half a minute.
	soaks, deadline, only := os.Getenv("STREAMCERT_SOAK") != "", time.Second/2, []string{"status.*", "lifecycle.*"}
	if soaks {
		deadline, only = 0, nil
	}
	for _, c := range []struct {
		name   string
		answer func(reference http.Handler, w http.ResponseWriter, r *http.Request)
		within time.Duration
		passes string // a requirement that it keeps all the same
	}{
		{"no head ever", func(_ http.Handler, w http.ResponseWriter, r *http.Request) { never(w, r) }, 30 * time.Second, "helix.status.info-members"},
		{"a head and no frame", func(_ http.Handler, w http.ResponseWriter, r *http.Request) { onlyHead(w, r) }, 30 * time.Second, "helix.status.info-members"},
		{"a head and comments", func(_ http.Handler, w http.ResponseWriter, r *http.Request) { comments(w, r) }, 30 * time.Second, "helix.status.info-members"},
		{"everything at the end", func(ref http.Handler, w http.ResponseWriter, r *http.Request) {
			held := &withheld{ResponseWriter: w}
			ref.ServeHTTP(held, r)
			held.release()
		}, 60 * time.Second, "helix.lifecycle.finished-replay"},
		{"the frames at the end", func(ref http.Handler, w http.ResponseWriter, r *http.Request) {
			held := &withheld{ResponseWriter: w, head: true}
			ref.ServeHTTP(held, r)
			held.release()
		}, 60 * time.Second, "helix.lifecycle.finished-replay"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ref := reference.New(certifytest.Options())
			defer ref.Close()
			rep, took := certifiedWithin(t, "helix", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if isRead(r) && !spared(r) {
					c.answer(ref, w, r)
					return
				}
				ref.ServeHTTP(w, r)
			}), deadline, only...)
			if soaks && took > c.within {
				t.Errorf("the verdict took %v, want at most %v", took, c.within)
			}
			verdicts := map[string]report.Verdict{}
			for _, q := range rep.Requirements {
				verdicts[q.ID] = q.Verdict
			}
			if got := verdicts["helix.lifecycle.live"]; got != report.Fail {
				t.Errorf("helix.lifecycle.live: %s, want fail", got)
			}
			if got := verdicts[c.passes]; got != report.Pass {
				t.Errorf("%s: %s, want pass", c.passes, got)
			}
		})
	}
}

// slow returns a server with latency, whose readers poll its store.
func slow(h http.Handler, latency time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(latency)
		if isRead(r) {
			w = &polled{ResponseWriter: w, every: latency}
		}
		h.ServeHTTP(w, r)
	})
}

// polled is a response that sends the available events at each tick.
type polled struct {
	http.ResponseWriter
	every time.Duration
	last  time.Time
}

func (w *polled) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *polled) Write(p []byte) (int, error) {
	if time.Since(w.last) > w.every/10 {
		time.Sleep(time.Until(time.Now().Truncate(w.every).Add(w.every)))
	}
	w.last = time.Now()
	return w.ResponseWriter.Write(p)
}

// TestSlowServersAreNotAccused: a slow server that breaks one rule, so that many waits time out, is accused of the same as
// a fast one with that fault.
func TestSlowServersAreNotAccused(t *testing.T) {
	if os.Getenv("STREAMCERT_SOAK") == "" {
		t.Skip("a slow server, which takes a minute: make soak has it")
	}
	broken := func(latency time.Duration) []string {
		ref := reference.New(certifytest.Options())
		defer ref.Close()
		var h http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/end") && !spared(r) {
				w.WriteHeader(http.StatusNoContent) // and does nothing
				return
			}
			ref.ServeHTTP(w, r)
		})
		if latency > 0 {
			h = slow(h, latency)
		}
		rep, _ := certified(t, "helix", h, "lifecycle.*", "truncation.*", "wire.*")
		var ids []string
		for _, q := range rep.Requirements {
			if q.Verdict == report.Fail || q.Verdict == report.Warn {
				ids = append(ids, q.ID)
			}
		}
		return ids
	}
	fast, slow := broken(0), broken(200*time.Millisecond)
	if len(fast) == 0 {
		t.Fatal("nothing is found broken, so that nothing was compared")
	}
	if diff := cmp.Diff(fast, slow); diff != "" {
		t.Errorf("(-fast +slow):\n%s", diff)
	}
}
