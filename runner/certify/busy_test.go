package certify_test

import (
	"bytes"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// limited returns a server that takes so many requests each interval and refuses the others.
func limited(h http.Handler, status, most int, every time.Duration, retryAfter string) http.Handler {
	var mu sync.Mutex
	var began time.Time
	taken := 0
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		if time.Since(began) > every {
			began, taken = time.Now(), 0
		}
		taken++
		over := taken > most
		mu.Unlock()
		if !over {
			h.ServeHTTP(w, r)
			return
		}
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		http.Error(w, "slow down", status)
	})
}

// TestRefusalsAreNoFailures: a server with a rate limit is accused of nothing, and reported once.
func TestRefusalsAreNoFailures(t *testing.T) {
	for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		tg := started(t, func(h http.Handler) http.Handler { return limited(h, status, 60, time.Hour, "") }, nil)
		rep := run(t, certify.Options{Target: tg, Seed: 1, Only: []string{"resume.*", "lifecycle.*", "http.*"}})
		if rep.Summary.Fail+rep.Summary.Warn > 0 || rep.Summary.Error < 10 || rep.ExitCode(nil) != 3 {
			t.Errorf("%d: %+v", status, rep.Summary)
			for _, q := range rep.Requirements {
				for _, f := range q.Findings {
					t.Logf("%s %s: %s, want %s, got %s\n%s", q.ID, q.Verdict, f.Message, f.Want, f.Got, f.Exchange)
				}
			}
		}
		var console bytes.Buffer
		if err := (report.Console{}).Write(&console, rep); err != nil || strings.Count(console.String(), "--rate N") != 1 {
			t.Errorf("%v: the advice stands %d times in\n%s", err, strings.Count(console.String(), "--rate N"), console.String())
		}
	}
}

// TestRetryAfterIsHonoured: a request that the server asks to be made again later is.
func TestRetryAfterIsHonoured(t *testing.T) {
	t.Parallel()
	var asked, refused atomic.Int64
	var once sync.Map // refused requests, so that none is refused twice
	tg := started(t, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			due := asked.Add(1)%50 == 0
			if due {
				_, before := once.LoadOrStore(r.Method+" "+r.URL.String(), true)
				due = !before
			}
			if due {
				refused.Add(1)
				w.Header().Set("Retry-After", "1")
				http.Error(w, "slow down", http.StatusTooManyRequests)
				return
			}
			h.ServeHTTP(w, r)
		})
	}, func(c *target.Config) { c.Timing.Deadline = 900 * time.Millisecond }) // less than is waited for the server's sake
	rep := run(t, certify.Options{Target: tg, Seed: 1, Only: []string{"resume.*"}})
	if rep.Summary.Pass != len(rep.Requirements) || refused.Load() < 3 {
		t.Errorf("%+v, %d refusals", rep.Summary, refused.Load())
		for _, q := range rep.Requirements {
			for _, f := range q.Findings {
				t.Errorf("%s: %s: want %s, got %s", q.ID, f.Message, f.Want, f.Got)
			}
		}
	}
	if rep.Summary.Requests != int(asked.Load()) {
		t.Errorf("the report counts %d requests, the server %d", rep.Summary.Requests, asked.Load())
	}
}

// TestOneRequestAtATimeIsNoFailure: an agent may refuse a second request on a thread while the first is answered.
func TestOneRequestAtATimeIsNoFailure(t *testing.T) {
	t.Parallel()
	ref := reference.New(certifytest.Options())
	t.Cleanup(ref.Close)
	turn := make(chan struct{}, 1)
	url := certifytest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/stream") {
			ref.ServeHTTP(w, r)
			return
		}
		select {
		case turn <- struct{}{}:
			defer func() { <-turn }()
			ref.ServeHTTP(w, r)
		case <-time.After(300 * time.Millisecond): // until it has noticed that the reader before left
			http.Error(w, `{"error":"one at a time","code":"busy"}`, http.StatusConflict)
		}
	}))
	tg, err := target.New(certifytest.Config(url), target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tg.Close)
	res, err := certify.Run(t.Context(), certifytest.Load(t, "aep"), certify.Options{Target: tg, Seed: 1, Concurrency: 1, Only: []string{"cancel.one", "flow.disconnect"}})
	if err != nil {
		t.Fatal(err)
	}
	if s := res.Report.Summary; s.Error != 1 || s.Pass != 1 || s.Fail > 0 { // the reader that left is proven, two at once is not
		t.Errorf("%+v", s)
		for _, q := range res.Report.Requirements {
			t.Logf("%s %s %s %+v", q.ID, q.Verdict, q.Reason, q.Findings)
		}
	}
}
