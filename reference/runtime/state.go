package runtime

import (
	"context"
)

// State is the state of a run, with the calls that it waits for.
type State struct {
	Status     RunStatus `json:"status"`               // of the run
	Barrier    string    `json:"barrier,omitempty"`    // Running: the barrier that it waits at
	ToolCallID string    `json:"toolCallId,omitempty"` // Paused: the call that it waits for
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
