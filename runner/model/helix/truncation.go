package helix

// truncations take frames away from a stream.
type truncations struct{ *Stream }

// Cleanup removes the chunks whose step is greater: helix.truncation.removes, helix.truncation.keeps-stepless.
func (s truncations) Cleanup(step int) {
	s.truncate(step, false, func(c *Chunk) bool { return c.Step > step })
}

// Reset removes everything and makes the stream active: helix.truncation.reset-empties, helix.truncation.reset-reopens.
func (s truncations) Reset() {
	paused := s.status == Paused
	s.status, s.epoch, s.revived, s.last.status = Active, len(s.chunks), false, ""
	s.rejectedBatch = 0
	s.resets++
	removed := s.truncate(0, true, func(*Chunk) bool { return true })
	switch {
	case paused && removed: // whether a status frame says so beside the truncated one is free
		for r := range s.readers {
			r.known, r.statusUnknown = "", true
		}
	case paused: // nothing else tells readers
		s.announce(notice{kind: "status", status: Active})
	}
}

// truncate takes chunks away. If there were any, attached readers must get a notice; if not, they should get none:
// helix.truncation.nothing-removed.
func (s truncations) truncate(step int, reset bool, gone func(*Chunk) bool) (removed bool) {
	s.cleanups++
	for _, c := range s.chunks {
		if c.removedBy == 0 && gone(c) {
			c.removedBy, c.inReset, c.removedIn, removed = s.cleanups, reset, s.last.epochs, true
		}
		c.storedChunks = c.removedBy == 0
	}
	if removed {
		s.announce(notice{kind: "truncated", step: step, ordinal: s.cleanups, reset: reset})
		return true
	}
	for r := range s.readers {
		r.extraTruncatedAllowed++
	}
	return false
}
