package helix

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

// Call is what one client did in a race, and how it was answered.
type Call struct {
	Begun, Answered int64 // in any unit that grows: only their order counts
	Accepted        bool
	Unknown         bool // nobody knows how it would have been: the server was killed
	Kills           bool // it is no call: the server was killed and started again

	Writer int      // from 0, of the chunks
	Chunks []*Chunk // that it writes, nil if it is no write

	Terminal    Status // with which it finishes the stream, "" if it doesn't
	Final, Code string // with what

	Truncates, Resets bool
	Step              int // the last that stays

	Info []byte // the StreamInfo that it was answered, nil if it asks for none
}

// removes says whether a truncation takes a chunk away.
func (c Call) removes(chunk *Chunk) bool { return c.Truncates && (c.Resets || chunk.Step > c.Step) }

// Race is a stretch of time in which several clients made calls to an active stream at once, and at most one of them
// truncated it.
type Race struct {
	s                     *Stream
	calls                 []Call
	removal               Call          // the truncation, zero if there was none
	accepted              []*Chunk      // in the order of the calls
	order                 map[*Chunk]at // where chunks are in the log
	line                  []*Chunk      // the log, with what was removed and seen before
	finish                Call          // that decided how the stream finished, zero if it is active
	cleanups              int           // before the race
	truncated             []notice      // of which readers may be told
	extraTruncatedAllowed int           // likewise
	lost                  lost
}

// at is a place in the log of a race.
type at struct {
	index  int   // -1 if nobody saw the chunk before it was removed
	id     int64 // 0 likewise
	stays  bool  // it is stored after the race
	doomed bool  // the truncation removes it, if it comes before
}

// Settle says what a race did to the stream: the whole read after it is the order of truth, and what its readers saw tells
// where in it the chunks were that are gone. The calls must be linearizable, or they break the requirement that says so.
func (s restarts) Settle(calls []Call, whole []Frame, seen ...[]Frame) (*Race, error) {
	r := &Race{s: s.Stream, calls: calls, order: map[*Chunk]at{}, cleanups: s.cleanups}
	if err := r.decide(whole); err != nil {
		return r, err
	}
	byMarker := map[string]*Chunk{}
	refused := map[string]bool{}
	for _, c := range r.calls {
		if c.Truncates && c.Accepted {
			r.removal = c
		}
		for _, chunk := range c.Chunks {
			if byMarker[chunk.Marker] = chunk; c.Accepted {
				r.accepted = append(r.accepted, chunk)
			} else {
				refused[chunk.Marker] = true
			}
		}
	}
	for i, frames := range slices.Insert(seen, 0, whole) {
		for _, f := range frames {
			var m message
			if json.Unmarshal(f.Data, &m) != nil {
				continue // the reader that takes it says so
			}
			if i == 0 && (m.Type == "end" || m.Type == "fail") {
				r.finished(m.Type)
			}
			marker := m.marker()
			switch c := byMarker[marker]; {
			case c == nil:
				r.lost.see(marker, m)
			case refused[marker]:
				return r, violation("helix.lifecycle.no-chunk-after-end", "nothing of a write that was refused", marker, "a chunk came that was refused")
			case m.Sequence != nil && r.order[c].id == 0:
				r.order[c] = at{id: int64(*m.Sequence), stays: i == 0, doomed: r.removal.removes(c)}
			}
		}
	}
	if err := r.lineUp(); err != nil {
		return r, err
	}
	if err := r.renumbered(); err != nil {
		return r, err
	}
	if err := r.linearizable(); err != nil {
		return r, err
	}
	r.apply()
	r.loses(remainsOf(whole))
	return r, nil
}

// marker is that of a chunk, "" of other frames.
func (m message) marker() string {
	var c struct {
		RunID string `json:"runId"`
	}
	if m.Type != "chunk" || json.Unmarshal(m.Chunk, &c) != nil {
		return ""
	}
	return c.RunID
}

// finished finds the call that the terminal frame of the whole read is of.
func (r *Race) finished(kind string) {
	for _, c := range r.calls {
		if c.Accepted && c.Terminal == map[string]Status{"end": Ended, "fail": Failed}[kind] {
			r.finish = c
		}
	}
}

