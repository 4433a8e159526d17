package stream

import (
	"slices"

	"github.com/streamcert/streamcert/runner/model"
)

// remains describes the stored frames after a kill.
type remains struct {
	order    map[string][]int // indices among the chunks, by marker
	finished Status           // "" if the stream isn't
}

func remainsOf(whole []Frame) remains {
	out, chunks := remains{order: map[string][]int{}}, 0
	for _, f := range whole {
		m := f.decoded()
		if m == nil {
			continue // the reader that takes it says so
		}
		switch marker := markerOf(m); {
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

// decide determines by the stored chunks whether calls were carried out that have no answer because the server was killed.
// A call that wasn't is left out.
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
	if len(r.lost.markers) > 0 { // a StreamInfo meanwhile may have counted them
		storedChunks = slices.DeleteFunc(storedChunks, func(c Call) bool { return c.Info != nil })
	}
	r.calls = storedChunks
	return nil
}

// finishes reports whether a call was answered that finishes the stream like that.
func (r *Race) finishes(as Status) bool {
	return slices.ContainsFunc(r.calls, func(c Call) bool { return c.Accepted && c.Terminal == as })
}

// emptied reports whether a truncation that wasn't answered was carried out: some of the chunks that it removes are gone,
// and none of them is left that was there before. A truncation that was carried out in part is partiallyApplied.
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
	for _, chunk := range r.s.log.chunks {
		if chunk.removedBy == 0 {
			look(chunk, true)
		}
	}
	for _, call := range r.calls {
		for _, chunk := range call.Chunks {
			if call.Accepted {
				look(chunk, call.Answered < c.Started)
			}
		}
	}
	if gone && stays {
		r.lost.partiallyApplied = c
	}
	return gone && !stays
}

// stored keeps the chunks of a write that are stored. The chunks of a write without an answer are stored next to each other
// and once, or none of them is: helix.durable.whole. Chunks that a truncation has removed may be missing.
func (r *Race) stored(c *Call, may Call, left remains) error {
	var there []*Chunk
	missing, last := "", -1
	for _, chunk := range c.Chunks {
		at := left.order[chunk.Marker]
		taken := len(at) == 0 && (may.removes(chunk) || r.lost.partiallyApplied.removes(chunk))
		switch {
		case len(at) > 1:
			return model.Violated("helix.durable.whole", chunk.Marker+" once", "twice", "a chunk is stored twice after a restart")
		case !c.Unknown && (len(at) > 0 || !r.lost.partiallyApplied.removes(chunk)):
			there = append(there, chunk)
		case taken:
			r.lost.markers[chunk.Marker] = 0
			last = -1
		case len(at) == 0:
			missing = chunk.Marker
			r.lost.markers[chunk.Marker] = 0
		case last >= 0 && at[0] != last+1 && !may.Truncates:
			return model.Violated("helix.durable.whole", chunk.Marker+" next to what was written with it", "something between them", "a write that wasn't answered isn't in one piece")
		default:
			there, last = append(there, chunk), at[0]
		}
	}
	if c.Unknown {
		if missing != "" && len(there) > 0 {
			return model.Violated("helix.durable.whole", missing+", or nothing of its write", there[0].Marker+" without it", "a part of a write that wasn't answered is stored")
		}
		r.s.Occasions.Saw("helix.durable.whole")
		c.Accepted = true
	}
	c.Chunks = there
	return nil
}

// renumbered checks that an id that a reader has received isn't given to another chunk, and that chunks after the restart
// have greater ones.
func (r *Race) renumbered() error {
	var after *Chunk // the last one written
	for _, c := range r.accepted {
		after = c
	}
	for marker, id := range r.lost.markers {
		if id == 0 {
			continue
		}
		for c, position := range r.order {
			if position.id == id || c == after && position.id > 0 && position.id < id {
				return model.Violated("helix.durable.sequences", "another id than "+ids(id)+", which "+marker+" had", ids(position.id), "%s has an id that was sent before", c.Marker)
			}
		}
	}
	return nil
}

// loses removes the chunks from before the race that a partially applied truncation has removed, and restarts the stream if
// the server was killed.
func (r *Race) loses(left remains) {
	s := r.s
	if r.lost.partiallyApplied.Truncates {
		s.log.cleanups++
		for _, c := range s.log.chunks {
			if c.removedBy == 0 && len(left.order[c.Marker]) == 0 && r.lost.partiallyApplied.removes(c) {
				c.removedBy, c.inReset, c.removedIn = s.log.cleanups, r.lost.partiallyApplied.Resets, s.restart.count
			}
		}
	}
	for _, id := range r.lost.markers {
		s.log.sent = max(s.log.sent, id)
	}
	if r.lost.killed {
		s.Restart()
	}
}
