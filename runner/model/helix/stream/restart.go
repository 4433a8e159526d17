package stream

import (
	"errors"

	"github.com/streamcert/streamcert/runner/model"
)

// restart is the state of a stream at the last kill of the server. The zero value is that of a server that never was.
type restart struct {
	count  int    // restarts so far
	chunks int    // how many were written by then
	sent   int64  // the greatest id on any frame by then
	status Status // of the stream; "" once it has had another one since
}

// keeps returns the requirement by which a chunk outlives the last restart, "" if it was written after it.
func (r restart) keeps(c *Chunk) string {
	if c.index < r.chunks {
		return "helix.durable.kept"
	}
	return ""
}

// numbers returns the requirement on the id of a chunk that was written after the last restart, "" for other chunks.
func (r restart) numbers(c *Chunk) string {
	if r.count == 0 || c.index < r.chunks {
		return ""
	}
	return "helix.durable.sequences"
}

// resumes returns the requirement on a reader that came after the last restart with a cursor from before it, "" for other
// readers.
func (r restart) resumes(cursor int64, resumed bool) string {
	if r.count > 0 && resumed && cursor <= r.sent {
		return "helix.durable.resume"
	}
	return ""
}

// broken turns a violation into one of a rule on restarts, if there was a restart.
func (r restart) broken(err error, requirement string) error {
	var b *model.Violation
	if r.count > 0 && errors.As(err, &b) {
		b.Requirement = requirement
	}
	return err
}
