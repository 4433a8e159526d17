package play

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/target"
)

// changes has the operations that change a stream without writing to it.
type changes struct {
	env     *env // shared by all parts of the play
	calls   caller
	readers *readers
	writers *writers
}

func (p *changes) cleanup(s *stream, step int) error {
	if err := p.readers.attached(s); err != nil {
		return err
	}
	call, accepted, err := p.calls.call(s, "helix.truncation.removes", "POST", "/cleanup", map[string]any{"stepCount": step})
	switch {
	case err != nil || !accepted && s.Finished():
		return err
	case !accepted:
		return campaign.Broken(call, "helix.truncation.removes", "2xx", fmt.Sprint(call.Now().Status), "a stream that is %s refused a cleanup", s.Status())
	}
	p.env.session.Removed(s.id)
	s.Cleanup(step)
	return nil
}

// reset resets a stream. A finished stream may refuse it, and it may close the writers.
func (p *changes) reset(s *stream) error {
	if err := p.readers.attached(s); err != nil {
		return err
	}
	paused := s.Status() == streammodel.Paused
	if paused {
		if err := p.readers.takeArrived(s); err != nil {
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
	p.env.session.Removed(s.id)
	clear(s.writers)
	s.Reset()
	if paused { // a server may skip the frame of a status that lasts for a moment
		if err := p.readers.drainAll(s); err != nil {
			return err
		}
	}
	_, err = p.calls.open(s, 1, false)
	var v *campaign.Violation
	if errors.As(err, &v) {
		v.Requirement = "helix.truncation.reset-reopens"
	}
	p.env.counts["helix.truncation.reset-reopens"]++
	return err
}

func (p *changes) setStatus(s *stream, to streammodel.Status) error {
	if err := p.readers.attached(s); err != nil {
		return err
	}
	if err := p.readers.takeArrived(s); err != nil {
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
	if err := p.readers.drainAll(s); err != nil || !changes {
		return err
	}
	return p.readers.receiveStatus(s, to)
}

// closeWriter closes a writer and then tries to write through it.
func (p *changes) closeWriter(s *stream, o program.Operation) error {
	id := s.writers[o.Who]
	if id == "" || len(s.writers) < 2 {
		return nil
	}
	path := "/writers/" + target.EscapeSegment(id)
	delete(s.writers, o.Who)
	s.closed = append(s.closed, id)
	delayed := data.NewChunk(s.Stream, s.Written(), s.Written(), program.Operation{Class: program.ASCIIText, Each: 1}).Body
	for range map[bool]int{false: 1, true: 2}[o.Twice] { // the second close may be refused and changes nothing
		if _, _, err := p.calls.call(s, "helix.lifecycle.writer-close", "DELETE", path, nil); err != nil {
			return err
		}
		if err := p.calls.refused(s, "helix.lifecycle.closed-writer", path+"/chunks", delayed); err != nil {
			return err
		}
	}
	return nil
}

// rejectBatch tries to write an array with a chunk that lacks a member required by its type: no chunk of it may be stored.
func (p *changes) rejectBatch(s *stream, o program.Operation) error {
	if s.Finished() || s.writers[1] == "" {
		return nil
	}
	bodies := make([][]byte, o.Count)
	for i := range bodies {
		marker := s.Marker(s.Written() + i)
		if bodies[i] = data.InvalidChunk(o.Who, marker); i != min(o.Cursor, o.Count-1) {
			bodies[i] = data.Encode(map[string]any{
				"type": "text_delta", "agentId": data.Agent, "agentType": "assistant", "timestamp": data.Epoch, "runId": marker + "-never", "delta": "never",
			})
		}
	}
	if err := p.writeEmptyArray(s, emptyArrays[o.Who%len(emptyArrays)]); err != nil {
		return err
	}
	body := slices.Concat([]byte("["), bytes.Join(bodies, []byte(",")), []byte("]"))
	p.env.counts["helix.chunks.all-or-nothing"]++
	s.Refuse(o.Count)
	return p.calls.refused(s, "helix.chunks.invalid-refused", "/writers/"+target.EscapeSegment(s.writers[1])+"/chunks", body)
}

// emptyArrays lists arrays without a chunk.
var emptyArrays = []string{`[]`, `[null]`, `[null,null]`, `[[]]`}

// writeEmptyArray writes an array without a chunk. The server may refuse it; readers may receive nothing of it:
// helix.chunks.object.
func (p *changes) writeEmptyArray(s *stream, body string) error {
	path := "/streams/" + target.EscapeSegment(s.id) + "/writers/" + target.EscapeSegment(s.writers[1]) + "/chunks"
	call, err := p.env.session.Call("POST", path, []byte(body), true)
	if err == nil {
		p.env.session.ForgetCall(call)
	}
	return err
}

// writeClosed writes chunks through a closed writer: it stays closed after every change of the stream.
func (p *changes) writeClosed(s *stream, o program.Operation) error {
	if len(s.closed) == 0 {
		return nil
	}
	path := "/writers/" + target.EscapeSegment(s.closed[(o.Who-1)%len(s.closed)]) + "/chunks"
	_, body := data.ChunksOf(s.Stream, program.Operation{Class: program.ASCIIText, Each: 1}, o.Count, s.Written())
	return p.calls.refused(s, "helix.lifecycle.closed-writer", path, body)
}

// reopened writes a chunk through the first closed writer.
func (p *changes) reopened(s *stream) error {
	return p.writeClosed(s, program.Operation{Who: 1, Count: 1})
}

// neighbours writes n other streams at the same time and reads each twice. It does nothing where the declared limit of
// streams, which other scenarios share, is too small.
func (p *changes) neighbours(n int) error {
	if limit := p.env.target.Limits().Streams; limit > 0 && limit < 4*n {
		return nil
	}
	var streams []*stream
	base := p.env.session.NewStream()
	for i := range n {
		s := &stream{
			Stream: streammodel.New(p.env.counts, streammodel.FamilyOf(base), fmt.Sprint(i+1)), id: p.env.session.NewStream(), writers: map[int]string{}, readers: map[int]*reader{},
		}
		if err := p.writers.write(s, program.Operation{Who: 1, Count: 1 + i%3, Each: 3, Step: program.Stepless, Class: program.MixedChunks, Size: 9}); err != nil {
			return err
		}
		if streams = append(streams, s); i%2 > 0 {
			if err := p.calls.snapshot(s, program.Operation{}); err != nil {
				return err
			}
		}
	}
	for i, s := range streams {
		if i < n/4 { // the first ones have more chunks than at their first snapshot
			if err := errors.Join(p.writers.write(s, program.Operation{Who: 1, Count: 1, Each: 1, Step: program.Stepless, Class: program.ASCIIText, Size: 1}), p.calls.snapshot(s, program.Operation{})); err != nil {
				return err
			}
		}
		if err := p.readers.readAll(s); err != nil {
			return err
		}
	}
	return nil
}

// over ends or fails the stream and has every reader receive the terminal frame.
func (p *changes) over(s *stream, o program.Operation) error {
	if s.Finished() {
		return p.delayed(s, o.Kind)
	}
	if err := p.readers.attached(s); err != nil {
		return err
	}
	s.terminalCalls++
	text := fmt.Sprintf("life %d", s.terminalCalls) // unique
	switch o.Class {
	case program.LongText:
		text += strings.Repeat(" "+data.Filler, min(300<<10, int(p.env.target.Limits().Within().String)-100)/(len(data.Filler)+1))
	case program.EmptyText:
		text = ""
	case program.ASCIIText:
		text += strings.Repeat(" "+data.Filler, o.Size/(len(data.Filler)+1))
	case program.EveryClass:
		for n := range 5 { // dozens of ends have all texts of the catalogue
			class, i := campaign.TextClass(o.Cursor + n)
			text += " " + campaign.Text(class, i, 1)
		}
	default:
		text = campaign.Text(o.Class, o.Cursor, 1)
	}
	if o.Kind == program.Fail {
		members := map[string]any{"error": text}
		if o.Code != "" {
			members["code"] = o.Code
		}
		if _, err := p.calls.must(s, "helix.lifecycle.fail", "POST", "/fail", members); err != nil {
			return err
		}
		s.Fail(text, o.Code)
	} else {
		members, output := map[string]any{}, data.FinalOutput(o.Count, text)
		if output != nil {
			members["finalOutput"] = json.RawMessage(output)
		}
		if _, err := p.calls.must(s, "helix.lifecycle.end", "POST", "/end", members); err != nil {
			return err
		}
		s.End(string(output))
	}
	if err := p.readers.dismiss(s); err != nil || o.After == "" {
		return err
	}
	return p.delayed(s, o.After)
}

// delayed ends or fails a finished stream, which changes nothing. It has the members that the first call left out.
func (p *changes) delayed(s *stream, how program.Kind) error {
	_, _, err := p.calls.call(s, "helix.lifecycle.first-terminal-wins", "POST", "/"+string(how), map[string]any{"error": "late", "code": "tool_timeout", "finalOutput": "late"})
	return err
}

// setState sets the initial state of a stream without chunks, if the server offers that. The last call before the first
// chunk counts, also after a reset, which keeps the state: helix.snapshot.exact.
func (p *changes) setState(s *stream, text string) error {
	if s.Finished() || s.Stored() > 0 || s.Status() != streammodel.Active {
		return nil
	}
	var state any
	if err := json.Unmarshal([]byte(text), &state); err != nil {
		return err
	}
	accepted, err := p.give(s, text)
	if accepted {
		s.Begin(state)
	}
	return err
}

// given sets the initial state of a new stream that a run will write, if the server offers that. A server may know no
// stream without a writer: then it opens and closes one.
func (p *changes) given(s *stream, state string) error {
	if state == "" || s.made {
		return nil
	}
	p.env.session.Owns(s.id)
	accepted, err := p.give(s, state)
	if err == nil && !accepted {
		if _, err = p.calls.open(s, 1, false); err == nil {
			_, _, err = p.calls.call(s, "helix.lifecycle.writer-close", "DELETE", "/writers/"+target.EscapeSegment(s.writers[1]), nil)
		}
		clear(s.writers)
		if _, missing := target.IsUnavailable(err); missing {
			return nil
		}
		if err == nil {
			accepted, err = p.give(s, state)
		}
	}
	if accepted {
		s.initialState = state
	}
	return err
}

// give sets the state of a stream without chunks and reports whether the server has accepted it.
func (p *changes) give(s *stream, state string) (accepted bool, err error) {
	if !p.env.target.Claims("snapshot") {
		return false, nil
	}
	_, accepted, err = p.calls.call(s, "helix.snapshot.exact", "PUT", "/state", []byte(state))
	if _, missing := target.IsUnavailable(err); missing {
		return false, nil
	}
	if accepted {
		p.env.session.Given(s.id, []byte(state))
	}
	return accepted, err
}
