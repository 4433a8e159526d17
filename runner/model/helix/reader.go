package helix

import (
	"cmp"
	"strconv"
)

// Reader is what one reader must receive, on one connection after the other.
type Reader struct {
	s                     *Stream
	at                    int // index of the first chunk that it hasn't dealt with
	cursor                int64
	delivered             int64    // the greatest id on this connection
	cleanups              int      // cleanups that it knows of, or that were before its time
	known                 Status   // the status that it knows of; "" if it may get either
	notices               []notice // that it must still receive
	extraTruncatedAllowed int      // truncated frames that it may receive for cleanups that removed nothing
	mayClose              bool     // the server may have closed the response
	statusUnknown         bool     // a pause ended by a reset, so that a frame that says active may come at any time
	statusUndecided       bool     // frames may be on their way that nobody has to send, so that none says how things are
	notified              bool     // it got a truncated frame on this connection
	stalled               bool     // nobody takes what comes, or did for a while

	from      Place // where it came in
	resumed   bool
	rule      string // that is about how it gave its cursor, "" for none
	isStarted int    // chunks that were written before it came
	paused    bool
	received  bool // it was told of the pause in which it came
	finished  bool

	// What it does, by what it is about.
	frameChecker
}

// notice is a frame that is no part of the log.
type notice struct {
	kind    string // status or truncated
	status  Status
	step    int
	ordinal int // of the cleanup
	reset   bool
}

// positions are where readers begin.
type positions struct{ *Stream }

// Attach is a reader that comes with a cursor; the zero Place is none.
func (s positions) Attach(from Place, cursor bool) *Reader {
	r := &Reader{s: s.Stream, at: from.at, cursor: from.ID, from: from, resumed: cursor}
	r.frameChecker = frameChecker{r}
	r.connect()
	return r
}

// ByQuery and AgainstQuery say how the reader gave its cursor, FromZero that it is 0, and Padded that it
// isn't plain digits: what it misses is then the fault of how that is read.
func (r *Reader) ByQuery()      { r.rule = "helix.resume.query" }
func (r *Reader) AgainstQuery() { r.rule = "helix.resume.header-wins" }
func (r *Reader) FromZero()     { r.rule = "helix.resume.zero" }
func (r *Reader) Padded()       { r.rule = "helix.resume.padded-cursor" }

// connect begins a connection: what was announced before isn't for it. helix.truncation.not-later, helix.status.not-stored.
func (r *Reader) connect() {
	s := r.s
	r.delivered, r.cleanups, r.known, r.notices, r.extraTruncatedAllowed, r.notified, r.stalled, r.statusUnknown, r.statusUndecided, r.received = 0, s.cleanups, s.status, nil, 0, false, false, false, false, false
	r.mayClose, r.paused, r.finished, r.isStarted = s.status == Paused, s.status == Paused, s.Finished(), len(s.chunks)
	if s.produced { // a run pauses its stream, and makes it active again, as it sees fit
		r.mayClose, r.known, r.statusUnknown, r.extraTruncatedAllowed = true, "", true, 1<<30
	}
	s.readers[r] = true
}

// Detach ends the connection from the reader's side; it remembers where it was.
func (r *Reader) Detach() {
	r.cursor = r.last()
	delete(r.s.readers, r)
}

// Reattach begins another connection at the place where the last one ended.
func (r *Reader) Reattach() {
	r.Detach()
	r.resumed, r.from, r.rule = r.cursor > 0, r.Place(), ""
	r.connect()
}

// last is the id that the reader got last, which is its cursor.
func (r *Reader) last() int64 { return max(r.cursor, r.delivered) }

// Place is where the reader is.
func (r *Reader) Place() Place { return Place{ID: r.last(), at: r.at} }

// Closed says whether the server may have closed the response before what is due came; the reader resumes then.
// helix.truncation.goes-on: it may after a truncated frame, and during a pause.
func (r *Reader) Closed() error {
	if r.mayClose {
		return nil
	}
	rule := "helix.wire.stays-open"
	if expected := r.requirementFor(); expected == "helix.durable.finished" || expected == "helix.resume.finished-tail" {
		rule = expected
	}
	return violation(rule, r.Due(), "the end of the response", "the response was closed")
}

