package stream

// Positions returns the ids that a reader may come with: the start, those of chunks, removed ones too, and those of terminal
// frames. What a former end's id means while nothing came after it is the server's choice, so it is left out.
func (s *Stream) Positions() []Position {
	out := append(make([]Position, 0, 1+len(s.log.chunks)+len(s.finish.terminals)), Position{})
	for i, c := range s.log.chunks {
		if c.id != 0 {
			out = append(out, Position{c.id, i + 1, c.removedBy != 0})
		}
	}
	for _, p := range s.finish.terminals {
		if p.at < len(s.log.chunks) {
			out = append(out, p)
		}
	}
	return out
}

// Last reports whether the position is that of the last chunk, and that chunk is stored.
func (p Position) Last(s *Stream) bool {
	return p.at == len(s.log.chunks) && !p.removed && p.at > s.log.epoch
}

// Beyond returns an id that is greater than every known one, by more than one.
func (s *Stream) Beyond(by int) int64 { return s.log.sent + int64(len(s.log.chunks)) + int64(by) + 2 }
