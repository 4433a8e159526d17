package stream

import (
	"slices"

	"github.com/streamcert/streamcert/runner/frame"
)

// Call is a call of one client in a race, and its answer.
type Call struct {
	Started, Answered int64 // in any unit that grows: only their order counts
	Accepted          bool  // undefined if Unknown
	Unknown           bool  // there is no answer: the server was killed
	Kills             bool  // it is no call: the server was killed and started again

	Writer int      // from 0, of the chunks
	Chunks []*Chunk // that it writes, nil if it is no write

	Terminal    Status // with which it finishes the stream, "" if it doesn't
	Final, Code string // of an end

	Truncates, Resets bool // it is a cleanup, or a reset if Resets
	Step              int  // the last that stays

	Info []byte // the StreamInfo that it was answered, nil if it asks for none
}

// removes reports whether a truncation removes a chunk, if it comes after it.
func (c Call) removes(chunk *Chunk) bool { return c.Truncates && (c.Resets || chunk.Step > c.Step) }

// Race is a stretch of time in which several clients made calls to an active stream at once, and at most one of them
// truncated it.
//
// Invariants: line is in the order of ids, and order[line[i]].index is i. What was accepted is stored or doomed.
type Race struct {
	s              *Stream       // as it was before the race; the result is written to it
	calls          []Call        // in the order of their starts
	removal        Call          // the truncation, zero if there was none
	accepted       []*Chunk      // in the order of the calls
	order          map[*Chunk]at // where chunks are in the log
	line           []*Chunk      // the log, with removed chunks that were seen before
	finish         Call          // that decided how the stream finished, zero if it is active
	cleanups       int           // before the race
	truncated      []notice      // that readers may receive
	extraTruncated int           // likewise
	lost           lost          // what a killed server may have lost
}

// at is the position of a chunk in the log of a race.
type at struct {
	index  int   // -1 if no reader received the chunk before it was removed
	id     int64 // 0 likewise
	stays  bool  // it is stored after the race
	doomed bool  // the truncation removes it, if it comes before
}

// lost describes the effects of a kill during a race.
type lost struct {
	killed           bool             // the server was
	markers          map[string]int64 // of chunks that aren't stored, and needn't be: with which id a reader had seen them, 0 for none
	partiallyApplied Call             // a truncation that wasn't answered and was carried out in part, zero if there was none
}

// see notes that a reader was sent a chunk that may be lost.
func (l *lost) see(marker string, m *frame.Content) {
	if _, gone := l.markers[marker]; gone && m.Sequence.OK {
		l.markers[marker] = m.Sequence.N
	}
}

// Lost reports whether a frame brings a chunk that the kill removed. A nil race has lost nothing.
func (r *Race) Lost(f Frame) bool {
	if r == nil || len(r.lost.markers) == 0 {
		return false
	}
	m := f.decoded()
	if m == nil {
		return false
	}
	_, gone := r.lost.markers[markerOf(m)]
	return gone
}

// Amid notes that the reader's connection began somewhere in a race: it isn't known whether before a truncation or an end
// or after it.
func (r *Reader) Amid(race *Race) {
	n := &r.notices
	if race.finish.Accepted || race.removal.Resets {
		n.known = ""
	}
	n.cleanups, n.pending, n.extraTruncated = race.cleanups, slices.Clone(race.truncated), race.extraTruncated
	n.mayClose = n.mayClose || race.removal.Accepted
}
