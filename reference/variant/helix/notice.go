package helix

import (
	"context"
	"slices"
	"sync"

	"github.com/streamcert/streamcert/reference"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// notice lists the variants of notice.
func notice() []Variant {
	return []Variant{
		// These are other ways to tell of a truncation.
		{Name: "close-after-truncated", Freedom: "Q-13",
			Summary: "The connection is closed after a truncated frame.",
			Apply:   closingAt(on.Truncated(), true)},
		{Name: "no-at-sequence", Freedom: "helix.truncation.at-sequence", Warns: []string{"helix.truncation.at-sequence"},
			Summary: "A truncated frame names the step alone.",
			Apply:   on.Frames(on.Of(store.Truncated)).Remove("atSequence")},

		// These are other ways to tell of a pause.
		{Name: "close-at-pause", Freedom: "Q-11",
			Summary: "A pause closes the connections without a word, and readers get its frame when they come back.",
			Apply:   closingAt(on.StatusIs(store.Paused).And(on.CameWhile(store.Paused).Not()), false)},
		{Name: "close-after-paused", Freedom: "Q-11",
			Summary: "The connection is closed after a frame that says paused.",
			Apply:   closingAt(on.StatusIs(store.Paused), true)},
		{Name: "held-while-paused", Freedom: "helix.status.written-while-paused",
			Summary: "Attached readers get what is written during a pause when it is over.",
			Apply: aroundResets(func(s store.Subscription, reset func() int64) store.Subscription {
				return &holding{Subscription: s, reset: reset}
			})},
		{Name: "reset-tells-of-no-status", Freedom: "helix.status.transitions",
			Summary: "A reset that removes what a paused stream holds sends the truncated frame alone.",
			Apply: aroundResets(func(s store.Subscription, reset func() int64) store.Subscription {
				return &tacit{Subscription: s, reset: reset}
			})},
		{Name: "paused-unsaid", Freedom: "helix.status.attach-paused", Warns: []string{"helix.status.attach-paused"},
			Slow:    true, // scenarios wait until the deadline for events that never come
			Summary: "A reader that comes to a paused stream gets no frame for the pause.",
			Apply:   on.Events(on.StatusIs(store.Paused).Nth(1), on.CameWhile(store.Paused)).Drop()},

		// These are other ways to receive a reader.
		{Name: "status-at-once", Freedom: "a reader that comes to an active stream",
			Summary: "Whoever attaches to an active stream first receives a status frame that says active.",
			Apply: on.OnAttached(func(v on.Attached, s store.Subscription) store.Subscription {
				if v.Status != store.Active {
					return nil
				}
				return on.Preceded(s, store.Event{Kind: store.StatusChanged, Status: store.Active})
			})},
		{Name: "status-behind-what-is-stored", Freedom: "a reader that comes to an active stream",
			Summary: "Whoever attaches to an active stream receives a status frame that says active behind the first chunks.",
			Apply: on.OnAttached(func(v on.Attached, s store.Subscription) store.Subscription {
				if v.Status != store.Active {
					return nil
				}
				return &greeting{Subscription: s}
			})},
	}
}

// aroundResets wraps each subscription; reset returns the number at which its stream was reset last.
func aroundResets(wrap func(s store.Subscription, reset func() int64) store.Subscription) func(reference.Options) reference.Options {
	return func(o reference.Options) reference.Options {
		resets := &resetting{Store: o.Store, at: map[string]int64{}}
		o.Store = resets
		return onAttach(func(r helix.Reader, s store.Subscription) store.Subscription {
			return wrap(s, func() int64 { return resets.last(r.Stream) })
		})(o)
	}
}

// tacit leaves out the status frame that follows the truncated frame of a reset.
type tacit struct {
	store.Subscription
	reset func() int64
	after bool // a reset's truncated frame
}

// Next implements store.Subscription.
func (t *tacit) Next(ctx context.Context) ([]store.Event, error) {
	events, err := t.Subscription.Next(ctx)
	return slices.DeleteFunc(events, func(e store.Event) bool {
		dropped := t.after && e.Kind == store.StatusChanged && e.Status == store.Active
		t.after = e.Kind == store.Truncated && e.AtStep == 0 && e.AtSequence == t.reset()
		return dropped
	}), err
}

// greeting reports that a stream is active once the first chunks have come, before anything else.
type greeting struct {
	store.Subscription
	sent bool
}

// Next implements store.Subscription.
func (g *greeting) Next(ctx context.Context) ([]store.Event, error) {
	events, err := g.Subscription.Next(ctx)
	if g.sent || len(events) == 0 {
		return events, err
	}
	g.sent = true
	at := slices.IndexFunc(events, func(e store.Event) bool { return e.Kind != store.ChunkWritten })
	if at < 0 {
		at = len(events)
	}
	return slices.Insert(events, at, store.Event{Kind: store.StatusChanged, Status: store.Active}), err
}

func isPause(e store.Event) bool { return e.Kind == store.StatusChanged && e.Status == store.Paused }

// resetting remembers how far streams were when they were reset.
type resetting struct {
	store.Store
	mu sync.Mutex
	at map[string]int64
}

func (s *resetting) Reset(ctx context.Context, stream string) error {
	info, err := s.Store.Info(ctx, stream)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.at[stream] = info.LatestSequence
	s.mu.Unlock()
	return s.Store.Reset(ctx, stream)
}

// Delete forgets the resets of the stream: a new one of the same name counts from 0.
func (s *resetting) Delete(ctx context.Context, stream string) error {
	s.mu.Lock()
	delete(s.at, stream)
	s.mu.Unlock()
	return s.Store.Delete(ctx, stream)
}

// last returns the latest sequence before the last reset of a stream.
func (s *resetting) last(stream string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at[stream]
}

// holding keeps the chunks that come between a pause and its end.
type holding struct {
	store.Subscription
	reset   func() int64
	paused  bool
	delayed []store.Event
}

func (s *holding) Next(ctx context.Context) ([]store.Event, error) {
	events, err := s.Subscription.Next(ctx)
	var out []store.Event
	for _, e := range events {
		switch {
		case e.Kind == store.ChunkWritten && s.paused:
			s.delayed = append(s.delayed, e)
			continue
		case e.Kind == store.Truncated:
			s.delayed = slices.DeleteFunc(s.delayed, func(h store.Event) bool {
				return h.Sequence <= s.reset() || h.Chunk.HasStep && h.Chunk.Step > e.AtStep
			})
		case e.Kind == store.StatusChanged:
			s.paused = isPause(e)
		}
		if !s.paused || e.Kind.Terminal() {
			out, s.delayed = append(out, s.delayed...), nil
		}
		out = append(out, e)
	}
	return out, err
}
