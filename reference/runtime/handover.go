package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// ErrFenced is the error of a call in the name of an executor whose session another one has taken over.
var ErrFenced = errFenced

// Handover stores the data with which another process can take a session over. Its methods may be called concurrently.
type Handover interface {
	// Save stores a session, if the stored version is still the one before. Errors: ErrFenced if it isn't.
	Save(ctx context.Context, s StoredSession) error
	// Load finds a session by one of its runs.
	Load(ctx context.Context, run string) (s StoredSession, found bool, err error)
	// Fence refuses with ErrFenced whatever the writers of a stored session write from now on.
	Fence(ctx context.Context, s StoredSession) error
	// Forget forgets the session of a stream.
	Forget(ctx context.Context, stream string) error
}

// StoredSession is a session as of its last commit. Its checkpoints and runs are those of the save before, without those that were
// rolled back, and the new ones; none of them ever changes.
type StoredSession struct {
	Version      int64 // counts the checkpoints, from 1
	Stream       string
	Writers      []string // ids of the stream's writers, the saver's last; only the Handover reads those before
	AgentType    string
	Source       json.RawMessage // of the model
	OutputSchema json.RawMessage `json:",omitempty"` // nil for none
	Session      string          // the agentId of the root agent
	Runs         []string        // the last one is at work
	Token        int64
	Clock        int64                      // timestamp of the latest chunk
	State        map[string]json.RawMessage // the initial one; every checkpoint has another
	Steps, Next  int
	Output       json.RawMessage `json:",omitempty"` // nil for none
	Checkpoints  []Checkpoint    // oldest first
}

// handOver checkpoints the session as it is. The session is locked. Errors: errFenced.
func (s *Session) handOver() error {
	h := s.r.ports.Handover
	if h == nil || s.source == nil {
		return nil
	}
	saved := StoredSession{
		Version: s.version + 1, Stream: s.stream, AgentType: s.agentType, Source: s.source, OutputSchema: s.schema.source(),
		Session: s.id, Runs: s.runs, Token: s.token, Clock: s.clock, State: s.state, Steps: s.steps, Next: s.next,
		Output: s.output, Checkpoints: s.committed, Writers: s.before,
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
	r.unname(s)
	s.close()
}

// unname makes a session unknown.
func (r *Runtime) unname(s *Session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.streams[s.stream] = slices.DeleteFunc(r.streams[s.stream], func(other *Session) bool { return other == s })
	for run, other := range r.runs {
		if other == s {
			delete(r.runs, run)
		}
	}
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
	s := newSession(r, Start{Stream: saved.Stream, AgentType: saved.AgentType, Model: model, Source: saved.Source, State: saved.State}, schema)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.id, s.runs, s.run, s.status = saved.Session, saved.Runs, saved.Runs[len(saved.Runs)-1], Running
	s.version, s.token, s.clock, s.committed = saved.Version, saved.Token, saved.Clock, saved.Checkpoints
	s.steps, s.next, s.output = saved.Steps, saved.Next, saved.Output
	// Of two that take over at once the one that saves first has it, and fences the other one's predecessor off. Should it
	// die before it does, the next one finds the writers of both.
	s.before = saved.Writers
	if err := s.handOver(); err != nil || !r.add(s) {
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
		r.name(run, s)
	}
	return s, nil
}

// lose is the end of a session here that another process has taken over. The session is locked.
func (s *Session) lose() {
	s.closed, s.executor = true, nil
	s.cancel()
	s.notify()
	s.r.unname(s)
}
