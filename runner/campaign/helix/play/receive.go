package play

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	"github.com/streamcert/streamcert/runner/frame"
	streammodel "github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/record"
)

// drain receives every expected frame.
func (p *readers) drain(r *reader) error {
	if err := r.answered(); err != nil {
		return err
	}
	if r.stalled {
		r.conn.Resume()
		r.stalled = false
	}
	var by time.Time
	for awaited, closed := "", 0; ; {
		due := r.Expected()
		switch due {
		case "":
			p.trim(r)
			p.received(r.s)
			return nil
		case awaited: // an unchanged expectation doesn't extend the deadline
		default:
			awaited, by = due, p.env.target.By()
		}
		f, err := r.conn.Next(due, by)
		if err != nil {
			return campaign.At(r.conn.Exchange, r.Missed(err.Error()))
		}
		if f == nil {
			if closed++; closed > mostReconnects {
				return campaign.At(r.conn.Exchange, r.Missed("the end of the response, again and again"))
			}
			if err := p.reconnect(r); err != nil {
				return err
			}
			continue
		}
		if !f.Dispatched() {
			continue
		}
		over, err := r.Take(streammodel.Frame{ID: f.ID, HasID: f.HasID, Data: f.Data})
		if err != nil {
			return campaign.At(r.conn.Exchange, err)
		}
		if over {
			p.received(r.s)
			return p.closed(r)
		}
		if r.conn.Taken() > trimmed {
			p.trim(r)
		}
	}
}

// finishReader has a reader receive every expected frame and leave.
func (p *readers) finishReader(r *reader) error {
	if err := p.drain(r); err != nil {
		return err
	}
	return p.disconnect(r)
}

// takeArrived has every reader process the frames that have already come.
func (p *readers) takeArrived(s *stream) error {
	for _, r := range s.readers {
		if r.conn == nil || r.stalled {
			continue
		}
		for v := r.conn.Now(); r.conn.Taken() < len(v.Frames); {
			f, err := r.conn.Next("", p.env.target.By())
			if err != nil || f == nil {
				return nil // a later wait for expected frames reports it
			}
			if !f.Dispatched() {
				continue
			}
			if _, err := r.Take(streammodel.Frame{ID: f.ID, HasID: f.HasID, Data: f.Data}); err != nil {
				return campaign.At(r.conn.Exchange, err)
			}
		}
	}
	return nil
}

// reconnect resumes after the server closed the response, if it may do that.
func (p *readers) reconnect(r *reader) error {
	if err := r.Closed(); err != nil && !p.declared(r.conn) {
		return campaign.At(r.conn.Exchange, err)
	}
	if v := r.conn.Now(); v.End != record.ServerClose && !r.Stalled() {
		return campaign.Broken(r.conn.Exchange, "helix.wire.stays-open", r.Expected(), "a broken connection", "the response broke off")
	}
	if err := p.judged(r.conn); err != nil {
		return err
	}
	return p.connectAgain(r)
}

// closed waits for the end of the body after the terminal frame.
func (p *readers) closed(r *reader) error {
	for {
		f, err := r.conn.Next("the end of the response", p.env.target.By())
		switch {
		case err != nil:
			return campaign.Broken(r.conn.Exchange, "helix.lifecycle.body-closes", "the end of the response", err.Error(), "the response stayed open after the terminal frame")
		case f == nil && r.conn.Now().End != record.ServerClose:
			return campaign.Broken(r.conn.Exchange, "helix.lifecycle.body-closes", "a clean end", "a broken connection", "the connection broke after the terminal frame")
		case f == nil:
			p.env.counts["helix.lifecycle.body-closes"]++
			return nil
		case f.Dispatched():
			return campaign.At(r.conn.Exchange, r.After(streammodel.Frame{ID: f.ID, HasID: f.HasID, Data: f.Data}))
		}
	}
}

