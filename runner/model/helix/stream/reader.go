package stream

import (
	"cmp"
	"strconv"

	"github.com/streamcert/streamcert/runner/model"
)

// Reader models one reader: the frames that it must receive, on one connection after the other.
//
// Invariants: each chunk before next in the log was received, is removed, or was before the cursor. cursor ≤ last(), and
// last only grows on one connection. notices are in the attached ones of the stream from Attach or Reattach until Detach.
type Reader struct {
	s         *Stream // the stream that it reads; shared with other readers
	next      int     // index of the first chunk that it hasn't dealt with
	cursor    int64   // with which the connection began
	delivered int64   // the greatest id on this connection, 0 before the first
	notices   notices // of the current connection

	from     Position // where it began
	resumed  bool     // with a cursor
	rule     string   // that is about how it gave its cursor, "" for none
	written  int      // chunks that were written before it came
	finished bool     // the stream was by then
}

// Attach adds a reader that begins after a position; cursor reports that it sends one. Without, from is the zero Position.
func (s *Stream) Attach(from Position, cursor bool) *Reader {
	r := &Reader{s: s, next: from.at, cursor: from.ID, from: from, resumed: cursor}
	r.connect()
	return r
}

// ByQuery and AgainstQuery record how the reader sent its cursor, FromZero that it is 0, and Padded that it isn't in the
// shortest form: how that is read is then the cause of what it misses.
func (r *Reader) ByQuery()      { r.rule = "helix.resume.query" }
func (r *Reader) AgainstQuery() { r.rule = "helix.resume.header-wins" }
func (r *Reader) FromZero()     { r.rule = "helix.resume.zero" }
func (r *Reader) Padded()       { r.rule = "helix.resume.padded-cursor" }

// connect begins a connection.
func (r *Reader) connect() {
	s := r.s
	r.delivered, r.notices = 0, newNotices(s.status, s.log.cleanups, s.produced)
	r.finished, r.written = s.Finished(), len(s.log.chunks)
	s.attached[&r.notices] = true
}

// Detach ends the connection from the side of the reader, which remembers where it was.
func (r *Reader) Detach() {
	r.cursor = r.last()
	delete(r.s.attached, &r.notices)
}

// Reattach begins another connection at the position at which the last one ended.
func (r *Reader) Reattach() {
	r.Detach()
	r.resumed, r.from, r.rule = r.cursor > 0, r.Position(), ""
	r.connect()
}

// last returns the id that the reader received last, or its cursor.
func (r *Reader) last() int64 { return max(r.cursor, r.delivered) }

// Position returns where the reader would resume.
func (r *Reader) Position() Position { return Position{ID: r.last(), at: r.next} }

// Closed judges a response that was closed before the expected frame came; the reader resumes if that is allowed.
// helix.truncation.goes-on: it is after a truncated frame, and during a pause.
func (r *Reader) Closed() error {
	if r.notices.mayClose {
		return nil
	}
	rule := "helix.wire.stays-open"
	if expected := r.requirementFor(); expected == "helix.durable.finished" || expected == "helix.resume.finished-tail" {
		rule = expected
	}
	return model.Violated(rule, r.Expected(), "the end of the response", "the response was closed")
}

// nextChunk returns the next chunk that must come, nil if none must.
func (r *Reader) nextChunk() *Chunk {
	for r.next < len(r.s.log.chunks) { // what it knows to be removed can't come any more
		if c := r.s.log.chunks[r.next]; c.removedBy == 0 || c.removedBy > r.notices.cleanups {
			break
		}
		r.next++
	}
	for _, c := range r.s.log.chunks[r.next:] {
		if c.removedBy == 0 {
			return c
		}
	}
	return nil
}

// Expected names the frame that the reader must receive next, "" if it has everything.
func (r *Reader) Expected() string {
	switch c := r.nextChunk(); {
	case c != nil && !c.mayWait:
		return c.Marker
	case len(r.notices.pending) > 0:
		return "a " + r.notices.pending[0].kind + " frame"
	case r.s.Finished() && c == nil:
		return "the " + r.s.status.terminal() + " frame"
	}
	return ""
}

// Missed returns the violation of a reader that received another frame than the expected one, or nothing.
func (r *Reader) Missed(got string) error {
	return model.Violated(r.requirementFor(), r.Expected(), got, "a reader didn't get what was due")
}

// requirementFor returns the requirement that demands the expected frame.
func (r *Reader) requirementFor() string {
	switch c := r.nextChunk(); {
	case c == nil && r.s.Finished() && r.s.restart.status == r.s.status:
		return "helix.durable.finished"
	case c != nil && !c.mayWait && r.behindOther(c):
		return "helix.lifecycle.stalled-reader"
	case c != nil && !c.mayWait:
		return r.requirementOf(c)
	case len(r.notices.pending) > 0:
		return r.notices.requirement()
	case r.resumed && r.finished:
		return "helix.resume.finished-tail"
	case r.s.log.isEmpty():
		return "helix.lifecycle.empty-stream"
	case r.s.status == Failed:
		return "helix.lifecycle.fail"
	}
	return "helix.lifecycle.end"
}

