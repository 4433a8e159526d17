package helix

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// Attached is a reader at the moment in which it attaches.
type Attached struct {
	helix.Reader
	store.Info            // of its stream
	Others     int        // readers that came without a cursor and are still there
	Count      func() int // how many of these there are now, itself included
	Store      store.Store
}

// Fresh reports whether the reader came without a cursor.
func (v Attached) Fresh() bool { return !v.Cursor.Given }

// Finished reports whether the stream was over when the reader came.
func (v Attached) Finished() bool { return Finished(v.Info) }

// Stored reports whether a chunk was there when the reader came.
func (v Attached) Stored(e store.Event) bool {
	return e.Kind == store.ChunkWritten && e.Sequence <= v.LatestSequence
}

// Live reports whether a chunk was written after the reader came.
func (v Attached) Live(e store.Event) bool {
	return e.Kind == store.ChunkWritten && e.Sequence > v.LatestSequence
}

// OnAttached wraps the subscription of each reader; a nil wrap changes nothing.
func OnAttached(wrap func(v Attached, s store.Subscription) store.Subscription) Apply {
	return func(o helix.Options) helix.Options {
		var crowd alter.PerKey[int]
		count := func(stream string, by int) (before int) {
			crowd.With(stream, func(n *int) { before, *n = *n, *n+by })
			return before
		}
		return OnAttachment(func(ctx context.Context, s store.Store, r helix.Reader,
			attach Attachment) (store.Subscription, error) {
			info, err := s.Info(ctx, r.Stream)
			if err != nil {
				return nil, err
			}
			sub, err := attach(ctx, s, r)
			if err != nil {
				return nil, err
			}
			v := Attached{Reader: r, Info: info, Store: s, Count: func() int { return count(r.Stream, 0) }}
			if !v.Fresh() {
				v.Others = v.Count()
			} else {
				v.Others = count(r.Stream, 1)
				sub = &Leaving{Subscription: sub, OnClose: func() { count(r.Stream, -1) }}
			}
			if wrapped := wrap(v, sub); wrapped != nil {
				return wrapped, nil
			}
			return sub, nil
		})(o)
	}
}

// Leaving is a subscription that notes when its reader goes.
type Leaving struct {
	store.Subscription
	OnClose func() // before the subscription is closed
}

// Close implements store.Subscription.
func (s *Leaving) Close() {
	s.OnClose()
	s.Subscription.Close()
}

// Reading selects events that a reader receives.
type Reading = alter.When[Attached, store.Event]

// Events selects the events of readers for which all conditions hold.
func Events(when ...Reading) alter.Choice[helix.Options, Attached, store.Event] {
	return alter.Flow[helix.Options, Attached, store.Event](func(change alter.Change[Attached, store.Event]) Apply {
		return OnAttached(func(v Attached, s store.Subscription) store.Subscription { return store.Map(s, change(v)) })
	}).When(when...)
}

// All returns a condition that every event meets.
func All() Reading { return alter.And[Attached, store.Event]() }

// IfEvent returns a condition on single events.
func IfEvent(hit func(e store.Event) bool) Reading { return alter.Each[Attached](hit) }

// ForAttached matches every event of some readers.
func ForAttached(hit func(v Attached) bool) Reading { return alter.In[Attached, store.Event](hit) }

// Kind matches events of some kinds.
func Kind(kinds ...store.Kind) Reading {
	return IfEvent(func(e store.Event) bool { return slices.Contains(kinds, e.Kind) })
}

// Truncated selects the notices of cleanups and resets.
func Truncated() Reading { return Kind(store.Truncated) }

// Terminal matches the end or the failure of a stream.
func Terminal() Reading { return Kind(store.StreamEnded, store.StreamFailed) }

// Reset selects the notices of resets.
func Reset() Reading {
	return IfEvent(func(e store.Event) bool { return e.Kind == store.Truncated && e.AtStep == 0 })
}

// StatusIs selects the notices of a status: of any, or of one of the given ones.
func StatusIs(statuses ...store.Status) Reading {
	return IfEvent(func(e store.Event) bool {
		hit := len(statuses) == 0
		for _, s := range statuses {
			hit = hit || e.Status == s
		}
		return hit && e.Kind == store.StatusChanged
	})
}

// Stored matches chunks that were there when the reader came.
func Stored() Reading {
	return func(v Attached) func(store.Event) bool { return v.Stored }
}

// Live matches chunks that were written after the reader came.
func Live() Reading {
	return func(v Attached) func(store.Event) bool { return v.Live }
}

// ChunkOf matches chunks of a type.
func ChunkOf(kind string) Reading {
	return IfEvent(func(e store.Event) bool {
		return e.Kind == store.ChunkWritten && alter.Members(e.Chunk.JSON).Text("type") == kind
	})
}

// Fresh matches readers that attached without a cursor.
func Fresh() Reading { return ForAttached(Attached.Fresh) }

// Unfinished matches readers that attached before their stream was over.
func Unfinished() Reading { return ForAttached(Attached.Finished).Not() }

// CameWhile matches readers that attached to a stream of a status.
func CameWhile(status store.Status) Reading {
	return ForAttached(func(v Attached) bool { return v.Status == status })
}

// CameAfter matches readers that attached when so many others, or more, were attached without a cursor.
func CameAfter(others int) Reading {
	return ForAttached(func(v Attached) bool { return v.Others >= others })
}

// NeverSent drops the events for which all conditions hold. A reader that never gets the end of its stream stays attached.
func NeverSent(when ...Reading) Apply {
	return OnAttached(func(v Attached, s store.Subscription) store.Subscription {
		hit, w := alter.And(when...)(v), &waiting{}
		w.Subscription = store.Map(s, func(e store.Event) []store.Event {
			if !hit(e) {
				return []store.Event{e}
			}
			w.waits = w.waits || e.Kind.Terminal()
			return nil
		})
		return w
	})
}

// waiting is a subscription that may wait where it would be over.
type waiting struct {
	store.Subscription
	waits bool
}

// Next implements store.Subscription.
func (s *waiting) Next(ctx context.Context) ([]store.Event, error) {
	events, err := s.Subscription.Next(ctx)
	if errors.Is(err, io.EOF) && s.waits {
		<-ctx.Done()
		err = ctx.Err()
	}
	return events, err
}

// Preceded returns a subscription that delivers some events first.
func Preceded(s store.Subscription, first ...store.Event) store.Subscription {
	return &preceded{s, first}
}

type preceded struct {
	store.Subscription
	first []store.Event
}

// Next implements store.Subscription.
func (s *preceded) Next(ctx context.Context) ([]store.Event, error) {
	if first := s.first; len(first) > 0 {
		s.first = nil
		return first, nil
	}
	return s.Subscription.Next(ctx)
}
