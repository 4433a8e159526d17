package runtime

import (
	"slices"
	"sync"
)

// registry finds sessions by their runs and streams.
type registry struct {
	mu      sync.Mutex            // guards the fields below; no other lock is taken while it is locked
	runs    map[string]*Session   // by id; a session has several
	streams map[string][]*Session // oldest first
	closed  bool                  // no session is added any more
}

func newRegistry() registry {
	return registry{runs: map[string]*Session{}, streams: map[string][]*Session{}}
}

// session finds a session by any of its runs. Errors: ErrUnknownRun.
func (r *registry) session(run string) (*Session, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, ok := r.runs[run]
	if !ok {
		return nil, ErrUnknownRun
	}
	return s, nil
}

// forget removes the sessions of a stream and returns them.
func (r *registry) forget(stream string) []*Session {
	r.mu.Lock()
	defer r.mu.Unlock()
	gone := r.streams[stream]
	delete(r.streams, stream)
	for run, s := range r.runs {
		if slices.Contains(gone, s) {
			delete(r.runs, run)
		}
	}
	return gone
}

// close makes the registry accept no more sessions, and returns all.
func (r *registry) close() (all []*Session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for _, sessions := range r.streams {
		all = append(all, sessions...)
	}
	return all
}

// unname makes a session unknown.
func (r *registry) unname(s *Session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.streams[s.stream] = slices.DeleteFunc(r.streams[s.stream], func(other *Session) bool { return other == s })
	for run, other := range r.runs {
		if other == s {
			delete(r.runs, run)
		}
	}
}

// latest returns the newest session of a stream, nil for none.
func (r *registry) latest(stream string) *Session {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.streams[stream]); n > 0 {
		return r.streams[stream][n-1]
	}
	return nil
}

// add makes a session known; false if the runtime is closed.
func (r *registry) add(s *Session) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.streams[s.stream] = append(r.streams[s.stream], s)
	}
	return !r.closed
}

// name makes a session known by a run.
func (r *registry) name(run string, s *Session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.runs[run] = s
}
