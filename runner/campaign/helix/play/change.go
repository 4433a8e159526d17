package play

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"

	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/target"
)

func (p changes) cleanup(s *stream, step int) error {
	if err := p.readerOps.attached(s); err != nil {
		return err
	}
	call, accepted, err := p.calls.call(s, "helix.truncation.removes", "POST", "/cleanup", map[string]any{"stepCount": step})
	switch {
	case err != nil || !accepted && s.Finished():
		return err
	case !accepted:
		return campaign.Broken(call, "helix.truncation.removes", "2xx", fmt.Sprint(call.Now().Status), "a stream that is %s refused a cleanup", s.Status())
	}
	p.session.Removed(s.id)
	s.Cleanup(step)
	return nil
}

// reset resets a stream. A finished stream may refuse it, and it may close the writers.
func (p changes) reset(s *stream) error {
	if err := p.readerOps.attached(s); err != nil {
		return err
	}
	if p.resets++; p.resets%2 == 0 && s.Finished() && s.Terminal() > 0 { // the answer differs after the reset
		if err := p.readerOps.noContent(s, streammodel.Position{ID: s.Terminal()}); err != nil {
			return err
		}
	}
	paused := s.Status() == streammodel.Paused
	if paused {
		if err := p.readerOps.takeArrived(s); err != nil {
			return err
		}
	}
	call, accepted, err := p.calls.call(s, "helix.truncation.reset-empties", "POST", "/reset", map[string]any{})
	switch {
	case err != nil || !accepted && s.Finished():
		return err
	case !accepted:
		return campaign.Broken(call, "helix.truncation.reset-empties", "2xx", fmt.Sprint(call.Now().Status), "a stream that is %s refused a reset", s.Status())
	}
	p.session.Removed(s.id)
	clear(s.writers)
	s.Reset()
	if paused { // a server may skip the frame of a status that lasts for a moment
		if err := p.readerOps.drainAll(s); err != nil {
			return err
		}
	}
	_, err = p.calls.open(s, 1, false)
	var v *campaign.Violation
	if errors.As(err, &v) {
		v.Requirement = "helix.truncation.reset-reopens"
	}
	p.occasionCounts["helix.truncation.reset-reopens"]++
	if err == nil && !p.program.Runs && p.resets%4 == 1 {
		err = p.begins(s)
	}
	return err
}

func (p changes) setStatus(s *stream, to streammodel.Status) error {
	if err := p.readerOps.attached(s); err != nil {
		return err
	}
	if err := p.readerOps.takeArrived(s); err != nil {
		return err
	}
	call, accepted, err := p.calls.call(s, "helix.status.transitions", "POST", "/status", map[string]any{"status": to})
	switch {
	case err != nil || s.Finished():
		return err // the server may refuse it or accept it without effect
	case !accepted:
		return campaign.Broken(call, "helix.status.transitions", "2xx", fmt.Sprint(call.Now().Status), "a stream that is %s can't be made %s", s.Status(), to)
	}
	changes := to != s.Status()
	s.SetStatus(to)
	if err := p.readerOps.drainAll(s); err != nil || !changes {
		return err
	}
	return p.cursorOps.receiveStatus(s, to)
}

// closeWriter closes a writer and then tries to write through it.
func (p changes) closeWriter(s *stream, n int) error {
	id := s.writers[n]
	if id == "" || len(s.writers) < 2 {
		return nil
	}
	path := "/writers/" + target.EscapeSegment(id)
	if _, _, err := p.calls.call(s, "helix.lifecycle.writer-close", "DELETE", path, nil); err != nil {
		return err
	}
	delete(s.writers, n)
	s.closed = append(s.closed, id)
	delayed := data.NewChunk(s.Stream, s.Written(), s.Written(), program.Operation{Class: program.ASCIIText, Each: 1}).Body
	if err := p.calls.refused(s, "helix.lifecycle.closed-writer", path+"/chunks", delayed); err != nil || len(s.closed)%2 == 0 {
		return err
	}
	// A second close may be refused and changes nothing.
	if _, _, err := p.calls.call(s, "helix.lifecycle.writer-close", "DELETE", path, nil); err != nil {
		return err
	}
	return p.calls.refused(s, "helix.lifecycle.closed-writer", path+"/chunks", delayed)
}

