package helix

import (
	"cmp"
	"slices"
	"strings"
)

// Status is where a stream is in its life.
type Status string

// The life of a stream.
const (
	Active Status = "active"
	Paused Status = "paused"
	Ended  Status = "ended"
	Failed Status = "failed"
)

// Stepless is the step of a chunk without one.
const Stepless = -1

// Stream is what a stream must be.
type Stream struct {
	Ledger Ledger
	// Family begins the markers of all streams of one campaign, Name those of this one.
	Family, Name string

	isStarted     any  // the state that it begins with, in each of its lives; nil if nobody gave one
	given         bool // that state
	status        Status
	chunks        []*Chunk       // every one that was ever written, in order
	byMarker      map[string]int // the first of each marker: neighbours may be equal
	epoch         int            // index of the first chunk since the last reset
	resets        int
	revived       bool   // a status call was made though it was finished
	turned        bool   // it was paused or made active
	rejectedBatch int    // how many chunks the arrays had that were refused since StreamInfo was right
	cleanups      int    // cleanups and resets so far
	final         string // the output that it ended with as compact JSON, or the error that it failed with
	code          string // that it failed with
	terminals     []Place
	former        int   // how many of these are of earlier ends
	sent          int64 // the greatest id on any frame so far
	owners        map[int64]*Chunk
	readers       map[*Reader]bool // those that are attached
	produced      bool             // a run writes it
	shape         shape            // of the frames that bring its chunks
	last          restart          // the zero value if there was none

	// What it does, by what it is about.
	documents
	production
	positions
	truncations
	restarts
}

// NewStream is a stream that was just created.
func NewStream(ledger Ledger, family, name string) *Stream {
	s := &Stream{
		Ledger: ledger, Family: family, Name: name, status: Active, byMarker: map[string]int{}, owners: map[int64]*Chunk{}, readers: map[*Reader]bool{},
	}
	s.documents, s.production, s.positions, s.truncations, s.restarts = documents{s}, production{s}, positions{s}, truncations{s}, restarts{s}
	return s
}

// Begin says which state the stream was given before its first chunk, or after a reset. A reset leaves it.
func (s *Stream) Begin(state any) { s.isStarted, s.given = state, true }

// Chunk is one that was written.
type Chunk struct {
	Marker string // is the chunk's runId, and names it
	Body   []byte
	Text   string // a word in brackets of a text of it that no other has, but for its equals; "" if there is none
	Step   int
	Agent  string    // who says it
	Delta  string    // what it adds to the text of the agent
	Calls  string    // the id of the call that it begins, "" if it begins none
	Ends   string    // the id of the call that it ends, "" if it ends none
	Failed bool      // the call that it ends failed
	Sets   []Setting // what it changes in the state of the agent, in order
	Voids  bool      // it says of others that they don't count
	Lacks  string    // a member that every chunk has and that it was written without, "" for none: a server that takes it all the same adds the member
	Opened string    // the agent that its writer was opened for, "" if it doesn't matter: the one that a server adds

	index        int    // of the stream's chunks
	again        int    // how many equals follow it at once
	value        any    // of the body, once it was asked for
	came         []byte // the text in which a reader received it, and in which it was right; nil if that is its body, or was long
	id           int64  // 0 until it was delivered
	above        int64  // the greatest id on any frame when it was written
	removedBy    int    // the ordinal of the cleanup; 0 while it is stored
	inReset      bool   // that cleanup is a reset
	removedIn    int    // how many restarts were before it
	isUndecided  bool   // written during the present pause: it may come at its end
	paused       bool   // written during a pause
	storedChunks bool   // a cleanup left it
}

// Setting is an operation of a patch on a member of the state: it is given a value, or removed. One on the whole state gives
// it the members of its value, an object, and no others.
type Setting struct {
	Key     string
	Value   any // as encoding/json decodes it
	Removed bool
	Whole   bool
}

// Place is an id that a reader may have as its cursor.
type Place struct {
	ID      int64
	at      int  // index of the first chunk after it
	removed bool // the chunk of that id is gone
}

// Status is where the stream is.
func (s *Stream) Status() Status { return s.status }

// Resets is how often it was reset.
func (s *Stream) Resets() int { return s.resets }

