package stream

import (
	"slices"

	"github.com/streamcert/streamcert/runner/model"
)

// Settle applies a race to the stream. complete is everything that is stored after it, which decides the order; seen are
// the frames that readers received during it, which show the sequences of removed chunks. The calls must be linearizable.
func (s *Stream) Settle(calls []Call, complete []Frame, seen ...[]Frame) (*Race, error) {
	r := &Race{s: s, calls: calls, order: map[*Chunk]at{}, cleanups: s.log.cleanups}
	if err := r.decide(complete); err != nil {
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
	for i, frames := range slices.Insert(seen, 0, complete) {
		for _, f := range frames {
			m := f.decoded()
			if m == nil {
				continue // the reader that takes it says so
			}
			if i == 0 && (m.Type == "end" || m.Type == "fail") {
				r.finished(m.Type)
			}
			marker := markerOf(m)
			switch c := byMarker[marker]; {
			case c == nil:
				r.lost.see(marker, m)
			case refused[marker]:
				return r, model.Violated("helix.lifecycle.no-chunk-after-end", "nothing of a write that was refused", marker, "a chunk came that was refused")
			case m.Sequence.OK && r.order[c].id == 0:
				r.order[c] = at{id: m.Sequence.N, stays: i == 0, doomed: r.removal.removes(c)}
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
	r.loses(remainsOf(complete))
	return r, nil
}

// finished finds the call that caused the terminal frame.
func (r *Race) finished(kind string) {
	for _, c := range r.calls {
		if c.Accepted && c.Terminal == map[string]Status{"end": Ended, "fail": Failed}[kind] {
			r.finish = c
		}
	}
}

// lineUp makes the log. An accepted chunk that isn't stored must have been removed.
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
			case r.lost.killed: // the most specific reason first
				rule = "helix.durable.kept"
			case r.finish.Accepted:
				rule = "helix.lifecycle.write-after-end"
			case r.removal.Accepted && c.Step == Stepless:
				rule = "helix.truncation.keeps-stepless"
			case r.removal.Accepted:
				rule = "helix.truncation.keeps"
			}
			return model.Violated(rule, c.Marker+", which was accepted", "nothing of it", "a chunk was accepted and isn't stored")
		}
	}
	slices.SortStableFunc(r.line, func(a, b *Chunk) int { return int(r.order[a].id - r.order[b].id) })
	last := map[int]*Chunk{} // the latest accepted chunk of each writer
	for i, c := range r.line {
		position := r.order[c]
		position.index = i
		r.order[c] = position
	}
	for _, call := range r.calls {
		for _, c := range call.Chunks {
			if before := last[call.Writer]; call.Accepted && r.order[c].index >= 0 {
				if before != nil && r.order[before].index > r.order[c].index {
					return model.Violated("helix.ordering.write-order", before.Marker+" before "+c.Marker, "it comes after it", "chunks of one writer changed places")
				}
				last[call.Writer] = c
			}
		}
	}
	r.s.Occasions.Saw("helix.ordering.write-order")
	return nil
}

// apply brings the stream into the situation after the race.
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
	notified := s.Attach(Position{}, false) // other readers may receive the same notices
	switch {
	case r.removal.Resets:
		s.Reset()
	case r.removal.Truncates:
		s.Cleanup(r.removal.Step)
	}
	notified.Detach()
	r.truncated, r.extraTruncated = notified.notices.pending, notified.notices.extraTruncated
	s.Write(after...)
	if r.finish.Accepted {
		s.terminate(r.finish.Terminal, r.finish.Final, r.finish.Code)
	}
}
