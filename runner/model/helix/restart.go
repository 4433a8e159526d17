package helix

import "errors"

// restart is what was so when the server was killed last.
type restart struct {
	epochs int    // that have ended so far
	chunks int    // that had been written
	sent   int64  // the greatest id on any frame
	status Status // of the stream; "" once it has had another one since
}

// restarts are what remains of a stream when the server has begun anew, or others have written at the same time.
type restarts struct{ *Stream }

// Restart tells that the server was killed and started again. Every reader is detached before.
func (s restarts) Restart() {
	s.last = restart{epochs: s.last.epochs + 1, chunks: len(s.chunks), sent: s.sent, status: s.status}
}

// lasting is the requirement that a chunk is kept by which was written before the last restart, "" for none.
func (s restarts) lasting(c *Chunk) string {
	if c.index < s.last.chunks {
		return "helix.durable.kept"
	}
	return ""
}

// numbered is the requirement on the sequence of a chunk that was written after the last restart and whose like was sent
// before, "" for none.
func (s restarts) numbered(c *Chunk) string {
	if s.last.epochs == 0 || c.index < s.last.chunks {
		return ""
	}
	return "helix.durable.sequences"
}

// recalls reports whether the reader came after the last restart with a cursor from before it.
func (r frameChecker) recalls() bool {
	return r.s.last.epochs > 0 && r.resumed && r.from.ID <= r.s.last.sent
}

// recalled is the requirement on such a reader, "" for any other.
func (r frameChecker) recalled() string {
	if r.recalls() {
		return "helix.durable.resume"
	}
	return ""
}

// sinceRestart is a breach as one of what outlives the server, if the stream is as a restart left it.
func (s restarts) sinceRestart(err error, requirement string) error {
	var b *Breach
	if s.last.epochs > 0 && (requirement != "helix.durable.finished" || s.last.status == s.status) && errors.As(err, &b) {
		b.Requirement = requirement
	}
	return err
}
