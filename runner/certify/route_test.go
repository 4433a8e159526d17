package certify_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference/aep"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// forgetful answers 404 where the history of a chat has no answer that came to its end.
func forgetful(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/messages") {
			h.ServeHTTP(w, r)
			return
		}
		told := httptest.NewRecorder()
		if h.ServeHTTP(told, r); !bytes.Contains(told.Body.Bytes(), []byte(`"state":"done"`)) {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(told.Body.Bytes())
	})
}

// halfDeaf answers 404 to every second cancellation, and to the first.
func halfDeaf(h http.Handler) http.Handler {
	var cancellations atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/cancel") && cancellations.Add(1)%2 == 1 {
			http.NotFound(w, r)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// without answers 404 wherever a path ends so.
func without(end string) func(h http.Handler) http.Handler {
	return func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, end) {
				http.NotFound(w, r)
				return
			}
			h.ServeHTTP(w, r)
		})
	}
}

// TestStatusOfARouteThatIsThere: a 404 means a missing route only if every request to the route gets it.
func TestStatusOfARouteThatIsThere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pack, requirement string
		around            func(http.Handler) http.Handler
		want              report.Verdict
	}{
		{"helix-ui", "helix-ui.history.failed", forgetful, report.Fail},
		{"helix-ui", "helix-ui.history.failed", without("/messages"), report.Unprovable},
		{"aep", "aep.cancel.aborted", halfDeaf, report.Fail},
		{"aep", "aep.cancel.aborted", without("/cancel"), report.Unprovable},
	} {
		var h interface {
			http.Handler
			Close()
		} = aep.New(aep.Options{ControlToken: "control"})
		if c.pack == "helix-ui" {
			h = helixui.New(helixui.Options{ControlToken: "control"})
		}
		tg, err := target.New(target.Config{
			URL: certifytest.Serve(t, c.around(h)), ControlToken: "control", Timing: target.Timing{Deadline: time.Second},
		}, target.Options{})
		if err != nil {
			t.Fatal(err)
		}
		res, err := certify.Run(t.Context(), certifytest.Load(t, c.pack), certify.Options{Target: tg, Seed: 1, Only: []string{c.requirement}, Concurrency: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range res.Report.Requirements {
			if q.ID == c.requirement && q.Verdict != c.want {
				t.Errorf("%s: %s %s, want %s; %s", q.ID, q.Verdict, q.Reason, c.want, res.Report.Fault)
			}
		}
		tg.Close()
		h.Close()
	}
}
