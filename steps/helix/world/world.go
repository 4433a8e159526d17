package world

import (
	"reflect"
	"time"

	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

// World is the state of a scenario of pack helix: its streams with their written events, and its clients with their
// received frames.
//
// Invariants: Order has each key of Clients once. The only stream of a scenario has the name "". State that only one
// package of sentences needs has no field: it uses [Put] and [Get].
type World struct {
	*steps.World

	Streams map[string]*Stream   // by name
	Clients map[string]*Client   // by name
	Order   []string             // client names in the order of their first connection
	fresh   int                  // clients so far that a step attached without a name
	parts   map[reflect.Type]any // stored by [Put]
	Closing []func()             // called at the end of the scenario

	Answer           *target.Exchange // of the last document request
	Heartbeat        time.Duration    // the heartbeat interval that the scenario watches
	LongestHeartbeat time.Duration    // the longest interval that the rule allows
	Quickest         time.Duration    // the shortest time from the write of an event to its delivery; 0 if unknown
}

// Of returns the state of a scenario that pack helix stores.
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

// Finish waits for the end of every body that has a terminal frame or is no stream. It replaces the world's Finish,
// which calls it.
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
			// The judge reports a body that is still open at the deadline.
			_, _ = c.Reader.Ended()
		}
	}
}

// Taken returns how many frames of an exchange the clients have read.
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

// Timestamps returns the timestamps of the chunks that the scenario wrote, in milliseconds of Unix time.
func (w *World) Timestamps() []int64 {
	var out []int64
	for _, s := range w.Streams {
		for n := range len(s.Events) + 2 {
			out = append(out, w.Moment(n))
		}
	}
	return out
}
