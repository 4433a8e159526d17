package helix

import (
	"errors"
	"fmt"

	model "github.com/streamcert/streamcert/runner/model/helix"
	"github.com/streamcert/streamcert/runner/target"
)

func (p *play) cleanup(s *stream, step int) error {
	if err := p.attached(s); err != nil {
		return err
	}
	call, accepted, err := p.call(s, "helix.truncation.removes", "POST", "/cleanup", map[string]any{"stepCount": step})
	switch {
	case err != nil || !accepted && s.Finished():
		return err
	case !accepted:
		return broken(call, "helix.truncation.removes", "2xx", fmt.Sprint(call.Now().Status), "a stream that is %s refused a cleanup", s.Status())
	}
	p.session.Removed(s.id)
	s.Cleanup(step)
	return nil
}

// reset may be refused by a stream that is finished, and may close its writers.
func (p *play) reset(s *stream) error {
	if err := p.attached(s); err != nil {
		return err
	}
	call, accepted, err := p.call(s, "helix.truncation.reset-empties", "POST", "/reset", map[string]any{})
	switch {
	case err != nil || !accepted && s.Finished():
		return err
	case !accepted:
		return broken(call, "helix.truncation.reset-empties", "2xx", fmt.Sprint(call.Now().Status), "a stream that is %s refused a reset", s.Status())
	}
	p.session.Removed(s.id)
	clear(s.writers)
	s.Reset()
	_, err = p.open(s, 1, false)
	var v *violation
	if errors.As(err, &v) {
		v.Requirement = "helix.truncation.reset-reopens"
	}
	p.ledger["helix.truncation.reset-reopens"]++
	return err
}

func (p *play) setStatus(s *stream, to model.Status) error {
	if err := p.attached(s); err != nil {
		return err
	}
	if err := p.glance(s); err != nil {
		return err
	}
	call, accepted, err := p.call(s, "helix.status.transitions", "POST", "/status", map[string]any{"status": to})
	switch {
	case err != nil || s.Finished():
		return err // whether it is refused or has no effect is the server's choice
	case !accepted:
		return broken(call, "helix.status.transitions", "2xx", fmt.Sprint(call.Now().Status), "a stream that is %s can't be made %s", s.Status(), to)
	}
	s.SetStatus(to)
	return p.drainAll(s)
}

// closeWriter closes a writer and tries to write through it nevertheless.
func (p *play) closeWriter(s *stream, n int) error {
	id := s.writers[n]
	if id == "" || len(s.writers) < 2 {
		return nil
	}
	path := "/writers/" + target.EscapeSegment(id)
	if _, _, err := p.call(s, "helix.lifecycle.writer-close", "DELETE", path, nil); err != nil {
		return err
	}
	delete(s.writers, n)
	o := Operation{class: plain, each: 1}
	return p.refused(s, "helix.lifecycle.closed-writer", path+"/chunks", newChunk(s.Stream, s.Written(), s.Written(), o).Body)
}
