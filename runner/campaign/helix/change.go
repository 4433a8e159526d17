package helix

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

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
	s.closed = append(s.closed, id)
	o := Operation{class: plain, each: 1}
	return p.refused(s, "helix.lifecycle.closed-writer", path+"/chunks", newChunk(s.Stream, s.Written(), s.Written(), o).Body)
}

// spoil tries to write an array in which one chunk lacks what its type requires: none of it may be stored.
func (p *play) spoil(s *stream, o Operation) error {
	if s.Finished() || s.writers[1] == "" {
		return nil
	}
	bodies := make([][]byte, o.count)
	for i := range bodies {
		members := map[string]any{"type": "text_delta", "agentId": agent, "agentType": "assistant", "timestamp": epoch, "runId": s.Marker(s.Written() + i)}
		if i != min(o.cursor, o.count-1) {
			members["runId"], members["delta"] = s.Marker(s.Written()+i)+"-never", "never"
		}
		bodies[i] = encode(members)
	}
	body := slices.Concat([]byte("["), bytes.Join(bodies, []byte(",")), []byte("]"))
	p.ledger["helix.chunks.all-or-nothing"]++
	return p.refused(s, "helix.chunks.invalid-refused", "/writers/"+target.EscapeSegment(s.writers[1])+"/chunks", body)
}

// reopened writes through a writer that was closed: whatever happened to the stream since, it stays closed.
func (p *play) reopened(s *stream) error {
	if len(s.closed) == 0 {
		return nil
	}
	path := "/writers/" + target.EscapeSegment(s.closed[p.draw(s).IntN(len(s.closed))]) + "/chunks"
	return p.refused(s, "helix.lifecycle.closed-writer", path, newChunk(s.Stream, s.Written(), s.Written(), Operation{class: plain, each: 1}).Body)
}

// neighbours writes so many other streams, which are there at once, and reads them again. What a server declares to hold is
// shared with other scenarios.
func (p *play) neighbours(n int) error {
	if limit := p.target.Limits().Streams; limit > 0 && limit < 4*n {
		return nil
	}
	var streams []*stream
	base := p.session.NewStream()
	for i := range n {
		s := &stream{
			Stream: model.NewStream(p.ledger, model.FamilyOf(base), fmt.Sprint(i+1)), id: p.session.NewStream(), writers: map[int]string{}, readers: map[int]*reader{},
		}
		if err := p.write(s, Operation{who: 1, count: 1 + i%3, each: 3, step: stepless, class: mingled, size: 9}); err != nil {
			return err
		}
		streams = append(streams, s)
	}
	for _, s := range streams {
		if err := p.seat(s, Operation{who: 1}, model.Place{}, target.ReadRequest{}); err != nil {
			return err
		}
		if err := p.drain(s.readers[1]); err != nil {
			return err
		}
		if err := p.cut(s.readers[1]); err != nil {
			return err
		}
	}
	return nil
}