// Changed says whether anything else than chunks has come to the stream: a removal, a pause or an end.
func (s *Stream) Changed() bool {
	return s.cleanups+s.resets > 0 || s.status != Active || s.turned
}

// Sent is the greatest id on any frame so far.
func (s *Stream) Sent() int64 { return s.sent }

// Finished says whether the stream is over.
func (s *Stream) Finished() bool { return s.status == Ended || s.status == Failed }

// Written is how many chunks were ever written.
func (s *Stream) Written() int { return len(s.chunks) }

// Write stores chunks that the server accepted.
func (s *Stream) Write(chunks ...*Chunk) {
	for _, c := range chunks {
		c.above, c.paused = s.sent, s.status == Paused
		c.isUndecided = c.paused // helix.status.written-while-paused: at once or after its return to active
		if c.index = len(s.chunks); c.index > 0 && s.chunks[c.index-1].Marker == c.Marker {
			for i := s.byMarker[c.Marker]; i < c.index; i++ {
				s.chunks[i].again++
			}
		} else {
			s.byMarker[c.Marker] = c.index
		}
		s.chunks = append(s.chunks, c)
	}
}

// Spoil tells that an array of n chunks was refused.
func (s *Stream) Spoil(n int) { s.rejectedBatch += n }

// SetStatus pauses a stream or makes it active again. If that changes something, every attached reader must be told:
// helix.status.frames.
func (s *Stream) SetStatus(to Status) {
	s.revived = s.revived || s.Finished()
	if s.Finished() || s.status == to { // helix.status.final: the call changes nothing
		return
	}
	if s.status, s.last.status, s.turned = to, "", true; to == Active {
		s.release()
	}
	s.announce(notice{kind: "status", status: to})
}

// release ends a pause for the chunks that were written during it.
func (s *Stream) release() {
	for _, c := range s.chunks[s.epoch:] {
		c.isUndecided = false
	}
}

// End ends the stream; output is what was given as its final output. A second end changes nothing:
// helix.lifecycle.first-terminal-wins.
func (s *Stream) End(output string) { s.finish(Ended, output, "") }

// Fail fails the stream.
func (s *Stream) Fail(text, code string) { s.finish(Failed, text, code) }

func (s *Stream) finish(as Status, final, code string) {
	if s.Finished() {
		return
	}
	s.status, s.final, s.code, s.last.status, s.former = as, final, code, "", len(s.terminals)
	s.release()
	for r := range s.readers { // nobody waits for a notice any more
		r.notices, r.known = nil, ""
		r.extraTruncatedAllowed += s.cleanups
	}
}

// announce lets every attached reader expect a notice.
func (s *Stream) announce(n notice) {
	for r := range s.readers {
		r.mayClose = true
		switch {
		case s.produced: // the run says what it does in chunks, and frames beside them are recommended only
		case n.kind == "truncated":
			r.notices = append(r.notices, n)
		case r.stalled: // of a pause that is over it need not hear
			r.notices = slices.DeleteFunc(r.notices, func(n notice) bool { return n.kind == "status" })
			if n.status == Paused {
				r.notices = append(r.notices, n)
			}
		case n.status == Paused && r.statusUnknown: // to who looks now and then, the pause before a reset is this one
			r.known, r.statusUnknown, r.statusUndecided = "", false, true
			r.paused, r.received = true, false // and what was heard of the one before says nothing of this one
		case n.status == Active && r.paused && !r.received: // who never heard of the pause need not hear that it is over
			r.known, r.statusUnknown, r.statusUndecided = "", true, true
		default:
			r.notices = append(r.notices, n)
		}
	}
}

// Stored is how many chunks a fresh reader receives.
func (s *Stream) Stored() int {
	if s.cleanups == 0 {
		return len(s.chunks)
	}
	n, _ := s.stored()
	return n
}

// stored counts what a fresh reader receives; held reports whether the server may still keep back some of it.
func (s *Stream) stored() (n int, isUndecided bool) {
	for _, c := range s.chunks[s.epoch:] {
		if c.removedBy == 0 {
			n++
			isUndecided = isUndecided || c.isUndecided
		}
	}
	return n, isUndecided
}

