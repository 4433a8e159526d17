package helix

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
	"github.com/streamcert/streamcert/runner/wire"
)

// reader is a client and what the model expects it to receive.
type reader struct {
	s         *stream
	conn      *target.Reader
	at        int // index of the first chunk that it hasn't dealt with
	cursor    int64
	delivered int64    // the greatest id on this connection
	cleanups  int      // cleanups that it knows of, or that were before its time
	known     string   // the status that it knows of; empty if it may get either
	notices   []notice // that it must still receive
	spare     int      // truncated frames that it may receive for cleanups that removed nothing
	closable  bool     // the server may have closed the response
	head      bool     // it was answered
}

// notice is a frame that is no part of the log.
type notice struct {
	kind    string // status or truncated
	status  string
	step    int
	ordinal int // of the cleanup
}

// message is a frame as it comes.
type message struct {
	Type            string          `json:"type"`
	Chunk           json.RawMessage `json:"chunk"`
	Status          string          `json:"status"`
	Error           string          `json:"error"`
	FinalOutput     json.RawMessage `json:"finalOutput"`
	TruncatedAtStep *float64        `json:"truncatedAtStep"` // 2.0 is an integer
	AtSequence      *float64        `json:"atSequence"`
}

// attach connects a reader after a cursor.
func (p *play) attach(s *stream, from known, cursor *string, query map[string]string) (*reader, error) {
	r := &reader{s: s, at: from.at, cursor: from.id}
	return r, p.connect(r, target.ReadRequest{Cursor: cursor, Query: query})
}

func (p *play) connect(r *reader, request target.ReadRequest) error {
	request.Stream = r.s.id
	conn, err := helix.Attach(p.session, request)
	if err != nil {
		return err
	}
	r.conn, r.delivered, r.cleanups, r.known = conn, 0, r.s.cleanups, r.s.status
	r.notices, r.spare, r.head = nil, 0, false
	r.closable = r.s.status == "paused"
	return nil
}

// answered waits for the head: from then on the reader is attached.
func (r *reader) answered() error {
	if r.head {
		return nil
	}
	v, err := r.conn.Head()
	switch {
	case err != nil:
		return broken(r.conn.Exchange, "the reader was not answered: %v", err)
	case v.Status != 200:
		return broken(r.conn.Exchange, "the reader was answered %d", v.Status)
	}
	r.head = true
	return nil
}

// due is the body that the reader must receive next before anything else is done, empty
// if it has everything.
func (r *reader) due() string {
	for _, c := range r.s.chunks[r.at:] {
		if c.removedBy == 0 && !c.held {
			return string(c.body)
		}
	}
	if len(r.notices) > 0 {
		return "a " + r.notices[0].kind + " frame"
	}
	if r.s.finished() {
		return "the " + r.s.over() + " frame"
	}
	return ""
}

// drain receives everything that is due.
func (p *play) drain(r *reader) error {
	if err := r.answered(); err != nil {
		return err
	}
	var by time.Time
	for awaited, closed := "", 0; ; {
		due := r.due()
		switch due {
		case "":
			return nil
		case awaited: // what isn't awaited takes no more time
		default:
			awaited, by = due, p.target.By()
		}
		f, err := r.conn.Next(due, by)
		if err != nil {
			return broken(r.conn.Exchange, "%v", err)
		}
		if f == nil {
			if closed++; closed > maxReconnects {
				return broken(r.conn.Exchange, "the response is closed again and again before %s came", due)
			}
			if err := p.reconnect(r); err != nil {
				return err
			}
			continue
		}
		over, err := r.take(f)
		if err != nil {
			return err
		}
		if over {
			return p.closed(r)
		}
	}
}

// maxReconnects bounds how often a response may be closed while one thing is
// waited for.
const maxReconnects = 20

// reconnect goes on where the server closed the response, if it may do that.
func (p *play) reconnect(r *reader) error {
	v := r.conn.Now()
	if !r.closable || v.End != record.ServerClose {
		return broken(r.conn.Exchange, "the response ended before %s came", r.due())
	}
	request := target.ReadRequest{}
	if last := max(r.cursor, r.delivered); last > 0 {
		id := strconv.FormatInt(last, 10)
		request.Cursor = &id
		r.cursor = last
	}
	if err := p.connect(r, request); err != nil {
		return err
	}
	r.closable = r.s.status == "paused"
	return r.answered()
}

// closed waits for the end of the body after the terminal frame.
func (p *play) closed(r *reader) error {
	for {
		f, err := r.conn.Next("the end of the response", time.Now().Add(p.target.Timing().Deadline))
		switch {
		case err != nil:
			return broken(r.conn.Exchange, "%v", err)
		case f == nil && r.conn.Now().End != record.ServerClose:
			return broken(r.conn.Exchange, "the connection broke after the terminal frame")
		case f == nil:
			return nil
		case f.Dispatched():
			return broken(r.conn.Exchange, "%s came after the terminal frame", f.Data)
		}
	}
}

