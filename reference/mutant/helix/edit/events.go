package edit

import (
	"context"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// TypeOf returns the type of an event's chunk; "" if the event has none.
func TypeOf(e store.Event) string { return alter.Members(e.Chunk.JSON).Text("type") }

// Except drops the events that hit matches.
func Except(hit func(store.Event) bool) func(store.Event) []store.Event {
	return func(e store.Event) []store.Event {
		if hit(e) {
			return nil
		}
		return []store.Event{e}
	}
}

// Batches changes the events that a subscription returns at once.
type Batches struct {
	store.Subscription
	Change func([]store.Event) []store.Event
}

// Next implements store.Subscription.
func (s *Batches) Next(ctx context.Context) ([]store.Event, error) {
	events, err := s.Subscription.Next(ctx)
	if err != nil {
		return nil, err
	}
	return s.Change(events), nil
}

// OnEvents replaces each event by others before a reader gets it.
func OnEvents(change func(v on.Attached, e store.Event) []store.Event) on.Apply {
	return on.Events().Map(func(v on.Attached) func(store.Event) []store.Event {
		return func(e store.Event) []store.Event { return change(v, e) }
	})
}
