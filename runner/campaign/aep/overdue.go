package aep

import (
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
)

// longestStream is the longest time-out of a stream that is waited for.
const longestStream = 10 * time.Second

// Timed reports whether the program's requests go to the agent whose streams time out.
func (p Program) Timed() bool { return p.timed }

// expires reports whether a stream can be made to take too long.
func (p *play) expires() bool {
	limit := p.config.StreamTimeout
	return limit > 0 && limit <= longestStream && p.target.Model() == nil
}

// expire has the agent of the first request wait until its stream has taken too long.
func (p *play) expire(t *thread) error {
	if err := p.turns.settle(t); err != nil || len(t.live) == 0 || !p.timed || !p.expires() {
		return err
	}
	first := t.live[0]
	first.Expire()
	// A server may use a coarse clock, and check it rarely. A delayed check ends the stream later than the limit.
	limit := p.config.StreamTimeout
	_, ended := first.conn.EndedWithin(limit + limit/2 - time.Since(first.began))
	soon := ended && time.Since(first.began) < leastOf(limit)
	if err := p.turns.settle(t); err != nil {
		return err
	}
	if soon {
		return campaign.Broken(first.conn.Exchange, "aep.errors.timeout-early", "an open stream", "stream_timeout", "a stream ended because it took too long, which it didn't")
	}
	return p.turns.releaseRemaining(first) // its later text must not be in the thread
}
