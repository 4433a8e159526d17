package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
)

// Session is one agent at work, from one run to the next.
type Session struct {
	ports     *Ports             // of the runtime
	registry  *registry          // where the session is found by its runs
	stream    string             // that it writes
	agentType string             // of the root agent
	model     Model              // of the root agent
	schema    *outputSchema      // nil accepts every output
	source    json.RawMessage    // of the model
	context   context.Context    // done when the session is over
	cancel    context.CancelFunc // of context
	executors sync.WaitGroup     // those that run, fenced off or not
	steering  sync.Mutex         // one steering call at a time; taken before mu

	mu       sync.Mutex                 // guards the fields below, executors included, and makes writing and fencing atomic
	closed   bool                       // no executor may begin or write
	id       string                     // agentId of the root agent
	run      string                     // the last of runs
	status   RunStatus                  // of run
	token    int64                      // the newest fencing token
	executor *executor                  // nil while none is at work
	live     []*executor                // executors that run, fenced off or not
	crashed  bool                       // the executor was stopped as by a kill, and none has followed
	state    map[string]json.RawMessage // as of the last commit; replaced, never changed
	steps    int                        // completed
	next     int                        // the model's step that comes next, or is open
	open     bool                       // that step was started
	output   json.RawMessage            // nil if there is none
	clock    int64                      // timestamp of the latest chunk
	released map[string]bool            // barriers
	changed  chan struct{}              // closed when the state of the run may have changed
	runs     []string                   // oldest first
	points   checkpoints                // of the session
	version  int64                      // of the last save
	before   []string                   // writers of other processes that may not be fenced off yet
}

func newSession(ports *Ports, found *registry, b Start, schema *outputSchema) *Session {
	s := &Session{
		ports: ports, registry: found, stream: b.Stream, agentType: b.AgentType, schema: schema, source: b.Source,
		model: ports.Model(b.Model), id: ports.IDs.New("session"), points: checkpoints{store: ports.Checkpoints, stream: b.Stream},
		state: b.State, released: map[string]bool{}, changed: make(chan struct{}),
	}
	if b.Source != nil {
		s.points.model, _ = b.Model.(Recalling)
	}
	s.context, s.cancel = context.WithCancel(context.Background())
	return s
}

// newRun makes the next run of the session up.
func (s *Session) newRun() {
	s.run = s.ports.IDs.New("run")
	s.runs = append(s.runs, s.run)
	s.registry.name(s.run, s)
}

func (s *Session) close() {
	s.mu.Lock()
	s.closed = true
	s.token++
	s.cancel()
	s.notify()
	s.mu.Unlock()
	s.executors.Wait()
	s.ports.Journal.Close(s.stream)
}

// finish is the end of the session.
func (s *Session) finish(status RunStatus) {
	s.status = status
	s.executor = nil
	s.cancel() // an executor that was fenced off may not know it yet
	if h := s.ports.Handover; h != nil && s.source != nil {
		_ = h.Forget(context.Background(), s.stream) // the stream itself refuses a finished session
	}
	s.ports.Journal.Close(s.stream)
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
	if s.closed || s.ports.Fenced(token, s.token) {
		return nil, errFenced
	}
	// helix.runs.timestamps, helix.runs.clock, helix.tools.clock: timestamps are milliseconds and never decrease, even if
	// the clock does.
	s.clock = max(s.clock, s.ports.Clock.Now().UnixMilli())
	for _, c := range chunks {
		c["timestamp"] = s.clock
	}
	sequences, err := s.ports.Journal.Append(context.Background(), s.writer(run, token), chunks)
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

// current returns the writer of the session itself, which writes between two executors.
func (s *Session) current() Writer { return s.writer(s.run, s.token) }

// announce writes a chunk of the session itself, which belongs to no step.
func (s *Session) announce(c Chunk) ([]int64, error) { return s.append(s.run, s.token, s.sign(c)) }

func (s *Session) sign(c Chunk) Chunk {
	c["agentId"], c["agentType"] = s.id, s.agentType
	return c
}

func (s *Session) setStatus(status Status) error {
	return s.ports.Journal.SetStatus(context.Background(), s.current(), status)
}

// notify wakes the callers that wait for the run to settle.
func (s *Session) notify() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Start is the input of a new run.
type Start struct {
	Stream       string                     // that the run writes
	AgentType    string                     // for readers
	Model        Model                      // of the root agent
	Source       json.RawMessage            // argument of Ports.Restore; nil: no other process can take the session over
	OutputSchema json.RawMessage            // JSON Schema that the output has to meet; nil for none
	State        map[string]json.RawMessage // initial state of the agent
}

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

// newCheckpoint names a checkpoint of the session as it was last committed.
func (s *Session) newCheckpoint(stepCount int) Checkpoint {
	return Checkpoint{
		// helix.checkpoints.unique: the port makes a new id for each checkpoint.
		ID:        s.ports.IDs.Checkpoint(s.id, stepCount, s.ports.Clock.Now()),
		StepCount: stepCount, MessageCount: stepCount,
		State: s.state, Next: s.next,
	}
}
