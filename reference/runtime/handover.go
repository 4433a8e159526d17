package runtime

import (
	"context"
	"errors"
)

// handOver checkpoints the session as it is. The session is locked. Errors: errFenced.
func (s *Session) handOver() error {
	h := s.ports.Handover
	if h == nil || s.source == nil {
		return nil
	}
	saved := StoredSession{
		Version: s.version + 1, Stream: s.stream, AgentType: s.agentType, Source: s.source, OutputSchema: s.schema.source(),
		Session: s.id, Runs: s.runs, Token: s.token, Clock: s.clock, State: s.state, Steps: s.steps, Next: s.next,
		Output: s.output, Checkpoints: s.points.committed, Writers: s.before,
	}
	switch err := h.Save(context.Background(), saved); {
	case errors.Is(err, ErrFenced):
		return errFenced
	case err != nil:
		return &journalError{err}
	}
	s.version++
	return nil
}

// lose is the end of a session here that another process has taken over. The session is locked.
func (s *Session) lose() {
	s.closed, s.executor = true, nil
	s.cancel()
	s.notify()
	s.registry.unname(s)
}