// lineUp makes the log. What was accepted and isn't stored must have been removed.
func (r *Race) lineUp() error {
	for _, c := range r.accepted {
		position := r.order[c]
		if position.doomed = r.removal.removes(c); position.id == 0 {
			position.index = -1
		} else {
			r.line = append(r.line, c)
		}
		r.order[c] = position
		if !position.stays && !position.doomed {
			rule := "helix.lifecycle.many-writers"
			switch {
			case r.lost.killed:
				rule = "helix.durable.kept"
			case r.finish.Accepted:
				rule = "helix.lifecycle.write-after-end"
			case r.removal.Accepted && c.Step == Stepless:
				rule = "helix.truncation.keeps-stepless"
			case r.removal.Accepted:
				rule = "helix.truncation.keeps"
			}
			return violation(rule, c.Marker+", which was accepted", "nothing of it", "a chunk was accepted and isn't stored")
		}
	}
	slices.SortStableFunc(r.line, func(a, b *Chunk) int { return int(r.order[a].id - r.order[b].id) })
	last := map[int]*Chunk{}
	for i, c := range r.line {
		position := r.order[c]
		position.index = i
		r.order[c] = position
	}
	for _, call := range r.calls {
		for _, c := range call.Chunks {
			if before := last[call.Writer]; call.Accepted && r.order[c].index >= 0 {
				if before != nil && r.order[before].index > r.order[c].index {
					return violation("helix.ordering.write-order", before.Marker+" before "+c.Marker, "it comes after it", "chunks of one writer changed places")
				}
				last[call.Writer] = c
			}
		}
	}
	r.s.Ledger.Saw("helix.ordering.write-order")
	return nil
}

// situation is the state of a stream in the midst of a race.
type situation struct {
	next          int  // index of the next chunk of the log
	truncated     bool // the removal was
	status        Status
	count, doomed int   // chunks that are stored, and those of them that the removal takes
	latest        int64 // the highest id that is known
	sure          bool  // it is that of the last chunk
	zero          bool  // nothing was written since a reset
}

// begin is the situation before the race.
func (r *Race) begin() situation {
	st := situation{status: r.s.status, zero: r.s.epoch > 0 && r.s.epoch == len(r.s.chunks)}
	for _, c := range r.s.chunks {
		if c.removedBy == 0 {
			if st.count++; r.removal.removes(c) {
				st.doomed++
			}
		}
	}
	st.latest, st.sure = r.s.highest()
	return st
}

// attempt is an operation as the checker sees it: a chunk, another call, one member of a StreamInfo, or the last look.
type attempt struct {
	call  Call
	chunk *Chunk
	about string // "status", "latest" or "count"
	info  streamInfo
	last  bool
}

// after is the situation after an operation; possible says whether it can be answered as it was.
func (r *Race) after(st situation, a attempt) (next situation, possible bool) {
	switch {
	case a.last:
		return st, st.status == r.outcome()
	case a.about == "status":
		return st, *a.info.Status == st.status
	case a.about == "count":
		return st, *a.info.ChunkCount == float64(st.count)
	case a.about == "latest":
		got := int64(*a.info.LatestSequence)
		return st, got == st.latest && st.sure || !st.sure && got >= st.latest || st.zero && got == 0
	case a.chunk != nil:
		return r.written(st, a.chunk)
	case a.call.Chunks != nil: // refused
		return st, st.status != Active || st.truncated && r.removal.Resets
	case a.call.Truncates:
		st.truncated, st.count, st.doomed, st.zero = true, st.count-st.doomed, 0, r.removal.Resets
		return st, true
	case st.status == Active:
		st.status = a.call.Terminal
		return st, a.call.Accepted
	}
	return st, true // a second terminal call, refused or not, changes nothing
}

// outcome is the status after the race.
func (r *Race) outcome() Status {
	if r.finish.Accepted {
		return r.finish.Terminal
	}
	return Active
}

func (r *Race) written(st situation, c *Chunk) (situation, bool) {
	position := r.order[c]
	if st.status != Active || position.index >= 0 && position.index != st.next || position.doomed && st.truncated != position.stays {
		return st, false
	}
	if st.count++; position.doomed && !position.stays {
		st.doomed++
	}
	if st.sure, st.zero = position.index >= 0, false; st.sure {
		st.next++
		st.latest = position.id
	}
	return st, true
}

// longest bounds the search for an order. What isn't decided by then isn't held against anybody.
const longest = 2 * time.Second

