package helix

import (
	"encoding/json"
	"strconv"

	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// seat attaches a reader in a slot; who was there is cut. Of a finished stream it
// receives everything at once.
func (p *play) seat(s *stream, slot int, from known, cursor *string, query map[string]string) error {
	p.cut(s, slot)
	r, err := p.attach(s, from, cursor, query)
	if err != nil {
		return err
	}
	s.readers[slot] = r
	if s.finished() {
		return p.dismiss(s)
	}
	return nil
}

// cut closes a reader's connection; the reader remembers where it was.
func (p *play) cut(s *stream, slot int) {
	if r := s.readers[slot]; r != nil && r.conn != nil {
		r.conn.Cut()
		r.cursor, r.conn = max(r.cursor, r.delivered), nil
	}
}

// dismiss lets every reader of a finished stream receive what is left.
func (p *play) dismiss(s *stream) error {
	if err := p.drainAll(s); err != nil {
		return err
	}
	for slot, r := range s.readers {
		if r != nil && r.conn != nil {
			p.cut(s, slot)
			s.readers[slot] = nil // it has seen the end and doesn't come back
		}
	}
	return nil
}

// resume attaches after a cursor: where the reader in the slot was, or any id
// that is known.
func (p *play) resume(s *stream, o Operation) error {
	all := s.cursors()
	from := all[max(0, o.Cursor)%len(all)]
	if o.Cursor == none {
		r := s.readers[o.Reader]
		if r == nil {
			return p.seat(s, o.Reader, known{}, nil, nil)
		}
		p.cut(s, o.Reader)
		from = known{r.cursor, r.at}
	}
	id := strconv.FormatInt(from.id, 10)
	switch {
	case from.id == 0 && o.Cursor == none: // it has received nothing
		return p.seat(s, o.Reader, known{}, nil, nil)
	case o.Query && o.Cursor == none: // as an EventSource does
		return p.seat(s, o.Reader, from, &id, map[string]string{"fromSequence": "0"})
	case o.Query:
		return p.seat(s, o.Reader, from, nil, map[string]string{"fromSequence": id})
	}
	return p.seat(s, o.Reader, from, &id, nil)
}

// info compares StreamInfo with the model.
func (p *play) info(s *stream) error {
	e, err := helix.AskInfo(p.session, target.DocumentRequest{Stream: s.id})
	if err != nil {
		return broken(e, "%v", err)
	}
	var got struct {
		Status         string   `json:"status"`
		LatestSequence *float64 `json:"latestSequence"` // 2.0 is an integer
		ChunkCount     *float64 `json:"chunkCount"`
	}
	v := e.Now()
	if err := json.Unmarshal(v.Answer, &got); v.Status != 200 || err != nil || got.LatestSequence == nil || got.ChunkCount == nil {
		return broken(e, "StreamInfo was answered %d %s", v.Status, v.Answer)
	}
	if got.Status != s.status {
		return broken(e, "StreamInfo says %s of a stream that is %s", got.Status, s.status)
	}
	if n, held := s.stored(); !held && *got.ChunkCount != float64(n) {
		return broken(e, "StreamInfo counts %v chunks, and %d are stored", *got.ChunkCount, n)
	}
	return s.latest(e, int64(*got.LatestSequence))
}

// latest compares latestSequence with the ids that are known. Before the first
// chunk after a reset it may be any.
func (s *stream) latest(e *target.Exchange, got int64) error {
	if s.life == len(s.chunks) {
		if s.life == 0 && got != 0 {
			return broken(e, "StreamInfo says latestSequence %d of a stream without chunks", got)
		}
		return nil
	}
	known := int64(0)
	for _, c := range s.chunks {
		known = max(known, c.id)
	}
	last := s.chunks[len(s.chunks)-1]
	if got < known || last.id != 0 && got != known {
		return broken(e, "StreamInfo says latestSequence %d, and a chunk was sent with id %d", got, known)
	}
	return nil
}

// finish looks at every stream once more: who is attached receives what was
// missing and a last chunk, a fresh reader all of it, and then the end; a reader
// with the last chunk gets the end alone, and who has the end an answer of 204.
func (p *play) finish() error {
	for _, s := range p.streams {
		if !s.finished() {
			if err := p.lastWords(s); err != nil {
				return err
			}
		}
		if p.target.Claims("info") {
			if err := p.info(s); err != nil {
				return err
			}
		}
		if err := p.seat(s, 0, known{}, nil, nil); err != nil {
			return err
		}
		if p.target.Claims("resume") {
			if err := p.tails(s); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *play) lastWords(s *stream) error {
	if s.status == "paused" {
		if err := p.setStatus(s, "active"); err != nil {
			return err
		}
	}
	if err := p.write(s, writers, []int{none}); err != nil {
		return err
	}
	if err := p.drainAll(s); err != nil {
		return err
	}
	fresh, err := p.attach(s, known{}, nil, nil)
	if err != nil {
		return err
	}
	if err := p.drain(fresh); err != nil {
		return err
	}
	fresh.conn.Cut()
	if p.target.Claims("info") {
		if err := p.info(s); err != nil {
			return err
		}
	}
	return p.over(s, "ended")
}

// tails resumes at the last chunk and at the terminal frame of a finished stream.
func (p *play) tails(s *stream) error {
	for i := len(s.chunks) - 1; i >= s.life; i-- {
		if c := s.chunks[i]; c.removedBy == 0 {
			id := strconv.FormatInt(c.id, 10)
			if err := p.seat(s, 0, known{c.id, i + 1}, &id, nil); err != nil {
				return err
			}
			break
		}
	}
	id := strconv.FormatInt(s.terminals[len(s.terminals)-1].id, 10)
	conn, err := helix.Attach(p.session, target.ReadRequest{Stream: s.id, Cursor: &id})
	if err != nil {
		return err
	}
	v, err := conn.Head()
	if err != nil {
		return broken(conn.Exchange, "%v", err)
	}
	if v.Status != 204 {
		return broken(conn.Exchange, "a reader that has the terminal frame was answered %d, and not 204", v.Status)
	}
	conn.Cut()
	return nil
}
