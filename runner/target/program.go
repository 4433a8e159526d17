package target

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Program is a server that the suite has started and may kill.
type Program interface {
	// Kill ends it at once, with everything that it started, and returns when it is gone.
	Kill() error
	// Start starts it again at the same address, and returns when it answers.
	Start(ctx context.Context) error
}

// ErrNoProgram is the error of a kill when the config doesn't allow one.
var ErrNoProgram = errors.New("the config doesn't say that the suite may kill the server and start it again (launch.kill)")

// RunsAs sets the programs of the target, one for each of its addresses. It is called before the first session begins.
func (t *Target) RunsAs(programs ...Program) {
	for i, p := range programs {
		t.replicas[i].program = p
	}
}

// MayBeKilled returns nil if the target can be killed and started again, otherwise an error with the reason.
func (t *Target) MayBeKilled() error {
	if slices.ContainsFunc(t.replicas, func(r replica) bool { return r.program == nil }) {
		return ErrNoProgram
	}
	return nil
}

// Restart kills the server with all its replicas and starts it again. It closes every connection of the session before,
// because no rule covers the last data of a dying server. The error is ErrNoProgram, or reports that the server didn't come
// back.
func (s *Session) Restart() error {
	if err := s.target.MayBeKilled(); err != nil {
		return err
	}
	for i := range s.target.replicas {
		if err := s.kill(i); err != nil {
			return err
		}
	}
	return s.revive()
}

// kill closes the session's connections to a replica, and kills the replica.
func (s *Session) kill(replica int) error {
	s.mu.Lock()
	s.dead = append(s.dead, replica)
	s.mu.Unlock()
	s.target.killed.Add(1)
	s.killed.Store(true)
	for _, r := range s.attached() {
		if r.replica == replica {
			r.Disconnect()
		}
	}
	if err := s.target.replicas[replica].program.Kill(); err != nil {
		return fmt.Errorf("killing the server: %w", err)
	}
	s.target.Close() // connections that the server had
	return nil
}

// revive starts the replicas again that the session has killed.
func (s *Session) revive() error {
	s.mu.Lock()
	dead := s.dead
	s.dead = nil
	s.mu.Unlock()
	defer s.target.killed.Add(-int64(len(dead)))
	for _, replica := range dead {
		if err := s.target.replicas[replica].program.Start(s.caller); err != nil {
			return fmt.Errorf("starting the server again: %w", err)
		}
	}
	return nil
}
