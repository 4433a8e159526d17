package store

import "context"

// Map returns a subscription that delivers, for each event of another, the events that f returns: none, one or several.
// Decorators use it to change the events of a reader.
func Map(s Subscription, f func(Event) []Event) Subscription {
	return &mapped{Subscription: s, f: f}
}

type mapped struct {
	Subscription
	f func(Event) []Event // maps each event to those that the reader gets
}

func (m *mapped) Next(ctx context.Context) ([]Event, error) {
	batch, err := m.Subscription.Next(ctx)
	var out []Event
	for _, e := range batch {
		out = append(out, m.f(e)...)
	}
	return out, err
}
