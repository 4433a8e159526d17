package stream

import (
	"cmp"
	"strings"

	"github.com/streamcert/streamcert/runner/model"
)

// Stream models a stream of the server after the calls that were made to it.
//
// Invariants: while status is ended or failed, finish contains that end and no pending notice is left in attached. produced
// never becomes false. restart.status is status, or "". refused is 0 after a correct StreamInfo.
type Stream struct {
	Occasions model.OccasionCounts // of the caller
	// Family begins the markers of all streams of one campaign, Name those of this one.
	Family, Name string

	log      chunkLog          // what was written, removed chunks included
	status   Status            // that readers must be notified of
	finish   finish            // its final and code are undefined while status is active or paused
	restart  restart           // what a killed server may have changed
	attached map[*notices]bool // of the open connections
	initial  any               // the state before the first chunk, which a reset leaves; an empty object if none was given
	produced bool              // the server's runtime writes it
	cache    frameCache        // of the frames that bring its chunks

	calledFinished bool // a status call was made though it was finished
	changedStatus  bool // it was paused, or made active
	notifiesPaused bool // a reader that attached during a pause was notified of it
	refused        int  // chunks in arrays that were refused since the last StreamInfo
}

// New returns a stream that was just created.
func New(occasions model.OccasionCounts, family, name string) *Stream {
	return &Stream{
		Occasions: occasions, Family: family, Name: name, status: Active, attached: map[*notices]bool{}, initial: map[string]any{},
		log: chunkLog{byMarker: map[string]int{}, owners: map[int64]*Chunk{}},
	}
}

// Begin sets the state that the stream was given before its first chunk, or after a reset.
func (s *Stream) Begin(state any) { s.initial = state }

// Status returns the status after the last call.
func (s *Stream) Status() Status { return s.status }

// Resets returns how often it was reset.
func (s *Stream) Resets() int { return s.log.resets }

// Changed reports whether anything but chunks has come to the stream: a removal, a pause or an end.
func (s *Stream) Changed() bool {
	return s.log.cleanups+s.log.resets > 0 || s.status != Active || s.changedStatus
}

// Sent returns the greatest id on any frame so far.
func (s *Stream) Sent() int64 { return s.log.sent }

// Finished reports whether the stream has ended or failed.
func (s *Stream) Finished() bool { return s.status.finished() }

// Written returns how many chunks were ever written.
func (s *Stream) Written() int { return len(s.log.chunks) }

// Stored returns how many chunks a fresh reader receives.
func (s *Stream) Stored() int {
	if s.log.cleanups == 0 {
		return len(s.log.chunks)
	}
	n, _ := s.log.stored()
	return n
}

// Terminal returns the id of the frame that finished the stream, 0 if no reader has received it.
func (s *Stream) Terminal() int64 {
	if n := len(s.finish.terminals); n > s.finish.former && s.Finished() && s.finish.terminals[n-1].at == len(s.log.chunks) {
		return s.finish.terminals[n-1].ID
	}
	return 0
}

// Stalls reports whether a reader is attached that takes nothing, or took nothing for a while.
func (s *Stream) Stalls() bool {
	for n := range s.attached {
		if n.stalled {
			return true
		}
	}
	return false
}

// Write stores chunks that the server accepted.
func (s *Stream) Write(chunks ...*Chunk) { s.log.append(s.status == Paused, chunks) }

// Refuse notes that the server refused an array of n chunks.
func (s *Stream) Refuse(n int) { s.refused += n }

// SetStatus pauses a stream or makes it active again. If that changes something, every attached reader must be notified:
// helix.status.frames. On a finished stream the call changes nothing: helix.status.final.
func (s *Stream) SetStatus(to Status) {
	s.calledFinished = s.calledFinished || s.Finished()
	if s.Finished() || s.status == to {
		return
	}
	if s.status, s.restart.status, s.changedStatus = to, "", true; to == Active {
		s.log.endPause()
	}
	s.announce(notice{kind: "status", status: to})
}

func (s *Stream) announce(one notice) {
	for n := range s.attached {
		n.announce(one, s.produced)
	}
}

// End ends the stream; output is its final output as JSON, "" for none. A second end changes nothing:
// helix.lifecycle.first-terminal-wins.
func (s *Stream) End(output string) { s.terminate(Ended, output, "") }

// Fail fails the stream.
func (s *Stream) Fail(text, code string) { s.terminate(Failed, text, code) }

