package campaignonly

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// queues are mutants that answer the requests of a thread one after the other, and lose one that waits, or that take a request
// for one that they have had.
func queues() []edit.Mutant {
	return []edit.Mutant{
		{Name: "one-may-wait", Requirement: "aep.request.post",
			Summary: "A thread has a place for one request that waits: a later one takes it, and one whose client has gone keeps it.",
			Wrap:    on.Requests((&positions{next: map[string]chan struct{}{}}).serve)},
		{Name: "the-same-bytes-are-refused", Requirement: "aep.request.post",
			Summary: "A request of the same bytes as the last one of its thread is taken for a retry of it and refused.",
			Apply: alter.WithState(func(bodies *alter.PerKey[string]) on.Apply { // by thread
				return on.OnDecode(func(body []byte, decode func([]byte) (aep.RequestBody, error)) (aep.RequestBody, error) {
					ask, err := decode(body)
					if err == nil && ask.Thread != "" && bodies.Swap(ask.Thread, string(body)) == string(body) {
						return ask, busy(nil)
					}
					return ask, err
				})
			})},
	}
}

// positions are the request of each thread that waits for another one, nil for none; a thread that isn't there is idle.
type positions struct {
	mu   sync.Mutex
	next map[string]chan struct{}
}

// serve serves a request once no other one of its thread is served, unless a later one has replaced it.
func (p *positions) serve(next http.Handler, w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	thread := alter.Members(body).Text("threadId")
	if thread == "" || !strings.HasSuffix(r.URL.Path, "/stream") {
		next.ServeHTTP(w, r)
		return
	}
	select {
	case <-p.enter(thread):
		defer p.leave(thread)
		next.ServeHTTP(w, r)
	case <-r.Context().Done():
	}
}

// enter returns a channel that is closed once the request may be served.
func (p *positions) enter(thread string) chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	turn := make(chan struct{})
	if _, taken := p.next[thread]; taken {
		p.next[thread] = turn
		return turn
	}
	p.next[thread] = nil
	close(turn)
	return turn
}

// leave lets the request be served that waits.
func (p *positions) leave(thread string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	later := p.next[thread]
	if later == nil {
		delete(p.next, thread)
		return
	}
	p.next[thread] = nil
	close(later)
}