// requirementOf returns the requirement that asks for a chunk to come now.
func (r *Reader) requirementOf(c *Chunk) string {
	before := c.index < r.written
	if rule := cmp.Or(r.s.restart.resumes(r.from.ID, r.resumed), r.s.restart.keeps(c)); rule != "" {
		return rule
	}
	switch {
	case r.notices.notified && !before:
		return "helix.truncation.goes-on"
	case before && c.survived && c.Step == Stepless && r.delivered == 0:
		return "helix.truncation.keeps-stepless"
	case before && c.survived && r.delivered == 0:
		return "helix.truncation.keeps"
	case c.paused:
		return "helix.status.written-while-paused"
	case r.resumed && r.from.removed:
		return "helix.resume.removed-cursor"
	case r.resumed && r.notices.paused:
		return "helix.resume.paused"
	case r.resumed && before:
		return cmp.Or(r.rule, "helix.resume.complete")
	case r.resumed && r.from.at == r.written:
		return "helix.resume.at-latest"
	case r.resumed:
		return "helix.resume.cycles"
	case before && r.finished:
		return "helix.lifecycle.finished-replay"
	case before:
		return "helix.lifecycle.late-reader"
	case r.notices.stalled:
		return "helix.lifecycle.slow-reader"
	case len(r.s.attached) == 1:
		return "helix.lifecycle.live"
	}
	return "helix.lifecycle.independent-readers"
}

// behindOther reports whether a chunk that was written since the reader came is expected while another reader stalls.
func (r *Reader) behindOther(c *Chunk) bool {
	return !r.notices.stalled && c.index >= r.written && r.s.Stalls()
}

// Answered judges the status of the answer to a reader that must be served.
func (r *Reader) Answered(status int) error {
	switch {
	case status == 200:
		r.s.Occasions.Saw("helix.wire.content-type")
		return nil
	case r.Expected() == "" && r.resumed:
		return model.Violated("helix.resume.at-latest", "200", strconv.Itoa(status), "a reader that resumed was not served")
	case r.Expected() == "":
		return model.Violated("helix.wire.content-type", "200", strconv.Itoa(status), "a reader was not served")
	}
	return model.Violated(r.requirementFor(), "200 and "+r.Expected(), strconv.Itoa(status), "a reader was not served")
}

// NoContent judges the answer to a reader that has the terminal frame: helix.resume.no-content.
func (s *Stream) NoContent(status int) error {
	if status != 204 {
		return model.Violated("helix.resume.no-content", "204", strconv.Itoa(status), "a reader that has the terminal frame was answered otherwise")
	}
	s.Occasions.Saw("helix.resume.no-content")
	return nil
}

// id reads the id of a frame of the log and moves the connection on.
func (r *Reader) id(f Frame, what string) (int64, error) {
	id, err := strconv.ParseInt(f.ID, 10, 64)
	switch last := r.last(); {
	case err != nil || !f.HasID:
		return 0, model.Violated(map[bool]string{true: "helix.wire.terminal-id", false: "helix.wire.chunk-id"}[what == "end" || what == "fail"],
			"an id of digits", strconv.Quote(f.ID), "%s has none", what)
	case id < 1:
		return 0, model.Violated("helix.ordering.at-least-one", "an id of at least 1", ids(id), "%s has none", what)
	case id <= last && r.resumed && r.delivered == 0:
		return 0, model.Violated(cmp.Or(r.s.restart.resumes(r.from.ID, r.resumed), r.rule, "helix.resume.after-cursor"), "an id above "+ids(last), ids(id), "%s came after that cursor", what)
	case id == last && r.delivered > 0:
		return 0, model.Violated("helix.ordering.distinct-sequences", "an id above "+ids(last), ids(id), "%s came with the id of what came before", what)
	case id <= last:
		return 0, model.Violated("helix.ordering.ascending", "an id above "+ids(last), ids(id), "%s came after that one", what)
	}
	if r.resumed && r.delivered == 0 {
		r.s.Occasions.Saw("helix.resume.after-cursor")
	}
	r.s.Occasions.Saw("helix.ordering.ascending")
	r.s.Occasions.Saw("helix.ordering.at-least-one")
	r.delivered = id
	return id, nil
}

// repeats returns the requirement that a repeated chunk breaks.
func (r *Reader) repeats() string {
	return cmp.Or(r.s.restart.resumes(r.from.ID, r.resumed), map[bool]string{true: "helix.resume.complete"}[r.resumed], "helix.lifecycle.late-reader")
}

// Stall notes that the reader takes nothing for a while.
func (r *Reader) Stall() { r.notices.stall() }

// Stalled reports whether the reader ever stalled on this connection.
func (r *Reader) Stalled() bool { return r.notices.stalled }

// Sure returns a lower bound of the bytes that the reader will receive, about half of those written for it.
func (r *Reader) Sure() (bytes int) {
	for _, c := range r.s.log.chunks[r.next:] {
		if c.removedBy == 0 && !c.mayWait {
			bytes += len(c.Body) / 2
		}
	}
	return bytes
}
