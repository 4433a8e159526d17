package helix

import (
	"encoding/json"
	"errors"
	"strconv"

	"github.com/streamcert/streamcert/runner/target"
)

// play performs operations and keeps the model.
type play struct {
	session *target.Session
	target  *target.Target
	streams []*stream
}

// begin makes the streams.
func (p *play) begin(n int) error {
	for i := range n {
		s := &stream{id: p.session.NewStream(), number: i, writers: map[int]string{}, status: "active", owners: map[int64]*chunk{}}
		p.streams = append(p.streams, s)
		if _, err := p.writer(s, 0); err != nil {
			return err
		}
	}
	return nil
}

// do performs one operation.
func (p *play) do(o Operation) error {
	s := p.streams[o.Stream]
	if r := s.readers[o.Reader]; r != nil && r.conn != nil && (o.Kind == Receive || o.First && (o.Kind == Cut || o.Kind == Resume)) {
		if err := p.drain(r); err != nil {
			return err
		}
	}
	switch o.Kind {
	case Write:
		return p.write(s, o.Writer, o.Steps)
	case CloseWriter:
		return p.closeWriter(s, o.Writer)
	case Cleanup:
		return p.cleanup(s, o.Step)
	case Reset:
		return p.reset(s)
	case Pause:
		return p.setStatus(s, "paused")
	case Activate:
		return p.setStatus(s, "active")
	case Attach:
		return p.seat(s, o.Reader, known{}, nil, nil)
	case Cut:
		p.cut(s, o.Reader)
	case Resume:
		return p.resume(s, o)
	case End:
		return p.over(s, "ended")
	case Fail:
		return p.over(s, "failed")
	case Info:
		return p.info(s)
	}
	return nil
}

// call makes a control call. What the server doesn't offer is an error, what it
// doesn't answer a violation.
func (p *play) call(s *stream, method, path string, body any) (call *target.Exchange, accepted bool, err error) {
	var raw []byte
	if body != nil {
		raw = encode(body)
	}
	call, err = p.session.Call(method, "/streams/"+target.EscapeSegment(s.id)+path, raw, false)
	var missing *target.UnavailableError
	switch {
	case errors.As(err, &missing):
		return call, false, err
	case err != nil:
		return call, false, broken(call, "%v", err)
	}
	status := call.Now().Status
	if status/100 != 2 && status/100 != 4 {
		return call, false, broken(call, "the control call was answered %d", status)
	}
	return call, status/100 == 2, nil
}

// must makes a control call that can't be refused.
func (p *play) must(s *stream, method, path string, body any) (*target.Exchange, error) {
	call, accepted, err := p.call(s, method, path, body)
	if err == nil && !accepted {
		err = broken(call, "a stream that is %s refused %s %s", s.status, method, path)
	}
	return call, err
}

// writer returns an open writer.
func (p *play) writer(s *stream, n int) (string, error) {
	if id := s.writers[n]; id != "" {
		return id, nil
	}
	call, err := p.must(s, "POST", "/writers", map[string]any{"agentId": "agent-" + strconv.Itoa(n), "agentType": "assistant"})
	if err != nil {
		return "", err
	}
	var answer struct {
		WriterID string `json:"writerId"`
	}
	if err := json.Unmarshal(call.Now().Answer, &answer); err != nil || answer.WriterID == "" {
		return "", broken(call, "opening a writer returned no writerId")
	}
	s.writers[n] = answer.WriterID
	return answer.WriterID, nil
}

func (p *play) write(s *stream, n int, steps []int) error {
	if s.finished() && s.writers[n] == "" {
		return nil
	}
	id, err := p.writer(s, n)
	if err != nil {
		return err
	}
	var chunks []*chunk
	var bodies []json.RawMessage
	before := len(s.chunks)
	for _, step := range steps {
		c := s.newChunk(n, step)
		s.chunks = append(s.chunks, c) // so that the next is another
		chunks, bodies = append(chunks, c), append(bodies, c.body)
	}
	var body any = bodies
	if len(bodies) == 1 {
		body = bodies[0]
	}
	if !s.finished() {
		_, err := p.must(s, "POST", "/writers/"+target.EscapeSegment(id)+"/chunks", body)
		return err
	}
	s.chunks = s.chunks[:before]
	return p.refused(s, id, body)
}

