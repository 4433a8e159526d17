package aep

import (
	"context"
	"net/http"
	"slices"
	"sync"
)

// Request is one request that is answered by a stream.
type Request struct {
	ID        string        // unique in the server; the client learns it from the events
	Agent     string        // as the path names it
	Principal string        // who asks
	Thread    string        // new, or one that the principal owns
	Message   string        // the id of the message that answers it
	Body      RequestBody   // decoded and valid
	HTTP      *http.Request // its body was read
}

// live is a request whose stream is open.
type live struct {
	Request
	cancelled chan struct{} // closed by a cancellation

	mu       sync.Mutex               // guards all below
	reason   string                   // of the cancellation; "" before
	released map[string]chan struct{} // closed when the barrier is open
}

// cancel ends the request; only the first call has an effect.
func (l *live) cancel(reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.isCancelled() {
		l.reason = reason
		close(l.cancelled)
	}
}

func (l *live) isCancelled() bool {
	select {
	case <-l.cancelled:
		return true
	default:
		return false
	}
}

func (l *live) why() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reason
}

// barrier returns a channel that is closed once the barrier is open.
func (l *live) barrier(name string) chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.released[name] == nil {
		l.released[name] = make(chan struct{})
	}
	return l.released[name]
}

func (l *live) release(name string) {
	open := l.barrier(name)
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-open:
	default:
		close(open)
	}
}

// await waits for a barrier.
func (l *live) await(ctx context.Context, name string) error {
	select {
	case <-l.barrier(name):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// remembered limits the ended requests that are stored.
const remembered = 4096

// requests knows the requests of a server.
type requests struct {
	mu    sync.Mutex // guards all below
	live  []*live    // in the order of their requests
	ended []ended    // a ring, once it is full
	next  int        // index in ended of the oldest, once it is full
}

type ended struct{ id, principal string }

func (s *requests) begin(r Request) *live {
	l := &live{Request: r, cancelled: make(chan struct{}), released: map[string]chan struct{}{}}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live = append(s.live, l)
	return l
}

func (s *requests) end(l *live) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live = slices.DeleteFunc(s.live, func(other *live) bool { return other == l })
	e := ended{l.ID, l.Principal}
	if len(s.ended) < remembered {
		s.ended = append(s.ended, e)
		return
	}
	s.ended[s.next] = e
	s.next = (s.next + 1) % remembered
}

// open returns the live requests, oldest first.
func (s *requests) open() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]Request, 0, len(s.live))
	for _, l := range s.live {
		list = append(list, l.Request)
	}
	return list
}

// cancel cancels each of the requests that is live.
func (s *requests) cancel(ids []string, reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.live {
		// aep.cancel.one: requests that aren't named stay live.
		if slices.Contains(ids, l.ID) {
			l.cancel(reason)
		}
	}
}

// owned reports whether a principal has made the request, live or ended.
func (s *requests) owned(principal, id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.live, func(l *live) bool { return l.ID == id && l.Principal == principal }) ||
		slices.Contains(s.ended, ended{id, principal})
}

// release opens a barrier of a request. It reports whether the request is known.
func (s *requests) release(id, barrier string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.live {
		if l.ID == id {
			l.release(barrier)
			return true
		}
	}
	return slices.ContainsFunc(s.ended, func(e ended) bool { return e.id == id })
}
