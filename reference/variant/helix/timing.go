package helix

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/reference/variant"
)

// timings are other moments for the same.
func timings() []Variant {
	return append(variant.Latencies[reference.Options]("Q-46"), []Variant{
		{Name: "polled-store", Freedom: "Q-46",
			Summary: "Readers are served from looks at the store, 20 ms apart; of a pause that begins and ends between two " +
				"looks nobody hears.",
			Apply: onAttach(func(_ helix.Reader, s store.Subscription) store.Subscription {
				return &polled{Subscription: s, every: 20 * time.Millisecond, sent: store.Active}
			})},
		{Name: "coalesced-writes", Freedom: "Q-46",
			Summary: "What comes within a few milliseconds is written at once.",
			Apply: onAttach(func(_ helix.Reader, s store.Subscription) store.Subscription {
				return &coalesced{Subscription: s, window: 5 * time.Millisecond}
			})},
		{Name: "slow-info", Freedom: "Q-46",
			Summary: "StreamInfo takes its time.",
			Apply:   on.OnStore(pondering)},
		{Name: "slow-writes", Freedom: "Q-46",
			Summary: "Whatever is written to a stream takes some milliseconds, as into a database in another building.",
			Apply:   on.OnStore(writingSlowly)},
		{Name: "ends-every-connection", Freedom: "helix.wire.stays-open", MaxConnection: time.Second,
			Summary: "The platform ends every response after a second, behind a whole frame.",
			Apply: onAttach(func(_ helix.Reader, s store.Subscription) store.Subscription {
				return &expiring{Subscription: s, until: time.Now().Add(time.Second)}
			})},
		{Name: "no-heartbeat", Freedom: "decision 6", Warns: []string{"helix.wire.heartbeat"},
			Summary: "Nothing is sent while nothing is written.",
			Apply: func(o reference.Options) reference.Options {
				o.Heartbeat = -1
				return o
			}},
		{Name: "eager-heartbeat", Freedom: "an event",
			Summary: "A comment is sent after every few milliseconds of silence.",
			Apply: func(o reference.Options) reference.Options {
				o.Heartbeat = 5 * time.Millisecond
				return o
			}},
	}...)
}

// expiring ends at a moment.
type expiring struct {
	store.Subscription
	until time.Time
}

func (s *expiring) Next(ctx context.Context) ([]store.Event, error) {
	ctx, cancel := context.WithDeadline(ctx, s.until)
	defer cancel()
	return s.Subscription.Next(ctx)
}

// polled checks for new events at intervals, instead of being woken.
type polled struct {
	store.Subscription
	every time.Duration
	sent  store.Status
	wait  bool // no wait before the first check, nor after a full batch
}

func (s *polled) Next(ctx context.Context) ([]store.Event, error) {
	for {
		if s.wait {
			if err := alter.Pause(ctx, s.every); err != nil {
				return nil, err
			}
		}
		events, err := s.Subscription.Next(over())
		s.wait = err != nil || len(events) < 64
		if !errors.Is(err, context.Canceled) {
			return s.seen(events), err
		}
	}
}

// seen removes the changes of the status that polling misses: all but the last.
func (s *polled) seen(events []store.Event) []store.Event {
	var out []store.Event
	for i, e := range events {
		if e.Kind == store.StatusChanged {
			again := slices.ContainsFunc(events[i+1:], func(later store.Event) bool { return later.Kind == store.StatusChanged })
			if again || e.Status == s.sent {
				continue
			}
			s.sent = e.Status
		}
		out = append(out, e)
	}
	return out
}

// coalesced waits for more before it delivers.
type coalesced struct {
	store.Subscription
	window time.Duration
}

func (s *coalesced) Next(ctx context.Context) ([]store.Event, error) {
	events, err := s.Subscription.Next(ctx)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(events)
	_ = alter.Pause(ctx, s.window) // the events so far are delivered in any case
	for len(out) < 256 {
		more, err := s.Subscription.Next(over())
		if err != nil {
			break // it comes again with the next call
		}
		out = append(out, more...)
	}
	return out, nil
}

// pondering takes its time for info.
func pondering(inner store.Store, s *on.Store) {
	s.OnInfo = func(ctx context.Context, stream string) (store.Info, error) {
		if err := alter.Pause(ctx, 50*time.Millisecond); err != nil {
			return store.Info{}, err
		}
		return inner.Info(ctx, stream)
	}
}

// writingSlowly takes its time before it writes.
func writingSlowly(inner store.Store, s *on.Store) {
	s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
		if err := alter.Pause(ctx, rand.N(10*time.Millisecond)); err != nil {
			return nil, err
		}
		return inner.Append(ctx, stream, writer, chunks)
	}
}
