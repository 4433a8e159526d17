package runtime

import (
	"errors"
	"slices"
)

// steer runs a call that changes the state of a session. One such call runs at a time.
// It returns the run that the session is in afterwards.
func (s *Session) steer(call func() error) (run string, err error) {
	s.steering.Lock()
	defer s.steering.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return "", ErrUnknownRun
	}
	err = call()
	s.notify()
	if errors.Is(err, errFenced) { // another process has it
		s.lose()
		return "", alreadyRunning("another executor has taken the run over")
	}
	return s.run, err
}

// Interrupt stops a running run. The changes of its open step are dropped; the step isn't repeated when the run is resumed.
// Errors: *StateError unless the run is running.
func (s *Session) Interrupt(reason string) error {
	_, err := s.steer(func() error {
		x := s.executor
		waits := s.status == Paused && s.ports.Waiting.Interrupted
		if s.status != Running && !waits || x == nil {
			return notResumable("only a run that is running can be interrupted")
		}
		x.stop(errInterrupted)
		s.mu.Unlock()
		// helix.runs.silent: the executor is gone before the interrupt is announced.
		<-x.done
		s.mu.Lock()
		if s.status != Running && !waits || s.closed {
			return notResumable("the run came to its end before it could be interrupted")
		}
		return s.interrupted(x, reason)
	})
	return err
}

// interrupted writes that a run was stopped, and the checkpoint that it can go on from.
func (s *Session) interrupted(x *executor, reason string) error {
	chunks := x.discarded(errInterrupted.Error(), true)
	c, found, err := s.points.latest()
	if err != nil {
		return err
	}
	announced := len(chunks)
	if !found {
		// helix.runs.interrupt-checkpoint: a run without a checkpoint gets one of its start.
		c = s.newCheckpoint(s.steps)
		chunks = append(chunks, s.sign(Chunk{
			"type": "checkpoint_created", "runId": s.run, "checkpointId": c.ID, "stepCount": c.StepCount}))
	}
	// helix.runs.interrupted: every interrupt writes this chunk.
	stopped := Chunk{"type": "run_interrupted", "runId": s.run, "checkpointId": c.ID}
	// helix.runs.nulls: an optional member without a value is left out.
	if reason != "" {
		stopped["reason"] = reason
	}
	if s.open { // it belongs to the step that it stops
		stopped = x.root.sign(stopped)[0]
	}
	chunks = append(chunks, s.sign(stopped))
	s.status = Interrupted
	sequences, err := s.append(s.run, s.token, chunks...)
	if err != nil {
		return err
	}
	if !found {
		if err := s.points.save(c, sequences, announced); err != nil {
			return err
		}
	}
	return s.setStatus(StreamPaused)
}

// Resume goes on after an interrupt, a rollback, a branch or a crash, and returns the id of the new run. With the id of an
// older checkpoint it goes back there first. Errors: *StateError.
func (s *Session) Resume(mode, checkpointID string) (run string, err error) {
	return s.steer(func() error {
		// helix.runs.refused: only an interrupted run is resumed.
		switch s.status {
		case Running:
			return alreadyRunning("the run is running")
		case Interrupted:
		default:
			return notResumable("there is nothing to resume")
		}
		latest, c, err := s.checkpoints(checkpointID)
		if err != nil {
			return err
		}
		switch {
		case c.ID != latest.ID:
			err = s.backTo(c, "rollback")
		case s.crashed:
			err = s.again(c, "crash_recovery")
		case s.open: // it was interrupted, and is not tried again
			s.next++
		}
		if err != nil {
			return err
		}
		return s.resume(mode)
	})
}

// Crash kills the executor without writing a chunk. Errors: *StateError if none is at work.
func (s *Session) Crash() error {
	_, err := s.steer(func() error {
		if s.executor == nil {
			return notResumable("nothing is at work that could crash")
		}
		s.fenceOff()
		if !s.closed {
			s.status, s.crashed = Interrupted, true
		}
		return nil
	})
	return err
}

// Rollback stops the run and goes back to a checkpoint. Errors: *StateError.
func (s *Session) Rollback(checkpointID string) error {
	_, err := s.steer(func() error {
		c, err := s.known(checkpointID)
		if err != nil {
			return err
		}
		s.fenceOff()
		if err := s.backTo(c, "rollback"); err != nil {
			return err
		}
		return s.setStatus(StreamPaused)
	})
	return err
}

// Branch stops the run and returns to a checkpoint as a new session, without removing the chunks after the checkpoint. It
// returns the id of the new session's first run. Errors: *StateError.
func (s *Session) Branch(checkpointID string) (run string, err error) {
	return s.steer(func() error {
		c, err := s.known(checkpointID)
		if err != nil {
			return err
		}
		s.fenceOff()
		s.id = s.ports.IDs.New("session")
		s.newRun()
		if err := s.restore(c, "branch"); err != nil {
			return err
		}
		return s.setStatus(StreamPaused)
	})
}

// Supersede lets another executor take over, and returns the id of its run. The old one doesn't know, and is refused when
// it writes. Errors: *StateError unless the run is running.
func (s *Session) Supersede() (run string, err error) {
	return s.steer(func() error {
		if s.status != Running {
			return notResumable("only a run that is running can be taken over")
		}
		latest, _, err := s.checkpoints("")
		if err != nil {
			return err
		}
		s.token++
		s.executor = nil
		if err := s.cleanup(latest); err != nil {
			return err
		}
		// helix.runs.superseded: the new executor's token writes it.
		if _, err := s.announce(Chunk{"type": "executor_superseded", "reason": "another executor took over"}); err != nil {
			return err
		}
		next := s.next
		if err := s.restore(latest, "crash_recovery"); err != nil {
			return err
		}
		s.next = next
		return s.resume("supersede")
	})
}

// Retry runs the open step of an interrupted or paused run again, or goes back to a checkpoint and on from there. It returns
// the id of the new run. Errors: *StateError.
func (s *Session) Retry(checkpointID string) (run string, err error) {
	return s.steer(func() error {
		switch s.status {
		case Running:
			return alreadyRunning("the run is running")
		case Interrupted, Paused:
		default:
			return notResumable("the run has come to its end")
		}
		latest, c, err := s.checkpoints(checkpointID)
		if err != nil {
			return err
		}
		s.fenceOff()
		if c.ID != latest.ID {
			err = s.backTo(c, "rollback")
		} else {
			err = s.again(c, "rollback")
		}
		if err != nil {
			return err
		}
		return s.resume("retry")
	})
}

// Answer passes an answer to a waiting call. Errors: *StateError if the call isn't waiting for this kind of answer.
func (s *Session) Answer(callID string, a Answer) error {
	_, err := s.steer(func() error {
		x := s.executor
		if x == nil {
			return notResumable("no call waits for an answer")
		}
		i := slices.IndexFunc(x.pending, func(p *pending) bool { return p.call.ID == callID })
		switch {
		case i < 0:
			return notResumable("this call doesn't wait for an answer")
		case x.pending[i].consent != (a.Approved != nil):
			return notResumable("this call waits for another kind of answer")
		}
		p := x.pending[i]
		x.withdraw(p)
		p.answered, p.answer = true, a
		if x.s.ports.Waiting.ForAll && x.paused && len(x.pending) > 0 {
			return nil
		}
		if x.paused {
			mode := "tool_result"
			if p.consent {
				mode = "approval"
			}
			x.unpause(mode)
		}
		x.wake(func(w *waiter) bool { return w.pending != nil && w.pending.answered })
		return nil
	})
	return err
}
