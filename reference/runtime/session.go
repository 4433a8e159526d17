package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
)

// RunStatus is the state of a run.
type RunStatus string

// The states of a run. Paused and interrupted runs can go on, completed and failed ones can't.
const (
	Running     RunStatus = "running"
	Paused      RunStatus = "paused"
	Interrupted RunStatus = "interrupted"
	Completed   RunStatus = "completed"
	Failed      RunStatus = "failed"
)

// State is the state of a run, with the calls that it waits for.
type State struct {
	Status     RunStatus `json:"status"`
	Barrier    string    `json:"barrier,omitempty"`    // Running: the barrier that it waits at
	ToolCallID string    `json:"toolCallId,omitempty"` // Paused: the call that it waits for
}

// Session is one agent at work, from one run to the next.
type Session struct {
	r         *Runtime
	stream    string
	agentType string
	model     Model
	schema    *outputSchema
	source    json.RawMessage // of the model
	recalling Recalling       // the model, if it is one and can be restored
	context   context.Context // done when the session is over
	cancel    context.CancelFunc
	executors sync.WaitGroup
	steering  sync.Mutex // one steering call at a time; taken before mu

	mu        sync.Mutex // guards the fields below, executors included, and makes writing and fencing atomic
	closed    bool
	id        string // agentId of the root agent
	run       string
	status    RunStatus
	token     int64     // the newest fencing token
	executor  *executor // nil while none is at work
	live      []*executor
	crashed   bool
	state     map[string]json.RawMessage // as of the last commit; replaced, never changed
	steps     int                        // completed
	next      int                        // the model's step that comes next, or is open
	open      bool                       // that step was started
	output    json.RawMessage            // nil if there is none
	clock     int64                      // timestamp of the latest chunk
	released  map[string]bool            // barriers
	changed   chan struct{}              // closed when the state of the run may have changed
	runs      []string                   // oldest first
	committed []Checkpoint               // those of the session, for another process
	version   int64                      // of the last save
	before    []string                   // writers of other processes that may not be fenced off yet
}

func newSession(r *Runtime, b Start, schema *outputSchema) *Session {
	s := &Session{
		r: r, stream: b.Stream, agentType: b.AgentType, schema: schema, source: b.Source,
		model: r.ports.Model(b.Model), id: r.ports.IDs.New("session"),
		state: b.State, released: map[string]bool{}, changed: make(chan struct{}),
	}
	if b.Source != nil {
		s.recalling, _ = b.Model.(Recalling)
	}
	s.context, s.cancel = context.WithCancel(context.Background())
	return s
}

// newRun makes the next run of the session up.
func (s *Session) newRun() {
	s.run = s.r.ports.IDs.New("run")
	s.runs = append(s.runs, s.run)
	s.r.name(s.run, s)
}

// launch puts a new executor to work, which fences all others off.
func (s *Session) launch() {
	if s.closed {
		return
	}
	s.token++
	x := newExecutor(s)
	s.executor, s.status, s.crashed, s.open = x, Running, false, false
	s.live = append(s.live, x)
	s.notify()
	s.executors.Go(x.execute)
}

// fenceOff fences the executor off and waits until it is gone. The session is locked, but not while it waits.
func (s *Session) fenceOff() {
	x := s.executor
	s.token++
	s.executor = nil
	if x == nil {
		return
	}
	x.stop(errFenced)
	s.mu.Unlock()
	<-x.done
	s.mu.Lock()
}

func (s *Session) close() {
	s.mu.Lock()
	s.closed = true
	s.token++
	s.cancel()
	s.notify()
	s.mu.Unlock()
	s.executors.Wait()
	s.r.ports.Journal.Close(s.stream)
}

// finish is the end of the session.
func (s *Session) finish(status RunStatus) {
	s.status = status
	s.executor = nil
	s.cancel() // an executor that was fenced off may not know it yet
	if h := s.r.ports.Handover; h != nil && s.source != nil {
		_ = h.Forget(context.Background(), s.stream) // the stream itself refuses a finished session
	}
	s.r.ports.Journal.Close(s.stream)
	s.notify()
}

func (s *Session) finished() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status == Completed || s.status == Failed
}

// append writes chunks in the name of an executor, and gives them their time.
func (s *Session) append(run string, token int64, chunks ...Chunk) ([]int64, error) {
	// helix.runs.superseded-silent: the session is locked from this check until the write.
	if s.closed || s.r.ports.Fenced(token, s.token) {
		return nil, errFenced
	}
	// helix.runs.timestamps, helix.runs.clock, helix.tools.clock: timestamps are milliseconds and never decrease, even if
	// the clock does.
	s.clock = max(s.clock, s.r.ports.Clock.Now().UnixMilli())
	for _, c := range chunks {
		c["timestamp"] = s.clock
	}
	sequences, err := s.r.ports.Journal.Append(context.Background(), s.writer(run, token), chunks)
	switch {
	case errors.Is(err, ErrFenced):
		return nil, errFenced
	case err != nil:
		return nil, &journalError{err}
	}
	return sequences, nil
}

// journalError is an error of the journal, so no chunk can report it.
type journalError struct{ err error }

func (e *journalError) Error() string { return "writing to the stream: " + e.err.Error() }
func (e *journalError) Unwrap() error { return e.err }

func (s *Session) writer(run string, token int64) Writer {
	return Writer{Stream: s.stream, Session: s.id, Run: run, Token: token}
}

// current is who writes for the session itself, between two executors.
func (s *Session) current() Writer { return s.writer(s.run, s.token) }

// announce writes a chunk of the session itself, which belongs to no step.
func (s *Session) announce(c Chunk) ([]int64, error) { return s.append(s.run, s.token, s.sign(c)) }

func (s *Session) sign(c Chunk) Chunk {
	c["agentId"], c["agentType"] = s.id, s.agentType
	return c
}

func (s *Session) setStatus(status Status) error {
	return s.r.ports.Journal.SetStatus(context.Background(), s.current(), status)
}

// notify wakes the callers that wait for the run to settle.
func (s *Session) notify() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// State returns the current state of the run.
func (s *Session) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.describe()
}

func (s *Session) describe() State {
	state := State{Status: s.status}
	if x := s.executor; x != nil && len(x.pending) > 0 && s.status == Paused {
		state.ToolCallID = x.pending[0].call.ID
	}
	if x := s.executor; x != nil && s.status == Running {
		for _, w := range x.waiters { // of several, always the same one
			if w.barrier != "" && (state.Barrier == "" || w.barrier < state.Barrier) {
				state.Barrier = w.barrier
			}
		}
	}
	return state
}

// Settled waits until the run has nothing left to do before a call comes or a timer fires. Errors: the context's, ErrUnknownRun
// when the session was closed.
func (s *Session) Settled(ctx context.Context) (State, error) {
	for {
		s.mu.Lock()
		state, settled, closed, changed := s.describe(), s.settled(), s.closed, s.changed
		s.mu.Unlock()
		switch {
		case closed:
			return State{}, ErrUnknownRun
		case settled:
			return state, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return State{}, ctx.Err()
		}
	}
}

func (s *Session) settled() bool {
	if s.status != Running && s.status != Paused {
		return true
	}
	return s.executor != nil && s.executor.resting()
}

// Release opens a barrier for good, whether anybody waits at it or not.
func (s *Session) Release(barrier string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.released[barrier] = true
	for _, x := range s.live {
		x.wake(func(w *waiter) bool { return w.barrier == barrier })
	}
	s.notify()
}
