package helix

import (
	"time"

	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

// world is the state of a scenario of pack helix: its streams with the events that
// were written to them, and its clients with the frames that they have received.
type world struct {
	*steps.World

	streams map[string]*stream
	clients map[string]*clientState
	order   []string // client names in order of their making
	fresh   int

	attempt     *attempt         // the last write that might have been refused
	answer      *target.Exchange // the last document asked for
	thirdParty  *thirdParty      // a client that this kit didn't write
	agent       *agentRun        // the run on the server's own runtime
	beat        time.Duration    // the heartbeat interval that the scenario watches
	longestBeat time.Duration    // what the rule allows it to be
	quickest    time.Duration    // how long the event took that came soonest of those written one by one
	sweep       *sweep           // clients that were cut again and again
	played      *steps.Histories // what was drawn and played
}

// of returns the state that pack helix keeps of a scenario.
func of(w *steps.World) *world {
	return steps.Of(w, func(w *steps.World) *world {
		return &world{World: w, streams: map[string]*stream{}, clients: map[string]*clientState{}}
	})
}

// Finish waits for the end of every body whose terminal frame has come, or that is
// no stream. It takes the place of the world's own, which calls it.
func (w *world) Finish() {
	if w.thirdParty != nil {
		w.thirdParty.reader.Close()
	}
	for _, name := range w.order {
		c := w.clients[name]
		if c.reader == nil {
			continue
		}
		if st := c.reader.Now().Status; c.terminal != nil || st != 0 && st != 200 {
			// What was seen at the deadline is for the judge to say.
			_, _ = c.reader.Ended()
		}
	}
}

// Taken returns how many frames of an exchange the clients have looked at.
func (w *world) Taken(e *target.Exchange) int {
	for _, c := range w.clients {
		for _, r := range c.readers {
			if r.Exchange == e {
				return r.Taken()
			}
		}
	}
	return 0
}

// Timestamps are those of the chunks that the scenario wrote, in milliseconds of
// Unix time.
func (w *world) Timestamps() []int64 {
	var out []int64
	for _, s := range w.streams {
		for n := range len(s.events) + 2 {
			out = append(out, w.moment(n))
		}
	}
	return out
}
