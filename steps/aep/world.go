package aep

import (
	"time"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	targetaep "github.com/streamcert/streamcert/runner/target/aep"
	"github.com/streamcert/streamcert/steps"
)

// quiet is the time in which a server notices an event that it doesn't confirm.
const quiet = 50 * time.Millisecond

// world is the state of a scenario of pack aep: the requests that it made.
type world struct {
	*steps.World

	turns  []*turn          // in the order of their making
	config targetaep.Config // section of the pack
	names  record.Names     // that only the target has
	played *steps.Histories // nil before a campaign was played
}

// of returns the state that pack aep keeps of a scenario.
func of(w *steps.World) *world {
	return steps.Of(w, func(w *steps.World) *world {
		config := targetaep.ConfigOf(w.Session().Target())
		return &world{World: w, config: config, names: config.Names()}
	})
}

// Finish waits for the end of every body whose terminal event has come, or that is
// no stream. It replaces that of the embedded world, which calls it.
func (w *world) Finish() {
	for _, t := range w.turns {
		t.finish()
	}
}

// Taken returns how many frames of a response the steps have looked at.
func (w *world) Taken(e *target.Exchange) int {
	for _, t := range w.turns {
		if t.reader.Exchange == e {
			return t.reader.Taken()
		}
	}
	return 0
}

// Timestamps returns none: requests of a scenario contain no timestamps.
func (*world) Timestamps() []int64 { return nil }
