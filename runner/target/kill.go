package target

import "fmt"

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

// KillReplica kills one replica, counted from 1, and closes the session's connections to it. It starts again at the end of
// the session. The error is ErrOneAddress or ErrNoProgram, or reports that the replica is still running.
func (s *Session) KillReplica(replica int) error {
	if err := s.target.IsReplicated(); err != nil {
		return err
	}
	if err := s.target.has(replica); err != nil {
		return err
	}
	if err := s.target.MayBeKilled(); err != nil {
		return err
	}
	return s.kill(replica - 1)
}

// kill closes the session's connections to a replica, and kills the replica.
func (s *Session) kill(replica int) error {
	s.mu.Lock()
	s.dead = append(s.dead, replica)
	s.mu.Unlock()
	s.target.network.Killed(1)
	s.killed.Store(true)
	for _, r := range s.attached() {
		if r.attachedTo() == replica {
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
	defer s.target.network.Killed(-len(dead))
	for _, replica := range dead {
		if err := s.target.replicas[replica].program.Start(s.caller); err != nil {
			return fmt.Errorf("starting the server again: %w", err)
		}
	}
	return nil
}
