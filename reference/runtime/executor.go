package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
)

// executor does the work of one session until it is done, stopped or fenced off. Its session's mutex guards its changing
// fields.
type executor struct {
	s     *Session
	run   string // changes when a paused run is resumed
	token int64
	root  *agent
	ctx   context.Context
	stop  context.CancelCauseFunc
	done  chan struct{}

	busy    int // goroutines at work, and timers that will set one to work
	waiters []*waiter
	pending []*pending
	paused  bool
	step    int    // the number of the step that is open, or comes next
	stepID  string // "" while no step is open
}

func newExecutor(s *Session) *executor {
	x := &executor{s: s, run: s.run, token: s.token, done: make(chan struct{}), busy: 1, step: s.steps + 1}
	// helix.runs.same-session: the root agent has the id of the session in every run.
	x.root = &agent{x: x, id: s.id, agentType: s.agentType, model: s.model, stage: newStage(s.state)}
	x.ctx, x.stop = context.WithCancelCause(s.context)
	return x
}

// execute works until there is nothing left to do, and reports it.
func (x *executor) execute() {
	defer close(x.done)
	defer x.stop(nil)
	err := x.steps()
	x.s.mu.Lock()
	defer x.s.mu.Unlock()
	x.s.live = slices.DeleteFunc(x.s.live, func(other *executor) bool { return other == x })
	x.busy--
	switch {
	// helix.runs.superseded-graceful: an executor that was fenced off writes nothing at its end.
	case x.s.closed, errors.Is(err, errFenced), x.s.r.ports.Fenced(x.token, x.s.token):
		// Its remaining output is dropped.
		if x.s.executor == x && !x.s.closed { // another process fenced it off
			x.s.lose()
		}
	case err == nil:
		// helix.output.final-output: the session's output is the one that was committed.
		// helix.output.ends, helix.runs.outcome: a model without a next step ends the stream.
		_ = x.s.r.ports.Journal.End(context.Background(), x.writer(), x.s.output) // the stream may be gone
		x.s.finish(Completed)
	case context.Cause(x.ctx) != nil:
		if x.s.executor == x { // interrupted: the caller of Interrupt writes the chunk
			x.s.executor = nil
		}
	default:
		x.fail(err)
	}
}

func (x *executor) writer() Writer { return x.s.writer(x.run, x.token) }

// steps works step by step. It returns nil when the model has no step left.
func (x *executor) steps() error {
	for {
		x.s.mu.Lock()
		n := x.s.next
		x.s.mu.Unlock()
		turn, err := x.root.model.Step(x.ctx, n, x)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := x.begin(); err != nil {
			return err
		}
		if err := x.root.play(x.ctx, turn); err != nil {
			return err
		}
		if err := x.commit(); err != nil {
			return err
		}
	}
}

func (x *executor) begin() error {
	x.s.mu.Lock()
	defer x.s.mu.Unlock()
	if err := context.Cause(x.ctx); err != nil {
		return err
	}
	if !x.s.r.ports.Fenced(x.token, x.s.token) {
		x.s.open = true
	}
	x.step = x.s.steps + 1
	x.stepID = x.s.r.ports.IDs.New("step")
	x.root.stage = newStage(x.s.state)
	return nil
}

// fail ends the run and its stream with an error.
func (x *executor) fail(err error) {
	failure := x.s.r.ports.Classify(err)
	// helix.output.on-success: fail never calls closing, so the step's output isn't written.
	chunks := append(x.discarded(failure.Message, false), x.root.sign(fatal(failure))...)
	// If the stream is gone, the error is lost with it.
	_, _ = x.s.append(x.run, x.token, chunks...)
	// helix.errors.fatal-fails, helix.errors.same-text: chunk and frame get their text from the same failure.
	_ = x.s.r.ports.Journal.Fail(context.Background(), x.writer(), failure.Message, failure.Code)
	x.s.finish(Failed)
}

// agent is the root agent or a sub-agent. It is the Env of its tools.
type agent struct {
	x         *executor
	id        string
	agentType string
	model     Model
	stage     *stage
	output    json.RawMessage // nil until there is one
}

// sign fills in whose chunks they are. A sub-agent's have the step of the root agent, so that a cleanup reaches them.
func (a *agent) sign(chunks ...Chunk) []Chunk {
	for _, c := range chunks {
		// helix.text.per-agent, helix.subagents.agent-type, helix.tools.same-agent: every chunk of an agent carries its own
		// id and type.
		// helix.runs.step, helix.errors.step: every chunk carries the number of the open step.
		c["agentId"], c["agentType"], c["step"] = a.id, a.agentType, a.x.step
	}
	return chunks
}

// say writes chunks, unless the work that they belong to was cancelled. While the run is paused it waits.
func (a *agent) say(ctx context.Context, chunks ...Chunk) error {
	a.x.s.mu.Lock()
	defer a.x.s.mu.Unlock()
	for a.x.paused {
		if err := a.x.block(&waiter{ctx: ctx, paused: true}); err != nil {
			return err
		}
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	_, err := a.x.s.append(a.x.run, a.x.token, a.sign(chunks...)...)
	return err
}

// conclude writes the end of something whose beginning readers have received, even if the work was cancelled.
func (a *agent) conclude(chunks ...Chunk) error {
	a.x.s.mu.Lock()
	defer a.x.s.mu.Unlock()
	for a.x.paused {
		if err := a.x.block(&waiter{ctx: a.x.ctx, paused: true}); err != nil {
			return err
		}
	}
	_, err := a.x.s.append(a.x.run, a.x.token, a.sign(chunks...)...)
	return err
}
