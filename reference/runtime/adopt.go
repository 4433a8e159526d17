package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Supersede lets another executor take a session over, wherever it is at work, and returns the id of its run. Errors:
// ErrUnknownRun, *StateError unless the run is running.
func (r *Runtime) Supersede(ctx context.Context, run string) (string, error) {
	s, err := r.Session(run)
	if h := r.ports.Handover; h != nil {
		saved, found, failed := h.Load(ctx, run)
		if failed != nil {
			return "", fmt.Errorf("looking for the session of a run: %w", failed)
		}
		if found && (err != nil || s.outdated(saved)) {
			if err == nil {
				r.drop(s)
			}
			s, err = r.adopt(ctx, saved)
		}
	}
	if err != nil {
		return "", err
	}
	return s.Supersede()
}

// outdated reports whether another process has stored the session since this one did.
func (s *Session) outdated(saved StoredSession) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return saved.Version > s.version
}

// drop forgets a session that another process has taken over, and ends its work here.
func (r *Runtime) drop(s *Session) {
	r.known.unname(s)
	s.close()
}

// adopt makes a session of another process ours, as of its last commit; nothing is at work on it then. The later process
// gets a *StateError.
func (r *Runtime) adopt(ctx context.Context, saved StoredSession) (*Session, error) {
	outputs := make([]json.RawMessage, 0, len(saved.Checkpoints))
	for _, c := range saved.Checkpoints {
		outputs = append(outputs, c.Output)
	}
	model, err := r.ports.Restore(saved.Source, outputs)
	if err != nil {
		return nil, fmt.Errorf("restoring the model of a session: %w", err)
	}
	schema, err := newOutputSchema(saved.OutputSchema)
	if err != nil {
		return nil, err
	}
	r.starting.Lock()
	defer r.starting.Unlock()
	if err := r.ports.Journal.Open(ctx, saved.Stream); err != nil {
		return nil, fmt.Errorf("opening the stream of a session: %w", err)
	}
	s := newSession(&r.ports, &r.known, Start{Stream: saved.Stream, AgentType: saved.AgentType, Model: model, Source: saved.Source, State: saved.State}, schema)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.id, s.runs, s.run, s.status = saved.Session, saved.Runs, saved.Runs[len(saved.Runs)-1], Running
	s.version, s.token, s.clock, s.points.committed = saved.Version, saved.Token, saved.Clock, saved.Checkpoints
	s.steps, s.next, s.output = saved.Steps, saved.Next, saved.Output
	// Of two that take over at once the one that saves first has it, and fences the other one's predecessor off. Should it
	// die before it does, the next one finds the writers of both.
	s.before = saved.Writers
	if err := s.handOver(); err != nil || !r.known.add(s) {
		r.ports.Journal.Close(saved.Stream)
		if errors.Is(err, errFenced) {
			return nil, alreadyRunning("another executor has just taken the run over")
		}
		return nil, errors.Join(err, ErrClosed)
	}
	// helix.replicas.fenced: the store refuses the first executor from here on, before the second one writes.
	if err := r.ports.Handover.Fence(ctx, saved); err != nil {
		s.lose()
		return nil, fmt.Errorf("fencing off the executor of a session: %w", err)
	}
	s.before = nil
	// helix.durable.runs: its predecessor may be dead; the last commit is restored, and the open step is repeated.
	r.ports.Checkpoints.Forget(saved.Stream)
	for _, c := range saved.Checkpoints {
		if err := r.ports.Checkpoints.Save(ctx, saved.Stream, c); err != nil {
			return nil, fmt.Errorf("saving checkpoint %s: %w", c.ID, err)
		}
	}
	for _, run := range saved.Runs {
		r.known.name(run, s)
	}
	return s, nil
}