// readN receives o.Most events, or all expected ones if they are fewer, and leaves.
func (p *readers) readN(r *reader, o program.Operation) error {
	if err := r.answered(); err != nil {
		return err
	}
	for range o.Most {
		due := r.Expected()
		if due == "" {
			break
		}
		f, err := r.conn.Next(due, p.env.target.By())
		switch {
		case err != nil:
			return campaign.At(r.conn.Exchange, r.Missed(err.Error()))
		case f == nil && r.conn.Now().End != record.ClientClose && !p.declared(r.conn):
			return errors.Join(campaign.At(r.conn.Exchange, r.Closed()), p.disconnect(r))
		case f == nil: // the reader has received enough, status frames included
			return p.disconnect(r)
		case !f.Dispatched():
			continue
		}
		if over, err := r.Take(streammodel.Frame{ID: f.ID, HasID: f.HasID, Data: f.Data}); err != nil || over {
			return errors.Join(campaign.At(r.conn.Exchange, err), p.disconnect(r))
		}
	}
	return p.disconnect(r)
}

// trim releases processed frames of a response that is too long for the judge.
func (p *readers) trim(r *reader) {
	if r.conn.Taken() > mostJudged {
		r.conn.ForgetTaken()
	}
}

// received records how many events and bytes of a stream a reader has received.
func (p *readers) received(s *stream) {
	p.proven.Events = max(p.proven.Events, s.Stored())
	p.proven.Bytes = max(p.proven.Bytes, s.largest)
}

// rule returns the requirement on readers with such a cursor.
func (a *beyondCursor) rule() string {
	if a.large {
		return "helix.resume.large-cursor"
	}
	return "helix.resume.beyond-latest"
}

// passLatest judges the answer to a reader with a cursor beyond the latest event. A reader that is served waits until
// the stream is over.
func (p *readers) passLatest(s *stream, a *beyondCursor) error {
	rule := a.rule()
	p.env.counts[rule]++
	allowed := []int{http.StatusBadRequest, http.StatusConflict, http.StatusGone, http.StatusRequestedRangeNotSatisfiable}
	if s.Finished() {
		rule, allowed = "helix.resume.no-content", []int{http.StatusBadRequest}
	}
	if a.large || s.Finished() {
		allowed = append(allowed, http.StatusNoContent)
	}
	switch status := a.conn.Now().Status; {
	case status == http.StatusOK && !s.Finished():
		s.beyondCursor = append(s.beyondCursor, a)
		return nil
	case !slices.Contains(allowed, status):
		return campaign.Broken(a.conn.Exchange, rule, fmt.Sprint(allowed), fmt.Sprint(status), "a reader with the cursor %s, which is beyond every id, was answered otherwise", a.text)
	}
	p.env.session.Forget(a.conn)
	return nil
}

// passOthers checks the frames that such readers received of a finished stream.
func (p *readers) passOthers(s *stream) error {
	waiting := s.beyondCursor
	s.beyondCursor = nil
	for _, a := range waiting {
		if err := p.wasBeyondLatest(a); err != nil {
			return err
		}
		p.env.session.Forget(a.conn)
	}
	return nil
}

// receiveStatus waits until such readers receive a status frame, as all others do. A server may close a response then.
func (p *readers) receiveStatus(s *stream, to streammodel.Status) error {
	for _, a := range s.beyondCursor {
		err := p.receiveFrame(a, "helix.status.frames", "a status frame that says "+string(to), func(f frame.Content) bool { return f.Status == string(to) })
		if err != nil {
			return err
		}
	}
	return nil
}

// wasBeyondLatest receives the response up to the terminal frame.
func (p *readers) wasBeyondLatest(a *beyondCursor) error {
	return p.receiveFrame(a, "helix.lifecycle.end", "the terminal frame", func(f frame.Content) bool { return f.Terminal() })
}

// receiveFrame receives frames up to the one that the requirement expected asks for, or to the end of the response,
// which the server may close at a pause and after a truncation. No chunk may have an id up to the cursor.
func (p *readers) receiveFrame(a *beyondCursor, expected, awaited string, is func(frame.Content) bool) error {
	for {
		f, err := a.conn.Next(awaited, p.env.target.By())
		if err != nil {
			return campaign.Broken(a.conn.Exchange, expected, awaited, err.Error(), "a reader that is ahead isn't told what becomes of the stream")
		}
		if f == nil {
			return nil
		}
		m, _ := frame.Decode(f.Data)
		if is(m) {
			return nil
		}
		if m.Type == "chunk" && float64(m.Sequence.N) <= a.from {
			return campaign.Broken(a.conn.Exchange, a.rule(), "no chunk up to "+a.text, fmt.Sprint(m.Sequence.N), "a chunk came to a reader that is ahead of it")
		}
	}
}
