package world

import (
	"reflect"
	"time"

	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

// World is the state of a scenario of pack helix: its streams with the events that
// were written to them, and its clients with the frames that they have received.
//
// Invariants: Order has each key of Clients once. The only stream of a scenario has the name "". What one package of
// sentences alone needs is no field: it uses [Put] and [Get].
type World struct {
	*steps.World

	Streams map[string]*Stream
	Clients map[string]*Client
	Order   []string // client names in order of their making
	fresh   int
	parts   map[reflect.Type]any // by [Put]
	Closing []func()             // calls of the end of the scenario

	Answer           *target.Exchange // the last document asked for
	Heartbeat        time.Duration    // the heartbeat interval that the scenario watches
	LongestHeartbeat time.Duration    // what the rule allows it to be
	Quickest         time.Duration    // how long the event took that came soonest of those written one by one
}

// Of returns the state that pack helix keeps of a scenario.
func Of(w *steps.World) *World {
	return steps.Of(w, func(w *steps.World) *World {
		return &World{World: w, Streams: map[string]*Stream{}, Clients: map[string]*Client{}, parts: map[reflect.Type]any{}}
	})
}

// Put stores a value until the end of the scenario, replacing one of the same type.
func Put[T any](w *World, value T) { w.parts[reflect.TypeFor[T]()] = value }

// Get returns the stored value of a type, its zero value if there is none.
func Get[T any](w *World) T {
	value, _ := w.parts[reflect.TypeFor[T]()].(T)
	return value
}

// Finish waits for the end of every body whose terminal frame has come, or that is
// no stream. It takes the place of the world's own, which calls it.
func (w *World) Finish() {
	for _, f := range w.Closing {
		f()
	}
	for _, name := range w.Order {
		c := w.Clients[name]
		if c.Reader == nil {
			continue
		}
		if st := c.Reader.Now().Status; c.Terminal != nil || st != 0 && st != 200 {
			// What was seen at the deadline is for the judge to say.
			_, _ = c.Reader.Ended()
		}
	}
}

// Taken returns how many frames of an exchange the clients have looked at.
func (w *World) Taken(e *target.Exchange) int {
	for _, c := range w.Clients {
		for _, r := range c.Readers {
			if r.Exchange == e {
				return r.Taken()
			}
		}
	}
	return 0
}

// Timestamps are those of the chunks that the scenario wrote, in milliseconds of
// Unix time.
func (w *World) Timestamps() []int64 {
	var out []int64
	for _, s := range w.Streams {
		for n := range len(s.Events) + 2 {
			out = append(out, w.Moment(n))
		}
	}
	return out
}
