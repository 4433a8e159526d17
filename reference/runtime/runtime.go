package runtime

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Runtime runs agents. Make it with New.
type Runtime struct {
	ports    Ports      // complete; never change
	known    registry   // every session until it is forgotten
	starting sync.Mutex // two runs can't begin on one stream at once
}

// New makes a runtime.
func New(p Ports) *Runtime { return &Runtime{ports: p.WithDefaults(), known: newRegistry()} }

// Start begins a new session on a stream and returns the id of its first run. Errors: *StateError if a run on that stream
// isn't finished, *SchemaError, ErrClosed, and those of Journal.Open.
func (r *Runtime) Start(ctx context.Context, b Start) (run string, err error) {
	schema, err := newOutputSchema(b.OutputSchema)
	if err != nil {
		return "", err
	}
	r.starting.Lock()
	defer r.starting.Unlock()
	if s := r.known.latest(b.Stream); s != nil && !s.finished() {
		return "", alreadyRunning("a run on this stream isn't finished")
	}
	if err := r.ports.Journal.Open(ctx, b.Stream); err != nil {
		return "", fmt.Errorf("opening the stream of a run: %w", err)
	}
	r.ports.Checkpoints.Forget(b.Stream) // they belong to the session before
	s := newSession(&r.ports, &r.known, b, schema)
	if !r.known.add(s) {
		r.ports.Journal.Close(b.Stream)
		return "", ErrClosed
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newRun()
	if err := s.handOver(); err != nil {
		s.lose()
		r.ports.Journal.Close(b.Stream)
		if errors.Is(err, errFenced) {
			return "", alreadyRunning("a run on this stream isn't finished")
		}
		return "", err
	}
	s.launch()
	return s.run, nil
}

// Session finds a session by any of its runs. Errors: ErrUnknownRun.
func (r *Runtime) Session(run string) (*Session, error) { return r.known.session(run) }

// Forget ends the sessions of a stream and forgets them.
func (r *Runtime) Forget(stream string) {
	gone := r.known.forget(stream)
	for _, s := range gone {
		s.close()
	}
	if len(gone) > 0 {
		r.ports.Checkpoints.Forget(stream)
	}
	if h := r.ports.Handover; h != nil {
		_ = h.Forget(context.Background(), stream) // it isn't needed any more
	}
}

// Close ends every session without a word to its stream, and returns when none of their goroutines is left.
func (r *Runtime) Close() {
	for _, s := range r.known.close() {
		s.close()
	}
}
