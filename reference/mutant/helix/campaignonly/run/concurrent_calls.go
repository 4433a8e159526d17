package run

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// storeTakes is the latency of a store on another machine.
const storeTakes = 5 * time.Millisecond

// flights are requests that are under way, by their content.
type flights struct {
	mu  sync.Mutex
	all map[string]*flight
}

// flight is the answer that all concurrent requests with the same content get.
type flight struct {
	landed chan struct{}
	answer *httptest.ResponseRecorder
}

// sharesAnswers gives calls about runs that come at the same time, and are equal, one answer.
func sharesAnswers(which func(path string) bool) alter.Around {
	f := &flights{all: map[string]*flight{}}
	return edit.OnRunCalls(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || !which(r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // whoever sent it has gone
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		key := r.URL.Path + " " + string(body)
		f.mu.Lock()
		one := f.all[key]
		first := one == nil
		if first {
			one = &flight{make(chan struct{}), httptest.NewRecorder()}
			f.all[key] = one
		}
		f.mu.Unlock()
		if first {
			time.Sleep(storeTakes)
			next.ServeHTTP(one.answer, r)
			f.mu.Lock()
			delete(f.all, key)
			f.mu.Unlock()
			close(one.landed)
		}
		<-one.landed
		for name, values := range one.answer.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(one.answer.Code)
		_, _ = w.Write(one.answer.Body.Bytes()) // whoever asked may have gone
	})
}

// atOnce lists mutants that let two clients make a call that only one may make.
func atOnce() []edit.Mutant {
	return []edit.Mutant{
		{Name: "starts-at-once-share-an-answer", Requirement: "helix.runs.refused",
			Summary: "Starts of a run that are equal and come at once are taken for one, and get one answer.",
			Wrap:    sharesAnswers(func(path string) bool { return path == "/control/runs" })},
		{Name: "resumes-at-once-share-an-answer", Requirement: "helix.runs.refused",
			Summary: "Calls to resume a run that are equal and come at once are taken for one, and get one answer.",
			Wrap:    sharesAnswers(func(path string) bool { return strings.HasSuffix(path, "/resume") })},
		{Name: "pause-crosses-the-end", Requirement: "helix.status.final", Also: []string{"helix.status.transitions"},
			Summary: "Whether a stream is over is looked up before a pause is written, and an end in between is written over.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var wrong alter.PerKey[bool]
				s.OnSetStatus = func(ctx context.Context, stream string, status store.Status) error {
					before, err := inner.Info(ctx, stream)
					if err != nil || status != store.Paused || before.Status != store.Active {
						return inner.SetStatus(ctx, stream, status)
					}
					time.Sleep(storeTakes)
					if now, err := inner.Info(ctx, stream); err == nil && now.Status == store.Ended {
						wrong.Set(stream, true)
						return nil
					}
					return inner.SetStatus(ctx, stream, status)
				}
				s.OnInfo = func(ctx context.Context, stream string) (store.Info, error) {
					i, err := inner.Info(ctx, stream)
					if err == nil && i.Status == store.Ended && wrong.Get(stream) {
						i.Status = store.Paused
					}
					return i, err
				}
			})},
	}
}
