package helix

import (
	"encoding/json"
	"slices"
)

// lost is what a kill in the midst of a race took with it.
type lost struct {
	killed           bool             // the server was
	markers          map[string]int64 // of chunks that aren't stored, and needn't be: with which id a reader had seen them, 0 for none
	partiallyApplied Call             // a truncation that wasn't answered and was carried out in part, zero if there was none
}

// see notes that a reader was sent a chunk that may be lost.
func (l *lost) see(marker string, m message) {
	if _, gone := l.markers[marker]; gone && m.Sequence != nil {
		l.markers[marker] = int64(*m.Sequence)
	}
}

// Lost reports whether a frame brings a chunk that the kill took with it. A nil race has lost nothing.
func (r *Race) Lost(f Frame) bool {
	var m message
	if r == nil || len(r.lost.markers) == 0 || json.Unmarshal(f.Data, &m) != nil {
		return false
	}
	_, gone := r.lost.markers[m.marker()]
	return gone
}

// remains is what is there after a kill: which of the chunks of the whole read have each marker, and how the stream has
// finished, "" if it hasn't.
type remains struct {
	order    map[string][]int
	finished Status
}

func remainsOf(whole []Frame) remains {
	out, chunks := remains{order: map[string][]int{}}, 0
	for _, f := range whole {
		var m message
		if json.Unmarshal(f.Data, &m) != nil {
			continue // the reader that takes it says so
		}
		switch marker := m.marker(); {
		case m.Type == "end":
			out.finished = Ended
		case m.Type == "fail":
			out.finished = Failed
		case marker != "":
			out.order[marker] = append(out.order[marker], chunks)
			chunks++
		}
	}
	return out
}

// decide says of the calls that weren't answered, because the server was killed, whether they were carried out: what is
// there afterwards says so. A call that wasn't is left out.
func (r *Race) decide(whole []Frame) error {
	if !slices.ContainsFunc(r.calls, func(c Call) bool { return c.Kills }) {
		return nil
	}
	r.lost = lost{killed: true, markers: map[string]int64{}}
	left := remainsOf(whole)
	var storedChunks []Call
	var may Call // remove chunks
	for _, c := range r.calls {
		if !c.Truncates {
			continue
		}
		if may = c; c.Unknown {
			may.Accepted = r.emptied(c, left)
		}
	}
	for _, c := range r.calls {
		switch {
		case c.Kills:
			continue
		case c.Chunks != nil && (c.Unknown || c.Accepted):
			if err := r.stored(&c, may, left); err != nil {
				return err
			}
			if len(c.Chunks) == 0 {
				continue
			}
		case c.Unknown && c.Terminal != "":
			c.Accepted = c.Terminal == left.finished && !r.finishes(c.Terminal)
		case c.Unknown && c.Truncates:
			c.Accepted = may.Accepted
		}
		if !c.Unknown || c.Accepted {
			storedChunks = append(storedChunks, c)
		}
	}
	if len(r.lost.markers) > 0 { // whether who asked meanwhile was told of them, nobody knows
		storedChunks = slices.DeleteFunc(storedChunks, func(c Call) bool { return c.Info != nil })
	}
	r.calls = storedChunks
	return nil
}

// finishes reports whether a call was answered that finishes the stream like that.
func (r *Race) finishes(as Status) bool {
	return slices.ContainsFunc(r.calls, func(c Call) bool { return c.Accepted && c.Terminal == as })
}

// emptied reports whether a truncation that wasn't answered was carried out: something of what it takes away is gone, and
// nothing of it is left that was there before. One that was carried out in part is torn.
func (r *Race) emptied(c Call, left remains) bool {
	gone, stays := false, false
	look := func(chunk *Chunk, before bool) {
		switch {
		case !c.removes(chunk):
		case len(left.order[chunk.Marker]) == 0:
			gone = true
		case before:
			stays = true
		}
	}
	for _, chunk := range r.s.chunks {
		if chunk.removedBy == 0 {
			look(chunk, true)
		}
	}
	for _, call := range r.calls {
		for _, chunk := range call.Chunks {
			if call.Accepted {
				look(chunk, call.Answered < c.Begun)
			}
		}
	}
	if gone && stays {
		r.lost.partiallyApplied = c
	}
	return gone && !stays
}

// stored leaves the chunks of a write that are there. Those of one that wasn't answered are there next to each other and
// once, or none of them is: helix.durable.whole. What a truncation has removed may be missing.
func (r *Race) stored(c *Call, may Call, left remains) error {
	var there []*Chunk
	missing, last := "", -1
	for _, chunk := range c.Chunks {
		at := left.order[chunk.Marker]
		taken := len(at) == 0 && (may.removes(chunk) || r.lost.partiallyApplied.removes(chunk))
		switch {
		case len(at) > 1:
			return violation("helix.durable.whole", chunk.Marker+" once", "twice", "a chunk is stored twice after a restart")
		case !c.Unknown && (len(at) > 0 || !r.lost.partiallyApplied.removes(chunk)):
			there = append(there, chunk)
		case taken:
			r.lost.markers[chunk.Marker] = 0
			last = -1
		case len(at) == 0:
			missing = chunk.Marker
			r.lost.markers[chunk.Marker] = 0
		case last >= 0 && at[0] != last+1 && !may.Truncates:
			return violation("helix.durable.whole", chunk.Marker+" next to what was written with it", "something between them", "a write that wasn't answered isn't in one piece")
		default:
			there, last = append(there, chunk), at[0]
		}
	}
	if c.Unknown {
		if missing != "" && len(there) > 0 {
			return violation("helix.durable.whole", missing+", or nothing of its write", there[0].Marker+" without it", "a part of a write that wasn't answered is stored")
		}
		r.s.Ledger.Saw("helix.durable.whole")
		c.Accepted = true
	}
	c.Chunks = there
	return nil
}

// renumbered: an id that a reader has seen isn't given to another chunk, and what is written after the restart is above it.
func (r *Race) renumbered() error {
	var after *Chunk // the last word
	for _, c := range r.accepted {
		after = c
	}
	for marker, id := range r.lost.markers {
		if id == 0 {
			continue
		}
		for c, position := range r.order {
			if position.id == id || c == after && position.id > 0 && position.id < id {
				return violation("helix.durable.sequences", "another id than "+ids(id)+", which "+marker+" had", ids(position.id), "%s has an id that was sent before", c.Marker)
			}
		}
	}
	return nil
}

// loses takes out of the stream what a torn truncation has removed of what was there before the race, and tells the stream
// that the server was killed.
func (r *Race) loses(left remains) {
	s := r.s
	if r.lost.partiallyApplied.Truncates {
		s.cleanups++
		for _, c := range s.chunks {
			if c.removedBy == 0 && len(left.order[c.Marker]) == 0 && r.lost.partiallyApplied.removes(c) {
				c.removedBy, c.inReset, c.removedIn = s.cleanups, r.lost.partiallyApplied.Resets, s.last.epochs
			}
		}
	}
	for _, id := range r.lost.markers {
		s.sent = max(s.sent, id)
	}
	if r.lost.killed {
		s.Restart()
	}
}
