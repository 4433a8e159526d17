package aep

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
)

// oneAtATime are servers whose agents answer one request of a thread at a time.
func oneAtATime() []Variant {
	return []Variant{
		{Name: "a-thread-waits-in-line", Freedom: "a second request on a thread", Slow: true, // who waits is waited for
			Summary: "A request on a thread that is being answered waits, head and all, until that answer is over.",
			Wrap:    inTurn(waits)},
		{Name: "a-busy-thread-is-refused", Freedom: "a second request on a thread",
			Summary: "A request on a thread that is being answered is answered 409.",
			Wrap:    inTurn(func(<-chan struct{}, *http.Request) bool { return false })},
		{Name: "an-agent-waits-in-line", Freedom: "a second request on a thread",
			Summary: "A request on a thread that is being answered begins at once, and its agent waits until that answer is over.",
			Apply:   agentsInTurn},
	}
}

// agentsInTurn lets the agent of a thread begin when the one before it has ended.
func agentsInTurn(o aep.Options) aep.Options {
	line := &threadsInTurn{busy: map[string]chan struct{}{}}
	var threads sync.Map // by request
	inner, run := o.Journal, o.Agent
	o.Journal = func(r aep.Request) aep.Journal {
		threads.Store(r.ID, r.Thread)
		return inner(r)
	}
	o.Agent = agent.Func(func(ctx context.Context, t agent.Turn, say func(agent.Delta) error) error {
		thread, _ := threads.LoadAndDelete(t.Request)
		name, _ := thread.(string)
		for free := line.take(name); free != nil; free = line.take(name) {
			select {
			case <-free:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		defer line.leave([]string{name})
		return run.Run(ctx, t, say)
	})
	return o
}

// waits reports whether a thread has become free before the client left.
func waits(free <-chan struct{}, r *http.Request) bool {
	select {
	case <-free:
		return true
	case <-r.Context().Done():
		return false
	}
}

// threadsInTurn knows which threads are being answered.
type threadsInTurn struct {
	next  http.Handler
	again func(free <-chan struct{}, r *http.Request) bool // whether to try again to take a busy thread

	mu   sync.Mutex
	busy map[string]chan struct{} // closed when the thread is free
}

func inTurn(again func(free <-chan struct{}, r *http.Request) bool) around {
	return func(next http.Handler) http.Handler {
		return &threadsInTurn{next: next, again: again, busy: map[string]chan struct{}{}}
	}
}

// ServeHTTP implements http.Handler.
func (t *threadsInTurn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if alter.IsControl(r) || !strings.HasSuffix(r.URL.Path, "/stream") {
		t.next.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, longestBody))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), r.Body))
	var ask struct {
		Thread string `json:"threadId"`
	}
	_ = json.Unmarshal(body, &ask) // the server refuses an invalid request
	var mine []string
	defer func() { t.leave(mine) }()
	if ask.Thread != "" {
		for free := t.take(ask.Thread); free != nil; free = t.take(ask.Thread) {
			if !t.again(free, r) {
				refuseBusy(w)
				return
			}
		}
		mine = append(mine, ask.Thread)
	}
	t.next.ServeHTTP(&alter.Response{ResponseWriter: w, StreamOnly: true, Send: func(inner http.ResponseWriter, p []byte) error {
		if id := threadIn(p); len(mine) == 0 && id != "" && t.take(id) == nil {
			mine = append(mine, id)
		}
		_, err := inner.Write(p)
		return err
	}}, r)
}

// longestBody limits the bytes of a body that are searched for a thread id; the remaining bytes are passed on unread.
const longestBody = 16 << 20

// take makes a thread busy, or returns a channel that is closed once it is free.
func (t *threadsInTurn) take(thread string) <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if free, busy := t.busy[thread]; busy {
		return free
	}
	t.busy[thread] = make(chan struct{})
	return nil
}

func (t *threadsInTurn) leave(threads []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, thread := range threads {
		close(t.busy[thread])
		delete(t.busy, thread)
	}
}

// threadIn finds the thread that metadata names.
func threadIn(block []byte) string {
	_, data, ok := bytes.Cut(block, []byte(dataField))
	line, _, _ := bytes.Cut(data, []byte("\n"))
	var metadata struct {
		Event  string `json:"event"`
		Thread string `json:"threadId"`
	}
	if !ok || json.Unmarshal(line, &metadata) != nil || metadata.Event != "metadata" {
		return ""
	}
	return metadata.Thread
}

func refuseBusy(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusConflict)
	_, _ = io.WriteString(w, refusal("thread_busy", "the thread is busy", true)) // a client that has gone needs no answer
}
