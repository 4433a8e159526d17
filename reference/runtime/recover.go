package runtime

import (
	"context"
	"fmt"
)

// known finds a checkpoint of a session that isn't finished. Errors: *StateError.
func (s *Session) known(checkpointID string) (Checkpoint, error) {
	if s.status == Completed || s.status == Failed {
		return Checkpoint{}, notResumable("the run has come to its end")
	}
	c, found, err := s.ports.Checkpoints.Load(context.Background(), s.stream, checkpointID)
	if err != nil {
		return c, fmt.Errorf("loading checkpoint %s: %w", checkpointID, err)
	}
	// helix.runs.retry-unknown: an unknown checkpoint is refused before anything is stopped or removed.
	if !found || checkpointID == "" {
		return c, notResumable("unknown checkpoint")
	}
	return c, nil
}

// checkpoints finds the latest checkpoint and the requested one, which is the latest if the id is empty. If there is none,
// it makes one of the beginning. Errors: *StateError.
func (s *Session) checkpoints(checkpointID string) (latest, wanted Checkpoint, err error) {
	if checkpointID != "" {
		if wanted, err = s.known(checkpointID); err != nil {
			return latest, wanted, err
		}
	}
	latest, found, err := s.points.latest()
	if err != nil {
		return latest, wanted, fmt.Errorf("loading the latest checkpoint: %w", err)
	}
	if !found {
		latest = s.newCheckpoint(s.steps)
		if err := s.points.save(latest, nil, 0); err != nil {
			return latest, wanted, err
		}
	}
	if checkpointID == "" {
		wanted = latest
	}
	return latest, wanted, nil
}

// backTo removes everything after a checkpoint and continues with the step after it.
func (s *Session) backTo(c Checkpoint, reason string) error {
	// helix.resync.truncates-first: cleanup runs before restore; a branch calls only restore.
	if err := s.cleanup(c); err != nil {
		return err
	}
	return s.restore(c, reason)
}

// again goes back to a checkpoint to run the step that was open once more.
func (s *Session) again(c Checkpoint, reason string) error {
	next := s.next
	if err := s.backTo(c, reason); err != nil {
		return err
	}
	s.next = next
	return nil
}

func (s *Session) cleanup(c Checkpoint) error {
	return s.ports.Journal.Cleanup(context.Background(), s.current(), c.StepCount)
}

// restore resets the session to a checkpoint, and writes the stream_resync for it.
func (s *Session) restore(c Checkpoint, reason string) error {
	if s.closed {
		return ErrUnknownRun
	}
	if err := s.points.backTo(c); err != nil {
		return err
	}
	// helix.state.after-resync: later patches apply to the state of the checkpoint.
	s.state, s.steps, s.next = c.State, c.StepCount, c.Next
	s.open, s.crashed, s.status, s.output = false, false, Interrupted, nil
	// helix.resync.written: announce appends it to the stream like any chunk. helix.resync.counts, helix.resync.messages,
	// helix.resync.from-sequence, helix.resync.covers, helix.checkpoints.place: the values are those of the checkpoint,
	// which was announced after the steps that it covers.
	_, err := s.announce(Chunk{
		"type": "stream_resync", "checkpointId": c.ID, "stepCount": c.StepCount, "messageCount": c.MessageCount,
		"fromSequence": c.Sequence, "reason": reason,
	})
	return err
}

// resume begins a new run and starts an executor for it.
func (s *Session) resume(mode string) error {
	s.newRun()
	if err := s.handOver(); err != nil {
		return err
	}
	if err := s.setStatus(StreamActive); err != nil {
		return err
	}
	resumed, err := s.resumed(mode)
	if err != nil {
		return err
	}
	// helix.runs.resumed: the chunk is written before the executor starts.
	if _, err := s.announce(resumed); err != nil {
		return err
	}
	s.launch()
	return nil
}
