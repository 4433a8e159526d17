package runtime

import (
	"context"
	"fmt"
)

// commit ends a step of the root agent: its output, what it staged, the checkpoint that holds both and the word that it
// was committed become visible at once.
func (x *executor) commit() error {
	if err := x.s.schema.check(x.root.output); err != nil {
		return err
	}
	x.s.mu.Lock()
	defer x.s.mu.Unlock()
	if err := context.Cause(x.ctx); err != nil {
		return err
	}
	s := x.s
	c := s.newCheckpoint(s.steps + 1)
	c.State, c.Next = x.root.stage.state, s.next+1
	chunks := append(x.root.closing(),
		Chunk{"type": "checkpoint_created", "runId": x.run, "checkpointId": c.ID, "stepCount": c.StepCount},
		Chunk{"type": "step_committed", "runId": x.run, "stepId": x.stepID, "checkpointId": c.ID})
	sequences, err := s.append(x.run, x.token, x.root.own(chunks...)...)
	if err != nil {
		return err
	}
	if err := s.save(c, sequences, len(chunks)-2); err != nil {
		return err
	}
	s.state, s.steps, s.next, s.open = c.State, c.StepCount, c.Next, false
	if x.root.output != nil {
		s.output = x.root.output
	}
	x.root.stage, x.stepID, x.step = newStage(s.state), "", s.steps+1
	return nil
}

// closing is what an agent's step leaves behind: its output and what it staged.
func (a *agent) closing() []Chunk {
	var chunks []Chunk
	if a.output != nil {
		chunks = append(chunks, Chunk{"type": "output", "output": a.output})
	}
	return append(chunks, a.stage.patch()...)
}

// discarded is the chunk that says that staged changes were thrown away; none if there were none.
func (x *executor) discarded(reason string) []Chunk {
	if len(x.root.stage.operations) == 0 || x.stepID == "" {
		return nil
	}
	return x.root.own(Chunk{"type": "step_discarded", "runId": x.run, "stepId": x.stepID, "reason": reason})
}

// newCheckpoint names a checkpoint of the session as it was last committed.
func (s *Session) newCheckpoint(stepCount int) Checkpoint {
	return Checkpoint{
		ID:        s.r.ports.IDs.Checkpoint(s.id, stepCount, s.r.ports.Clock.Now()),
		StepCount: stepCount, MessageCount: stepCount,
		State: s.state, Next: s.next,
	}
}

// save keeps a checkpoint that was announced by the chunk at index i of an append.
func (s *Session) save(c Checkpoint, sequences []int64, i int) error {
	if i >= len(sequences) { // a journal that keeps less than it is given
		i = len(sequences) - 1
	}
	if i >= 0 {
		c.Sequence = sequences[i]
	}
	if err := s.r.ports.Checkpoints.Save(context.Background(), s.stream, c); err != nil {
		return fmt.Errorf("saving checkpoint %s: %w", c.ID, err)
	}
	return nil
}
