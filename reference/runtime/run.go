package runtime

import (
	"context"
	"errors"
	"io"
	"slices"
)

// launch starts a new executor, which fences all others off.
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
	case x.s.closed, errors.Is(err, errFenced), x.s.ports.Fenced(x.token, x.s.token):
		// Its remaining output is dropped.
		if x.s.executor == x && !x.s.closed { // another process fenced it off
			x.s.lose()
		}
	case err == nil:
		// helix.output.final-output: the session's output is the one that was committed.
		// helix.output.ends, helix.runs.outcome: a model without a next step ends the stream.
		_ = x.s.ports.Journal.End(context.Background(), x.writer(), x.s.output) // the stream may be gone
		x.s.finish(Completed)
	case context.Cause(x.ctx) != nil:
		if x.s.executor == x { // interrupted: the caller of Interrupt writes the chunk
			x.s.executor = nil
		}
	default:
		x.fail(err)
	}
}

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
	if !x.s.ports.Fenced(x.token, x.s.token) {
		x.s.open = true
	}
	x.step = x.s.steps + 1
	x.stepID = x.s.ports.IDs.New("step")
	x.root.stage = newStage(x.s.state)
	return nil
}

// fail ends the run and its stream with an error.
func (x *executor) fail(err error) {
	failure := x.s.ports.Classify(err)
	// helix.output.on-success: fail never calls closing, so the step's output isn't written.
	chunks := append(x.discarded(failure.Message, false), x.root.sign(fatal(failure))...)
	// If the stream is gone, the error is lost with it.
	_, _ = x.s.append(x.run, x.token, chunks...)
	// helix.errors.fatal-fails, helix.errors.same-text: chunk and frame get their text from the same failure.
	_ = x.s.ports.Journal.Fail(context.Background(), x.writer(), failure.Message, failure.Code)
	x.s.finish(Failed)
}
