package stream

import (
	"encoding/json"
	"strconv"
)

// Stepless is the step of a chunk without one.
const Stepless = -1

// Chunk is a chunk that was written.
type Chunk struct {
	Marker string    // the runId of the chunk; equal neighbours share one
	Body   []byte    // as it was written
	Text   string    // a word in brackets of a text of it that no other has, but for its equals; "" if there is none
	Step   int       // Stepless if it has none
	Agent  string    // its agentId
	Delta  string    // its addition to the text of the agent
	Calls  string    // the id of the call that it begins, "" if it begins none
	Ends   string    // the id of the call that it ends, "" if it ends none
	Failed bool      // the call that it ends failed
	Sets   []Setting // its changes of the state of the agent, in order
	Voids  bool      // it makes other chunks void
	Lacks  string    // a required member that it was written without, "" for none: a server that accepts it adds the member
	Opened string    // the agent that its writer was opened for, "" if it doesn't matter: the one that a server adds

	index     int    // in the log
	equals    int    // how many equal chunks follow it directly
	value     any    // Body decoded; nil until [Chunk.Value] is called
	received  []byte // the text in which a reader received it, if that was right; nil if it is Body, or long
	id        int64  // 0 until a reader received it, and then the same for good
	above     int64  // the greatest id on any frame when it was written
	removedBy int    // the ordinal of the cleanup that removed it; 0 while it is stored
	inReset   bool   // that cleanup is a reset
	removedIn int    // restarts before that cleanup
	mayWait   bool   // it was written during the present pause: the server may deliver it when the pause ends
	paused    bool   // it was written during a pause
	survived  bool   // a cleanup left it
}

// Setting is an operation of a patch on a member of the state, which is given a value or removed. An operation on the root
// sets the members to those of its value, an object.
type Setting struct {
	Key     string // undefined if Root
	Value   any    // as encoding/json decodes it
	Removed bool   // Value is nil then
	Root    bool   // Value is an object, whose members are set
}

// Position is an id that a reader may have as its cursor. The zero value is the beginning.
type Position struct {
	ID      int64 // 0 is the beginning
	at      int   // index of the first chunk after it
	removed bool  // the chunk of that id is gone
}

// Value returns the decoded body.
func (c *Chunk) Value() any {
	if c.value == nil {
		if err := json.Unmarshal(c.Body, &c.value); err != nil {
			panic(err) // it was encoded by this kit
		}
	}
	return c.value
}

// chunkLog contains every chunk that was ever written to a stream, and the ids with which they came.
//
// Invariants: chunks[i].index is i. No chunk is taken out of chunks or moves in it: a removed one has removedBy. The chunks
// before epoch are removed. An id of owners belongs to its chunk for good, also once that is removed; sent is at least the
// greatest of them. resets ≤ cleanups.
type chunkLog struct {
	chunks   []*Chunk         // in the order of the stream
	byMarker map[string]int   // index of the first chunk of each marker
	epoch    int              // index of the first chunk since the last reset
	owners   map[int64]*Chunk // by id
	sent     int64            // the greatest id on any frame so far, terminal frames included
	cleanups int              // cleanups and resets so far
	resets   int              // resets so far
}

// append adds chunks that the server accepted.
func (l *chunkLog) append(paused bool, chunks []*Chunk) {
	for _, c := range chunks {
		c.above, c.paused, c.mayWait = l.sent, paused, paused // helix.status.written-while-paused
		if c.index = len(l.chunks); c.index > 0 && l.chunks[c.index-1].Marker == c.Marker {
			for i := l.byMarker[c.Marker]; i < c.index; i++ {
				l.chunks[i].equals++
			}
		} else {
			l.byMarker[c.Marker] = c.index
		}
		l.chunks = append(l.chunks, c)
	}
}

// current returns the chunks since the last reset, removed ones included.
func (l *chunkLog) current() []*Chunk { return l.chunks[l.epoch:] }

// isEmpty reports whether nothing was written since the last reset.
func (l *chunkLog) isEmpty() bool { return l.epoch == len(l.chunks) }

// endPause records that chunks written during a pause may no longer wait.
func (l *chunkLog) endPause() {
	for _, c := range l.current() {
		c.mayWait = false
	}
}

// remove removes chunks, and reports whether there were any. restarts is how many were before.
func (l *chunkLog) remove(reset bool, restarts int, gone func(*Chunk) bool) (removed bool) {
	l.cleanups++
	for _, c := range l.chunks {
		if c.removedBy == 0 && gone(c) {
			c.removedBy, c.inReset, c.removedIn, removed = l.cleanups, reset, restarts, true
		}
		c.survived = c.removedBy == 0
	}
	return removed
}

// stored counts the chunks that a fresh reader receives; mayWait reports whether the server may still withhold some of them.
func (l *chunkLog) stored() (n int, mayWait bool) {
	for _, c := range l.current() {
		if c.removedBy == 0 {
			n++
			mayWait = mayWait || c.mayWait
		}
	}
	return n, mayWait
}

// highest returns the greatest id with which a chunk came; sure reports whether it is that of the last chunk.
func (l *chunkLog) highest() (id int64, sure bool) {
	for i := len(l.chunks) - 1; i >= 0; i-- {
		if l.chunks[i].id != 0 {
			return l.chunks[i].id, i == len(l.chunks)-1
		}
	}
	return 0, len(l.chunks) == 0
}

// equal returns the index of the chunk that a frame with an id brings, among equal neighbours of which i is the first: the
// one that came with that id before, or else the first that isn't below next.
func (l *chunkLog) equal(frameID string, i, next int) int {
	last := i + l.chunks[i].equals
	if last == i {
		return i
	}
	if id, err := strconv.ParseInt(frameID, 10, 64); err == nil {
		if owner := l.owners[id]; owner != nil && owner.index >= i && owner.index <= last {
			return owner.index
		}
	}
	return min(max(i, next), last)
}

// ids returns an id as text.
func ids(id int64) string { return strconv.FormatInt(id, 10) }