// take compares a frame with what may come. It reports whether it was the
// terminal frame.
func (r *reader) take(f *wire.Frame) (over bool, err error) {
	if !f.Dispatched() {
		return false, nil
	}
	var m message
	if err := json.Unmarshal(f.Data, &m); err != nil {
		return false, broken(r.conn.Exchange, "a frame can't be read: %v", err)
	}
	switch m.Type {
	case "chunk":
		return false, r.chunk(f, m)
	case "end", "fail":
		return true, r.terminal(f, m)
	case "status", "truncated":
		if f.HasID && f.ID != strconv.FormatInt(max(r.cursor, r.delivered), 10) {
			return false, broken(r.conn.Exchange, "a %s frame came with id %q", m.Type, f.ID)
		}
		if m.Type == "status" {
			return false, r.status(m)
		}
		return false, r.truncated(m)
	}
	return false, nil
}

// id reads the id of a frame of the log and moves the connection on.
func (r *reader) id(f *wire.Frame) (int64, error) {
	id, err := strconv.ParseInt(f.ID, 10, 64)
	switch last := max(r.cursor, r.delivered); {
	case err != nil || !f.HasID:
		return 0, broken(r.conn.Exchange, "%s came with id %q", f.Data, f.ID)
	case id <= last:
		return 0, broken(r.conn.Exchange, "%s came with id %d after id %d", f.Data, id, last)
	}
	r.delivered = id
	return id, nil
}

func (r *reader) chunk(f *wire.Frame, m message) error {
	i, err := r.s.named(m.Chunk)
	if err != nil {
		return broken(r.conn.Exchange, "%v: %s", err, m.Chunk)
	}
	c := r.s.chunks[i]
	switch {
	case i < r.at:
		return broken(r.conn.Exchange, "%s came again, or too late", c.body)
	case c.removedBy != 0 && c.removedBy <= r.cleanups:
		return broken(r.conn.Exchange, "%s came though it was removed", c.body)
	}
	for _, missed := range r.s.chunks[r.at:i] {
		if missed.removedBy == 0 {
			return broken(r.conn.Exchange, "%s came, and before it %s was due", c.body, missed.body)
		}
	}
	id, err := r.id(f)
	if err != nil {
		return err
	}
	r.at = i + 1
	return r.s.assign(c, id, r.conn.Exchange)
}

func (r *reader) terminal(f *wire.Frame, m message) error {
	for _, c := range r.s.chunks[r.at:] {
		if c.removedBy == 0 {
			return broken(r.conn.Exchange, "the %s frame came, and before it %s was due", m.Type, c.body)
		}
	}
	if m.Type != r.s.over() {
		return broken(r.conn.Exchange, "the %s frame came, and the stream is %s", m.Type, r.s.status)
	}
	said := m.Error
	if m.Type == "end" {
		said = r.s.final // it may be left out
		if m.FinalOutput != nil {
			said = compact(m.FinalOutput)
		}
	}
	if said != r.s.final {
		return broken(r.conn.Exchange, "the %s frame says %s, and the stream has %s", m.Type, said, r.s.final)
	}
	id, err := r.id(f)
	if err != nil {
		return err
	}
	for _, c := range r.s.chunks {
		if id <= c.id {
			return broken(r.conn.Exchange, "the %s frame has id %d, and %s had id %d", m.Type, id, c.body, c.id)
		}
	}
	r.s.sent = max(r.s.sent, id)
	r.s.terminals = append(r.s.terminals, known{id, len(r.s.chunks)})
	r.at = len(r.s.chunks)
	return nil
}

func (r *reader) status(m message) error {
	i := slices.IndexFunc(r.notices, func(n notice) bool { return n.kind == "status" })
	switch {
	case i >= 0 && r.notices[i].status == m.Status:
		r.notices = slices.Delete(r.notices, i, i+1)
		r.known = m.Status
	case r.known != "" && r.known != m.Status: // once more what it knows is no harm
		return broken(r.conn.Exchange, "a status frame says %q to a reader that knows %s", m.Status, r.known)
	}
	return nil
}

func (r *reader) truncated(m message) error {
	if m.AtSequence != nil && *m.AtSequence < float64(r.delivered) {
		return broken(r.conn.Exchange, "a truncated frame says atSequence %.0f after id %d", *m.AtSequence, r.delivered)
	}
	i := slices.IndexFunc(r.notices, func(n notice) bool { return n.kind == "truncated" })
	named := i >= 0 && m.TruncatedAtStep != nil && *m.TruncatedAtStep == float64(r.notices[i].step)
	switch {
	case r.spare > 0 && !named:
		r.spare--
	case i < 0:
		return broken(r.conn.Exchange, "a truncated frame came, and this reader knew of every removal since it attached")
	case !named:
		return broken(r.conn.Exchange, "a truncated frame says step %s after a cleanup to step %d", optional(m.TruncatedAtStep), r.notices[i].step)
	default:
		if r.spare == 0 { // else it may be one for nothing, and the right one still comes
			r.cleanups = r.notices[i].ordinal
		}
		r.notices = slices.Delete(r.notices, i, i+1)
	}
	r.closable = true
	return nil
}

func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return string(raw)
	}
	return b.String()
}

func optional(n *float64) string {
	if n == nil {
		return "nothing"
	}
	return fmt.Sprint(*n)
}
