package aep

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/aep"
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

// starved reports whether a stream exceeded its time although its agent didn't wait: neither the suite, nor another request
// of its thread, nor the machine delayed its end.
func (p *play) starved(t *turn) bool {
	limit := p.config.StreamTimeout
	waits := slices.ContainsFunc(t.Script, func(a model.ScriptStep) bool { return a.Name == "await" })
	return p.timed && limit >= ample && !waits && !t.Concurrent() && p.target.Grace(t.began, t.began.Add(limit)) <= 0
}

// ample is the shortest time-out that gives every server the time for a few words.
const ample = time.Second

// leastOf returns the minimum duration of a stream with a time-out.
func leastOf(limit time.Duration) time.Duration { return limit * 3 / 4 }

// overdue returns requests that time out, and later requests on their thread.
func overdue(r *rand.Rand, number int, claims func(string) bool) []Operation {
	late := Operation{kind: expire}
	if number > 0 && acting(claims) {
		stops := answers(r, one)
		stops.steps = []step{{"text", words, 1}, {name: "await"}, {"text", words, 1}}
		return []Operation{inquires(), stops, late, answers(r, one), answers(r, retried), answers(r, again), stops, late, answers(r, all), answers(r, again)}
	}
	hangs := pauses()
	hangs.steps = []step{{"text", words, 1}, {"tool", ascii, 2}, {name: "await"}, {"text", words, 1}} // after a tool's result
	return []Operation{recalls(), pauses(), late, recalls(), hangs, late, {kind: repeat}, {kind: finish}, recalls()}
}