// next is the next chunk that must come, nil if none must.
func (r *Reader) next() *Chunk {
	for r.at < len(r.s.chunks) { // what it knows to be removed can't come any more
		if c := r.s.chunks[r.at]; c.removedBy == 0 || c.removedBy > r.cleanups {
			break
		}
		r.at++
	}
	for _, c := range r.s.chunks[r.at:] {
		if c.removedBy == 0 {
			return c
		}
	}
	return nil
}

// Due names what the reader must receive before anything else is done, "" if it has everything.
func (r *Reader) Due() string {
	switch c := r.next(); {
	case c != nil && !c.isUndecided:
		return c.Marker
	case len(r.notices) > 0:
		return "a " + r.notices[0].kind + " frame"
	case r.s.Finished() && c == nil:
		return "the " + r.s.over() + " frame"
	}
	return ""
}

// Missed is the breach of a reader that doesn't get what is due.
func (r *Reader) Missed(got string) error {
	return violation(r.requirementFor(), r.Due(), got, "a reader didn't get what was due")
}

// requirementFor is the requirement that asks for what is due.
func (r *Reader) requirementFor() string {
	switch c := r.next(); {
	case c == nil && r.s.Finished() && r.s.last.status == r.s.status:
		return "helix.durable.finished"
	case c != nil && !c.isUndecided && r.behindOther(c):
		return "helix.lifecycle.stalled-reader"
	case c != nil && !c.isUndecided:
		return r.requirementOf(c)
	case len(r.notices) > 0 && r.notices[0].kind == "status":
		return "helix.status.frames"
	case len(r.notices) > 0 && r.notices[0].reset:
		return "helix.truncation.reset-notifies"
	case len(r.notices) > 0:
		return "helix.truncation.notifies"
	case r.resumed && r.finished:
		return "helix.resume.finished-tail"
	case r.s.epoch == len(r.s.chunks):
		return "helix.lifecycle.empty-stream"
	case r.s.status == Failed:
		return "helix.lifecycle.fail"
	}
	return "helix.lifecycle.end"
}

// requirementOf is the requirement that asks for a chunk to come now.
func (r *Reader) requirementOf(c *Chunk) string {
	before := c.index < r.isStarted
	switch {
	case r.recalls():
		return "helix.durable.resume"
	case r.s.lasting(c) != "":
		return r.s.lasting(c)
	case r.notified && !before:
		return "helix.truncation.goes-on"
	case before && c.storedChunks && c.Step == Stepless && r.delivered == 0:
		return "helix.truncation.keeps-stepless"
	case before && c.storedChunks && r.delivered == 0:
		return "helix.truncation.keeps"
	case c.paused:
		return "helix.status.written-while-paused"
	case r.resumed && r.from.removed:
		return "helix.resume.removed-cursor"
	case r.resumed && r.paused:
		return "helix.resume.paused"
	case r.resumed && before:
		return cmp.Or(r.rule, "helix.resume.complete")
	case r.resumed && r.from.at == r.isStarted:
		return "helix.resume.at-latest"
	case r.resumed:
		return "helix.resume.cycles"
	case before && r.finished:
		return "helix.lifecycle.finished-replay"
	case before:
		return "helix.lifecycle.late-reader"
	}
	if r.stalled {
		return "helix.lifecycle.slow-reader"
	}
	if len(r.s.readers) == 1 {
		return "helix.lifecycle.live"
	}
	return "helix.lifecycle.independent-readers"
}

// behindOther says whether a chunk is due, and not at its arrival, while another reader stalls.
func (r *Reader) behindOther(c *Chunk) bool {
	return !r.stalled && c.index >= r.isStarted && r.s.Stalls()
}

// Stalls says whether a reader is attached that takes nothing, or did so for a while.
func (s positions) Stalls() bool {
	for r := range s.readers {
		if r.stalled {
			return true
		}
	}
	return false
}