func (s *Stream) terminate(as Status, final, code string) {
	if s.Finished() {
		return
	}
	s.status, s.finish, s.restart.status = as, s.finish.with(final, code), ""
	s.log.endPause()
	for n := range s.attached {
		n.finish(s.log.cleanups)
	}
}

// Cleanup removes the chunks of greater steps: helix.truncation.removes, helix.truncation.keeps-stepless.
func (s *Stream) Cleanup(step int) {
	s.truncate(step, false, func(c *Chunk) bool { return c.Step > step })
}

// Reset removes everything and makes the stream active: helix.truncation.reset-empties, helix.truncation.reset-reopens.
func (s *Stream) Reset() {
	paused := s.status == Paused
	s.status, s.restart.status, s.calledFinished, s.refused = Active, "", false, 0
	s.log.epoch = len(s.log.chunks)
	s.log.resets++
	removed := s.truncate(0, true, func(*Chunk) bool { return true })
	switch {
	case paused && removed:
		for n := range s.attached {
			n.reopened()
		}
	case paused: // no other frame notifies readers
		s.announce(notice{kind: "status", status: Active})
	}
}

// truncate removes chunks. If there were any, attached readers must get a notice; if not, they should get none:
// helix.truncation.nothing-removed.
func (s *Stream) truncate(step int, reset bool, gone func(*Chunk) bool) (removed bool) {
	if s.log.remove(reset, s.restart.count, gone) {
		s.announce(notice{kind: "truncated", step: step, ordinal: s.log.cleanups, reset: reset})
		return true
	}
	for n := range s.attached {
		n.extraTruncated++
	}
	return false
}

// Restart notes that the server was killed and started again. Every reader is detached before.
func (s *Stream) Restart() {
	s.restart = restart{count: s.restart.count + 1, chunks: len(s.log.chunks), sent: s.log.sent, status: s.status}
}

// assign gives a chunk the id with which it came.
func (s *Stream) assign(c *Chunk, id int64) error {
	l := &s.log
	switch owner := l.owners[id]; {
	case c.id != 0 && c.id != id: // an id is given for good
		moved := "helix.resume.stable"
		if l.cleanups > 0 {
			moved = "helix.truncation.keeps"
		}
		return model.Violated(cmp.Or(s.restart.keeps(c), moved), ids(c.id), ids(id), "%s came with another id than before", c.Marker)
	case owner != nil && owner != c && owner.removedBy != 0:
		reused := "helix.truncation.no-reuse"
		if owner.inReset {
			reused = "helix.truncation.reset-sequence"
		}
		return model.Violated(cmp.Or(s.restart.numbers(c), reused), "an id that no chunk has had", ids(id), "%s came with the id that %s had", c.Marker, owner.Marker)
	case c.id == 0 && id <= c.above:
		rule := "helix.ordering.total-order"
		if l.resets > 0 {
			rule = "helix.truncation.reset-sequence"
		}
		return model.Violated(cmp.Or(s.restart.numbers(c), rule), "an id above "+ids(c.above), ids(id), "%s was written after that id had been sent", c.Marker)
	}
	s.Occasions.Saw("helix.resume.stable", "helix.ordering.total-order", "helix.ordering.distinct-sequences")
	if l.cleanups > 0 {
		s.Occasions.Saw("helix.truncation.keeps", "helix.truncation.no-reuse")
	}
	if l.resets > 0 {
		s.Occasions.Saw("helix.truncation.reset-sequence")
	}
	if rule := s.restart.numbers(c); rule != "" {
		s.Occasions.Saw(rule)
	}
	c.id = id
	l.owners[id] = c
	l.sent = max(l.sent, id)
	return nil
}

// markerPrefix begins every marker.
const markerPrefix = "mark-"

// FamilyOf returns the beginning of all markers of one campaign.
func FamilyOf(name string) string { return markerPrefix + name + "-" }

// Marker names the nth chunk of a stream, whether it is accepted or not.
func (s *Stream) Marker(n int) string { return s.Family + s.Name + "-" + ids(int64(n)) }

// otherStream reports whether a marker is of another stream of the campaign, or of another campaign.
func (s *Stream) otherStream(marker string) bool {
	return strings.HasPrefix(marker, markerPrefix) && !strings.HasPrefix(marker, s.Family+s.Name+"-")
}
