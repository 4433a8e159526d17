package runtime

import (
	"context"
)

// commit ends a step of the root agent: its output, its staged changes, the checkpoint with both and the commit chunk
// become visible in one append.
func (x *executor) commit() error {
	// helix.output.schema: the output is checked before the step writes it.
	if err := x.s.schema.check(x.root.output); err != nil {
		return err
	}
	x.s.mu.Lock()
	defer x.s.mu.Unlock()
	if err := context.Cause(x.ctx); err != nil {
		return err
	}
	s := x.s
	// helix.checkpoints.increasing: the count is one above that of the checkpoint before.
	c := s.newCheckpoint(s.steps + 1)
	c.State, c.Next = x.root.stage.state, s.next+1
	var err error
	if c.Output, err = s.points.outputs(c.Next); err != nil {
		return err
	}
	// helix.checkpoints.after-step, helix.output.bookkeeping: the output and the patch come first, then the checkpoint that
	// covers them.
	// helix.checkpoints.committed: step_committed names the checkpoint that is saved below.
	chunks := append(x.root.closing(),
		Chunk{"type": "checkpoint_created", "runId": x.run, "checkpointId": c.ID, "stepCount": c.StepCount},
		Chunk{"type": "step_committed", "runId": x.run, "stepId": x.stepID, "checkpointId": c.ID})
	sequences, err := s.append(x.run, x.token, x.root.sign(chunks...)...)
	if err != nil {
		return err
	}
	if err := s.points.save(c, sequences, len(chunks)-2); err != nil {
		return err
	}
	s.state, s.steps, s.next, s.open = c.State, c.StepCount, c.Next, false
	if x.root.output != nil {
		s.output = x.root.output
	}
	if err := s.handOver(); err != nil {
		return err
	}
	// helix.checkpoints.once: the step loses its id, so it can't be committed or discarded again.
	// helix.runs.step-order: the next step has the next number.
	x.root.stage, x.stepID, x.step = newStage(s.state), "", s.steps+1
	return nil
}

// closing returns the chunks that end an agent's step: its output and the patch that it staged.
func (a *agent) closing() []Chunk {
	var chunks []Chunk
	if a.output != nil {
		// helix.output.unchanged: the chunk carries the bytes that the model returned.
		// helix.output.on-success: only commit and a sub-agent's completed step call closing.
		chunks = append(chunks, Chunk{"type": "output", "output": a.output})
	}
	// helix.state.sum: the operations are the ones that produced the state of the checkpoint.
	return append(chunks, a.stage.patch()...)
}

// discarded returns the chunk that reports a discarded step with its staged changes; none if no step is open. A failed step
// that only has text stays, next to the error.
func (x *executor) discarded(reason string, interrupted bool) []Chunk {
	if x.stepID == "" || !x.s.ports.Discards(len(x.root.stage.operations) > 0, interrupted) {
		return nil
	}
	// helix.checkpoints.discarded: fail and interrupted call this; after a crash, cleanup removes the step instead.
	return x.root.sign(Chunk{"type": "step_discarded", "runId": x.run, "stepId": x.stepID, "reason": reason})
}