// Answered judges the status of the answer to a reader that must be served.
func (r *Reader) Answered(status int) error {
	switch {
	case status == 200:
		r.s.Ledger.Saw("helix.wire.content-type")
		return nil
	case r.Due() == "" && r.resumed:
		return violation("helix.resume.at-latest", "200", strconv.Itoa(status), "a reader that resumed was not served")
	case r.Due() == "":
		return violation("helix.wire.content-type", "200", strconv.Itoa(status), "a reader was not served")
	}
	return violation(r.requirementFor(), "200 and "+r.Due(), strconv.Itoa(status), "a reader was not served")
}

// NoContent judges the answer to a reader that has the terminal frame: helix.resume.no-content.
func (s positions) NoContent(status int) error {
	if status != 204 {
		return violation("helix.resume.no-content", "204", strconv.Itoa(status), "a reader that has the terminal frame was answered otherwise")
	}
	s.Ledger.Saw("helix.resume.no-content")
	return nil
}

// over is the type of the terminal frame.
func (s positions) over() string { return map[Status]string{Ended: "end", Failed: "fail"}[s.status] }

// id reads the id of a frame of the log and moves the connection on.
func (r *Reader) id(f Frame, what string) (int64, error) {
	id, err := strconv.ParseInt(f.ID, 10, 64)
	switch last := r.last(); {
	case err != nil || !f.HasID:
		return 0, violation(map[bool]string{true: "helix.wire.terminal-id", false: "helix.wire.chunk-id"}[what == "end" || what == "fail"],
			"an id of digits", strconv.Quote(f.ID), "%s has none", what)
	case id < 1:
		return 0, violation("helix.ordering.at-least-one", "an id of at least 1", ids(id), "%s has none", what)
	case id <= last && r.resumed && r.delivered == 0:
		return 0, violation(cmp.Or(r.recalled(), r.rule, "helix.resume.after-cursor"), "an id above "+ids(last), ids(id), "%s came after that cursor", what)
	case id == last && r.delivered > 0:
		return 0, violation("helix.ordering.distinct-sequences", "an id above "+ids(last), ids(id), "%s came with the id of what came before", what)
	case id <= last:
		return 0, violation("helix.ordering.ascending", "an id above "+ids(last), ids(id), "%s came after that one", what)
	}
	if r.resumed && r.delivered == 0 {
		r.s.Ledger.Saw("helix.resume.after-cursor")
	}
	r.s.Ledger.Saw("helix.ordering.ascending")
	r.s.Ledger.Saw("helix.ordering.at-least-one")
	r.delivered = id
	return id, nil
}

func ids(id int64) string { return strconv.FormatInt(id, 10) }

// repeats is the requirement that a chunk breaks which came again.
func (r *Reader) repeats() string {
	return cmp.Or(r.recalled(), map[bool]string{true: "helix.resume.complete"}[r.resumed], "helix.lifecycle.late-reader")
}

// Stall says that nobody takes what comes for a while. The server may cut such a reader, and need not tell it of a pause
// that is over: helix.lifecycle.slow-reader.
func (r *Reader) Stall() { r.stalled, r.mayClose, r.known = true, true, "" }

// Stalled says whether the reader ever stalled on this connection.
func (r *Reader) Stalled() bool { return r.stalled }

// Last says whether the place is that of the last chunk that is stored.
func (p Place) Last(s *Stream) bool { return p.at == len(s.chunks) && !p.removed && p.at > s.epoch }

// Sure is how many bytes the reader will receive at least, about half of what was written for it.
func (r *Reader) Sure() (bytes int) {
	for _, c := range r.s.chunks[r.at:] {
		if c.removedBy == 0 && !c.isUndecided {
			bytes += len(c.Body) / 2
		}
	}
	return bytes
}

// Beyond is an id that is greater than every one that is known, by more than one.
func (s positions) Beyond(by int) int64 { return s.sent + int64(len(s.chunks)) + int64(by) + 2 }