// Places are the ids that a reader may come with: the start, those of chunks, removed ones too, and those of terminal
// frames. What a former end's id means while nothing came after it is the server's choice, so it is left out.
func (s *Stream) Places() []Place {
	out := append(make([]Place, 0, 1+len(s.chunks)+len(s.terminals)), Place{})
	for i, c := range s.chunks {
		if c.id != 0 {
			out = append(out, Place{c.id, i + 1, c.removedBy != 0})
		}
	}
	for _, p := range s.terminals {
		if p.at < len(s.chunks) {
			out = append(out, p)
		}
	}
	return out
}

// Terminal is the id of the frame that finished the stream, 0 if nobody has seen one.
func (s *Stream) Terminal() int64 {
	if n := len(s.terminals); n > s.former && s.Finished() && s.terminals[n-1].at == len(s.chunks) {
		return s.terminals[n-1].ID
	}
	return 0
}

// highest is the greatest id with which a chunk came; sure reports whether it is that of the last chunk.
func (s *Stream) highest() (id int64, sure bool) {
	for i := len(s.chunks) - 1; i >= 0; i-- {
		if s.chunks[i].id != 0 {
			return s.chunks[i].id, i == len(s.chunks)-1
		}
	}
	return 0, len(s.chunks) == 0
}

// assign gives a chunk the id with which it came.
func (s *Stream) assign(c *Chunk, id int64) error {
	switch owner := s.owners[id]; {
	case c.id != 0 && c.id != id:
		return violation(cmp.Or(s.lasting(c), s.moved(), "helix.resume.stable"), ids(c.id), ids(id), "%s came with another id than before", c.Marker)
	case owner != nil && owner != c && owner.removedBy != 0:
		return violation(cmp.Or(s.numbered(c), reused(owner)), "an id that no chunk has had", ids(id), "%s came with the id that %s had", c.Marker, owner.Marker)
	case c.id == 0 && id <= c.above && s.numbered(c) != "":
		return violation(s.numbered(c), "an id above "+ids(c.above), ids(id), "%s was written after that id had been sent", c.Marker)
	case c.id == 0 && id <= c.above && s.resets > 0:
		return violation("helix.truncation.reset-sequence", "an id above "+ids(c.above), ids(id), "%s was written after that id had been sent", c.Marker)
	case c.id == 0 && id <= c.above:
		return violation("helix.ordering.total-order", "an id above "+ids(c.above), ids(id), "%s was written after that id had been sent", c.Marker)
	}
	s.Ledger.Saw("helix.resume.stable")
	s.Ledger.Saw("helix.ordering.total-order")
	s.Ledger.Saw("helix.ordering.distinct-sequences")
	if s.cleanups > 0 {
		s.Ledger.Saw("helix.truncation.keeps")
		s.Ledger.Saw("helix.truncation.no-reuse")
	}
	if s.resets > 0 {
		s.Ledger.Saw("helix.truncation.reset-sequence")
	}
	if rule := s.numbered(c); rule != "" {
		s.Ledger.Saw(rule)
	}
	c.id = id
	s.owners[id] = c
	s.sent = max(s.sent, id)
	return nil
}

// moved is the rule that a chunk of another id breaks after a cleanup.
func (s *Stream) moved() string {
	if s.cleanups > 0 {
		return "helix.truncation.keeps"
	}
	return ""
}

func reused(owner *Chunk) string {
	if owner.inReset {
		return "helix.truncation.reset-sequence"
	}
	return "helix.truncation.no-reuse"
}

// otherStream reports whether a marker is of another stream of the campaign, or of another campaign.
func (s *Stream) otherStream(marker string) bool {
	return marker != "" && !strings.HasPrefix(marker, s.Family+s.Name+"-") && strings.HasPrefix(marker, markerPrefix)
}

// markerPrefix begins every marker.
const markerPrefix = "mark-"

// Marker names the next chunk of a stream, whatever becomes of it.
func (s *Stream) Marker(n int) string { return s.Family + s.Name + "-" + ids(int64(n)) }

// FamilyOf is the beginning of all markers of one campaign.
func FamilyOf(name string) string { return markerPrefix + name + "-" }