// rejectBatch tries to write an array with a chunk that lacks a member required by its type: no chunk of it may be stored.
func (p changes) rejectBatch(s *stream, o program.Operation) error {
	if s.Finished() || s.writers[1] == "" {
		return nil
	}
	bodies := make([][]byte, o.Count)
	p.rejectedBatch++
	for i := range bodies {
		marker := s.Marker(s.Written() + i)
		if bodies[i] = data.InvalidChunk(p.rejectedBatch*5+o.Count+s.Written(), marker); i != min(o.Cursor, o.Count-1) {
			bodies[i] = data.Encode(map[string]any{
				"type": "text_delta", "agentId": data.Agent, "agentType": "assistant", "timestamp": data.Epoch, "runId": marker + "-never", "delta": "never",
			})
		}
	}
	if err := p.writeEmptyArray(s); err != nil {
		return err
	}
	body := slices.Concat([]byte("["), bytes.Join(bodies, []byte(",")), []byte("]"))
	p.occasionCounts["helix.chunks.all-or-nothing"]++
	s.Refuse(o.Count)
	return p.calls.refused(s, "helix.chunks.invalid-refused", "/writers/"+target.EscapeSegment(s.writers[1])+"/chunks", body)
}

// emptyArrays lists arrays without a chunk.
var emptyArrays = []string{`[]`, `[null]`, `[null,null]`, `[[]]`}

// writeEmptyArray writes an array without a chunk. The server may refuse it; readers may receive nothing of it:
// helix.chunks.object.
func (p changes) writeEmptyArray(s *stream) error {
	path := "/streams/" + target.EscapeSegment(s.id) + "/writers/" + target.EscapeSegment(s.writers[1]) + "/chunks"
	call, err := p.session.Call("POST", path, []byte(emptyArrays[p.rejectedBatch%len(emptyArrays)]), true)
	if err == nil {
		p.session.ForgetCall(call)
	}
	return err
}

// reopened writes through a closed writer: it stays closed after every change of the stream.
func (p changes) reopened(s *stream) error {
	if len(s.closed) == 0 {
		return nil
	}
	r := p.inspections.draw(s)
	path := "/writers/" + target.EscapeSegment(s.closed[r.IntN(len(s.closed))]) + "/chunks"
	_, body := data.ChunksOf(s.Stream, program.Operation{Class: program.ASCIIText, Each: 1}, 1+r.IntN(2), s.Written())
	return p.calls.refused(s, "helix.lifecycle.closed-writer", path, body)
}

// neighbours writes n other streams at the same time and reads each twice. It does nothing where the declared limit of
// streams, which other scenarios share, is too small.
func (p changes) neighbours(n int) error {
	if limit := p.target.Limits().Streams; limit > 0 && limit < 4*n {
		return nil
	}
	var streams []*stream
	base := p.session.NewStream()
	for i := range n {
		s := &stream{
			Stream: streammodel.New(p.occasionCounts, streammodel.FamilyOf(base), fmt.Sprint(i+1)), id: p.session.NewStream(), writers: map[int]string{}, readers: map[int]*reader{},
		}
		if err := p.write(s, program.Operation{Who: 1, Count: 1 + i%3, Each: 3, Step: program.Stepless, Class: program.MixedChunks, Size: 9}); err != nil {
			return err
		}
		if streams = append(streams, s); i%2 > 0 {
			if err := p.inspections.snapshot(s); err != nil {
				return err
			}
		}
	}
	for i, s := range streams {
		if i < n/4 { // the first ones have more chunks than at their first snapshot
			if err := errors.Join(p.write(s, program.Operation{Who: 1, Count: 1, Each: 1, Step: program.Stepless, Class: program.ASCIIText, Size: 1}), p.inspections.snapshot(s)); err != nil {
				return err
			}
		}
		if err := p.readerOps.readerSlot(s, program.Operation{Who: 1}, streammodel.Position{}, target.ReadRequest{}); err != nil {
			return err
		}
		if err := p.readerOps.drain(s.readers[1]); err != nil {
			return err
		}
		if err := p.readerOps.disconnect(s.readers[1]); err != nil {
			return err
		}
	}
	return nil
}
