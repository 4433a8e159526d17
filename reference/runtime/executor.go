package runtime

import (
	"context"
)

// executor does the work of one session until it is done, stopped or fenced off. Its session's mutex guards its changing
// fields.
type executor struct {
	s     *Session                // whose state it changes
	run   string                  // changes when a paused run is resumed
	token int64                   // the session's at its start: a newer one fences it off
	root  *agent                  // the root agent
	ctx   context.Context         // done once it is stopped or fenced off; its cause is the reason
	stop  context.CancelCauseFunc // of ctx
	done  chan struct{}           // closed when it changes nothing any more

	busy    int        // goroutines at work, and timers that will set one to work
	waiters []*waiter  // in the order in which they began to wait
	pending []*pending // calls without an answer, in their order
	paused  bool       // no agent goes on until it is false
	step    int        // the number of the step that is open, or comes next
	stepID  string     // "" while no step is open
}

func newExecutor(s *Session) *executor {
	x := &executor{s: s, run: s.run, token: s.token, done: make(chan struct{}), busy: 1, step: s.steps + 1}
	// helix.runs.same-session: the root agent has the id of the session in every run.
	x.root = &agent{x: x, id: s.id, agentType: s.agentType, model: s.model, stage: newStage(s.state)}
	x.ctx, x.stop = context.WithCancelCause(s.context)
	return x
}

func (x *executor) writer() Writer { return x.s.writer(x.run, x.token) }