// refused writes what must not be taken.
func (p *play) refused(s *stream, writer string, body any) error {
	call, err := p.session.Call("POST", "/streams/"+target.EscapeSegment(s.id)+"/writers/"+target.EscapeSegment(writer)+"/chunks", encode(body), true)
	if err != nil {
		return broken(call, "%v", err)
	}
	if status := call.Now().Status; status/100 != 4 {
		return broken(call, "a write that must be refused was answered %d", status)
	}
	return nil
}

// closeWriter closes a writer and tries to write through it nevertheless.
func (p *play) closeWriter(s *stream, n int) error {
	id := s.writers[n]
	if id == "" {
		return nil
	}
	delete(s.writers, n)
	if _, _, err := p.call(s, "DELETE", "/writers/"+target.EscapeSegment(id), nil); err != nil {
		return err
	}
	return p.refused(s, id, json.RawMessage(s.newChunk(n, none).body))
}

// attached waits until every reader is: who attaches while a notice is sent may
// or may not receive it.
func (p *play) attached(s *stream) error {
	for _, r := range s.readers {
		if r != nil && r.conn != nil {
			if err := r.answered(); err != nil {
				return err
			}
		}
	}
	return nil
}

// announce lets every attached reader expect a notice.
func (s *stream) announce(n notice) {
	for _, r := range s.readers {
		if r != nil && r.conn != nil {
			r.notices = append(r.notices, n)
			r.closable = true
		}
	}
}

func (p *play) drainAll(s *stream) error {
	for _, r := range s.readers {
		if r != nil && r.conn != nil {
			if err := p.drain(r); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *play) cleanup(s *stream, step int) error {
	if err := p.attached(s); err != nil {
		return err
	}
	call, accepted, err := p.call(s, "POST", "/cleanup", map[string]any{"stepCount": step})
	switch {
	case err != nil || !accepted && s.finished():
		return err
	case !accepted:
		return broken(call, "a stream that is %s refused a cleanup", s.status)
	}
	s.truncate(step, func(c *chunk) bool { return c.step > step })
	return nil
}

// reset may be refused by a stream that is finished, and may close its writers.
// Nothing says whether it tells readers that a pause is over, so a paused stream
// is made active first.
func (p *play) reset(s *stream) error {
	if s.status == "paused" {
		if err := p.setStatus(s, "active"); err != nil {
			return err
		}
	}
	if err := p.attached(s); err != nil {
		return err
	}
	call, accepted, err := p.call(s, "POST", "/reset", map[string]any{})
	switch {
	case err != nil:
		return err
	case !accepted && s.finished():
		return nil
	case !accepted:
		return broken(call, "a stream that is %s refused a reset", s.status)
	}
	s.status, s.life = "active", len(s.chunks)
	clear(s.writers)
	s.truncate(0, func(*chunk) bool { return true })
	return nil
}

func (p *play) setStatus(s *stream, to string) error {
	if err := p.attached(s); err != nil {
		return err
	}
	call, accepted, err := p.call(s, "POST", "/status", map[string]any{"status": to})
	switch {
	case err != nil || s.finished():
		return err // whether it is refused or has no effect is the server's choice
	case !accepted:
		return broken(call, "a stream that is %s can't be made %s", s.status, to)
	case s.status == to:
		return nil
	}
	s.status = to
	if to == "active" {
		s.release()
	}
	s.announce(notice{kind: "status", status: to})
	return p.drainAll(s)
}

// over ends or fails the stream and lets every reader see that.
func (p *play) over(s *stream, how string) error {
	path, body, final := "/end", map[string]any{"finalOutput": map[string]any{"said": true}}, `{"said":true}`
	if how == "failed" {
		path, body, final = "/fail", map[string]any{"error": "broke"}, "broke"
	}
	call, accepted, err := p.call(s, "POST", path, body)
	if err != nil || s.finished() {
		return err // a second one changes nothing, refused or not
	}
	if !accepted {
		return broken(call, "a stream that is %s refused %s", s.status, path)
	}
	s.status, s.final = how, final
	s.release()
	for _, r := range s.readers {
		if r != nil {
			r.notices = nil // nobody waits for a notice any more
			r.spare += s.cleanups
			r.known = ""
		}
	}
	return p.dismiss(s)
}