// linearizable looks for an order of the calls, of what decides the log first, and then of what the questions saw. Each
// member of a StreamInfo is a question of its own: none says that the three are of the same moment.
func (r *Race) linearizable() error {
	rules := map[string]string{"status": "helix.status.transitions", "latest": "helix.status.latest", "count": "helix.status.count"}
	if r.removal.Accepted {
		rules["latest"], rules["count"] = "helix.truncation.latest-kept", "helix.truncation.count-after"
	}
	writes := func(a attempt) bool { return a.chunk != nil || a.call.Truncates }
	ends := func(a attempt) bool { return a.call.Terminal != "" || a.last }
	for _, stage := range []struct {
		rule, message string
		has           func(a attempt) bool
	}{
		{"helix.ordering.total-order", "a chunk was written before another one was, and has a greater sequence", writes},
		{"helix.lifecycle.first-terminal-wins", "the terminal call that was answered before the other one began doesn't decide", ends},
		{"helix.lifecycle.write-after-end", "a write was accepted that began when the stream had finished", func(a attempt) bool { return writes(a) || ends(a) }},
		{"helix.lifecycle.many-writers", "a write was refused though the stream had not finished", func(a attempt) bool { return a.about == "" }},
		{rules["status"], "StreamInfo has a status that the stream didn't have while it was asked", func(a attempt) bool { return a.about == "status" || ends(a) }},
		{rules["latest"], "StreamInfo has a latestSequence that the stream didn't have while it was asked", func(a attempt) bool { return a.about == "latest" || writes(a) }},
		{rules["count"], "StreamInfo has a chunkCount that the stream didn't have while it was asked", func(a attempt) bool { return a.about == "count" || writes(a) }},
	} {
		operations, err := r.operations(stage.has)
		if err != nil {
			return err
		}
		if porcupine.CheckOperationsTimeout(r.sequential(), operations, longest) == porcupine.Illegal {
			return violation(stage.rule, "an order of the calls in which each is answered as it was", "none", "%s", stage.message)
		}
		r.s.Ledger.Saw(stage.rule)
	}
	return nil
}

// sequential is the stream as a checker of orders wants it.
func (r *Race) sequential() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return r.begin() },
		Step: func(state, input, _ any) (bool, any) {
			next, possible := r.after(state.(situation), input.(attempt))
			return possible, next
		},
	}
}

// operations are those that a stage looks at. Each chunk is one: a reader may see a part of an array.
func (r *Race) operations(has func(attempt) bool) ([]porcupine.Operation, error) {
	var out []porcupine.Operation
	end := int64(0)
	add := func(client int, c Call, a attempt) {
		if end = max(end, c.Answered); has(a) {
			out = append(out, porcupine.Operation{ClientId: client, Input: a, Call: c.Begun, Return: c.Answered})
		}
	}
	for i, c := range r.calls {
		switch {
		case c.Info != nil:
			info, err := readInfo(200, c.Info)
			if err != nil {
				return nil, err
			}
			for _, about := range []string{"status", "latest", "count"} {
				add(i, c, attempt{call: c, info: info, about: about})
			}
		case c.Chunks != nil && c.Accepted:
			for _, chunk := range c.Chunks {
				add(i, c, attempt{call: c, chunk: chunk})
			}
		default:
			add(i, c, attempt{call: c})
		}
	}
	add(len(r.calls), Call{Begun: end + 1, Answered: end + 2}, attempt{last: true})
	return out, nil
}

// apply brings the stream to where the race left it.
func (r *Race) apply() {
	s := r.s
	var before, after []*Chunk
	for _, c := range r.accepted {
		if r.order[c].index < 0 {
			before = append(before, c)
		}
	}
	for _, c := range r.line {
		if len(after) > 0 || r.order[c].doomed && r.order[c].stays {
			after = append(after, c)
		} else {
			before = append(before, c)
		}
	}
	s.Write(before...)
	notified := s.Attach(Place{}, false) // what it is told of, others may be
	switch {
	case r.removal.Resets:
		s.Reset()
	case r.removal.Truncates:
		s.Cleanup(r.removal.Step)
	}
	notified.Detach()
	r.truncated, r.extraTruncatedAllowed = notified.notices, notified.extraTruncatedAllowed
	s.Write(after...)
	if r.finish.Accepted {
		s.finish(r.finish.Terminal, r.finish.Final, r.finish.Code)
	}
}

// Amid says that the reader's connection began somewhere in a race: whether before a truncation or an end or after it,
// nobody knows.
func (r frameChecker) Amid(race *Race) {
	if race.finish.Accepted || race.removal.Resets {
		r.known = ""
	}
	r.cleanups, r.notices, r.extraTruncatedAllowed = race.cleanups, slices.Clone(race.truncated), race.extraTruncatedAllowed
	r.mayClose = r.mayClose || race.removal.Accepted
}
