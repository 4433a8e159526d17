package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Runtime runs agents. Make it with New.
type Runtime struct {
	ports    Ports
	starting sync.Mutex // two runs can't begin on one stream at once

	mu      sync.Mutex // guards the fields below; no other lock is taken while it is locked
	runs    map[string]*Session
	streams map[string][]*Session // oldest first
	closed  bool
}

// New makes a runtime.
func New(p Ports) *Runtime {
	return &Runtime{ports: p.WithDefaults(), runs: map[string]*Session{}, streams: map[string][]*Session{}}
}

// WithDefaults returns the ports with every default filled in, so that a decorator has something to wrap.
func (p Ports) WithDefaults() Ports {
	if p.Clock == nil {
		p.Clock = SystemClock{}
	}
	if p.Checkpoints == nil {
		p.Checkpoints = new(Memory)
	}
	if p.IDs == nil {
		p.IDs = RandomIDs{}
	}
	if p.Model == nil {
		p.Model = func(m Model) Model { return m }
	}
	if p.Pieces == nil {
		p.Pieces = Words
	}
	if p.Increments == nil {
		p.Increments = Words
	}
	if p.Arguments == nil {
		p.Arguments = Coerce
	}
	if p.Classify == nil {
		p.Classify = Classify
	}
	if p.Fenced == nil {
		p.Fenced = func(token, current int64) bool { return token < current }
	}
	if p.Discards == nil {
		// helix.checkpoints.interrupted: an interrupted step is announced whatever it had staged.
		p.Discards = func(staged, interrupted bool) bool { return staged || interrupted }
	}
	return p
}

// Start is the input of a new run.
type Start struct {
	Stream       string
	AgentType    string
	Model        Model
	Source       json.RawMessage            // argument of Ports.Restore; nil: no other process can take the session over
	OutputSchema json.RawMessage            // JSON Schema that the output has to meet; nil for none
	State        map[string]json.RawMessage // initial state of the agent
}

// Start begins a new session on a stream and returns the id of its first run. Errors: *StateError if a run on that stream
// isn't finished, *SchemaError, ErrClosed, and those of Journal.Open.
func (r *Runtime) Start(ctx context.Context, b Start) (run string, err error) {
	schema, err := newOutputSchema(b.OutputSchema)
	if err != nil {
		return "", err
	}
	r.starting.Lock()
	defer r.starting.Unlock()
	if s := r.latest(b.Stream); s != nil && !s.finished() {
		return "", alreadyRunning("a run on this stream isn't finished")
	}
	if err := r.ports.Journal.Open(ctx, b.Stream); err != nil {
		return "", fmt.Errorf("opening the stream of a run: %w", err)
	}
	r.ports.Checkpoints.Forget(b.Stream) // they belong to the session before
	s := newSession(r, b, schema)
	if !r.add(s) {
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
func (r *Runtime) Session(run string) (*Session, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, ok := r.runs[run]
	if !ok {
		return nil, ErrUnknownRun
	}
	return s, nil
}

// Forget ends the sessions of a stream and forgets them.
func (r *Runtime) Forget(stream string) {
	r.mu.Lock()
	gone := r.streams[stream]
	delete(r.streams, stream)
	for run, s := range r.runs {
		if slices.Contains(gone, s) {
			delete(r.runs, run)
		}
	}
	r.mu.Unlock()
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
	r.mu.Lock()
	r.closed = true
	var all []*Session
	for _, sessions := range r.streams {
		all = append(all, sessions...)
	}
	r.mu.Unlock()
	for _, s := range all {
		s.close()
	}
}

func (r *Runtime) latest(stream string) *Session {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.streams[stream]); n > 0 {
		return r.streams[stream][n-1]
	}
	return nil
}

// add makes a session known; false if the runtime is closed.
func (r *Runtime) add(s *Session) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.streams[s.stream] = append(r.streams[s.stream], s)
	}
	return !r.closed
}

func (r *Runtime) name(run string, s *Session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.runs[run] = s
}
