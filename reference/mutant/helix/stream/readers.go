package stream

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// readers lists the mutants of readers.
func readers() []edit.Mutant {
	return []edit.Mutant{
		// Mutants that lose chunks at certain moments.
		{Name: "buffers-one-frame", Requirement: "helix.lifecycle.live", Stateful: true,
			Summary: "For the only reader of a stream, the frame that fills the first buffer waits for the one that comes next.",
			Apply:   on.Events().Map(buffersEighth)},
		{Name: "looks-every-other-second", Requirement: "helix.lifecycle.prompt",
			Summary: "A reader that has what is stored gets what is new when the store is looked at again, a while later.",
			Apply: on.OnAttach(func(_ store.Store, _ helix.Reader, s store.Subscription) store.Subscription {
				return &unhurried{Subscription: s}
			})},
		{Name: "loses-chunk-between-replay-and-live", Requirement: "helix.lifecycle.late-reader", Stateful: true,
			Summary: "After a longer replay, the first chunk that was written meanwhile is lost.",
			Also:    []string{"helix.ordering.write-order"},
			Apply:   on.Events(on.ForAttached(longReplay), on.Live().Nth(1)).Drop()},

		// Mutants that forget finished streams.
		{Name: "forgets-finished", Requirement: "helix.lifecycle.kept", Stateful: true,
			Summary: "A stream is dropped a moment after its end.",
			Apply: func(o reference.Options) reference.Options {
				var finished alter.PerKey[time.Time]
				note := func(stream string) { finished.With(stream, func(at *time.Time) { *at = time.Now() }) }
				return alter.All(on.Before(on.Calls{
					Finish: func(stream string) { note(stream) },
				}), on.OnStart(func(c helix.Cursor, i store.Info, stream string) (int64, error) {
					if i.Terminal > 0 && time.Since(finished.Get(stream)) > maxIdle {
						return 0, store.ErrUnknownStream
					}
					return c.After, nil
				}))(o)
			}},

		// These let readers disturb each other.
		{Name: "splits-chunks-among-readers", Requirement: "helix.lifecycle.independent-readers", Stateful: true,
			Summary: "One of eight partitions of the live chunks is a queue, from which each chunk goes to one reader only.",
			Also:    []string{"helix.ordering.total-order", "helix.lifecycle.stalled-reader"},
			Apply:   on.Events(on.Fresh(), on.CameAfter(1), on.Live(), on.IfEvent(func(e store.Event) bool { return e.Sequence%8 == 0 })).Drop()},
		{Name: "fourth-reader-starves", Requirement: "helix.lifecycle.independent-readers", Stateful: true,
			Summary: "The hub has three places: who comes fourth is attached and gets nothing that is written later.",
			Apply:   on.Events(on.Fresh(), on.CameAfter(3), on.Live()).Drop()},
		{Name: "deaf-since-pause", Requirement: "helix.lifecycle.independent-readers", Stateful: true,
			Summary: "A reader that came during a pause gets status frames only, also when the pause is over.",
			Also:    []string{"helix.resume.paused", "helix.status.attach-paused", "helix.lifecycle.end"},
			Apply:   on.Events(on.CameWhile(store.Paused), on.Live()).Drop()},
		{Name: "disconnect-detaches-neighbour", Requirement: "helix.lifecycle.reader-disconnect", Stateful: true,
			Summary: "When a reader from the middle of the list leaves, the one behind it is taken off the list too.",
			Apply:   detachesNeighbour},
		{Name: "drops-for-slow-reader", Requirement: "helix.lifecycle.slow-reader", Stateful: true,
			Summary: "When more than a megabyte waits for a reader, what doesn't fit is left out.",
			Apply: on.OnAttached(func(v on.Attached, s store.Subscription) store.Subscription {
				return &edit.Batches{Subscription: s, Change: func(events []store.Event) []store.Event {
					const limit = 1 << 20
					waiting := 0
					return slices.DeleteFunc(slices.Clone(events), func(e store.Event) bool {
						if v.Live(e) {
							waiting += len(e.Chunk.JSON)
						}
						return v.Live(e) && waiting > limit
					})
				}}
			})},
		{Name: "stalled-reader-blocks", Requirement: "helix.lifecycle.stalled-reader", Stateful: true,
			Summary: "One loop feeds all readers of a stream and waits for the slowest.",
			Apply:   slowestFirst},
	}
}

// unhurried delays chunks that are written while its reader waits.
type unhurried struct {
	store.Subscription
	live bool
}

func (s *unhurried) Next(ctx context.Context) ([]store.Event, error) {
	events, err := s.Subscription.Next(ctx)
	if s.live && err == nil { // whatever the context: it ends at each heartbeat, and what was taken would be lost
		time.Sleep(1200 * time.Millisecond)
	}
	s.live = true
	return events, err
}

// longReplay reports whether a reader that starts at the beginning has a page of ten to catch up with.
func longReplay(v on.Attached) bool { return v.Fresh() && v.LatestSequence >= 10 }

// buffersEighth delays the eighth frame of a connection, if it is live and there is no other reader.
func buffersEighth(v on.Attached) func(store.Event) []store.Event {
	frames := 0
	var withheld []store.Event
	return func(e store.Event) []store.Event {
		frames++
		if frames == 8 && v.Live(e) && v.Fresh() && v.Count() == 1 {
			withheld = []store.Event{e}
			return nil
		}
		out := append(withheld, e)
		withheld = nil
		return out
	}
}

// detachesNeighbour keeps the readers of each stream in a list, and makes a mistake when it deletes from the middle.
func detachesNeighbour(o reference.Options) reference.Options {
	type readerSlot struct{ taken bool }
	var readerSlots alter.PerKey[[]*readerSlot]
	return on.OnAttached(func(v on.Attached, s store.Subscription) store.Subscription {
		own := &readerSlot{taken: true}
		readerSlots.With(v.Stream, func(list *[]*readerSlot) { *list = append(*list, own) })
		leave := func() {
			readerSlots.With(v.Stream, func(list *[]*readerSlot) {
				i := slices.Index(*list, own)
				if i > 0 && i+1 < len(*list) {
					(*list)[i+1].taken = false
				}
				*list = slices.Delete(*list, i, i+1)
			})
		}
		heard := store.Map(s, edit.Except(func(store.Event) (off bool) {
			readerSlots.With(v.Stream, func(*[]*readerSlot) { off = !own.taken })
			return off
		}))
		return &on.Leaving{Subscription: heard, OnClose: leave}
	})(o)
}

// slowestFirst makes readers wait for each other.
func slowestFirst(o reference.Options) reference.Options {
	var convoys alter.PerKey[convoy]
	return on.OnAttached(func(v on.Attached, s store.Subscription) store.Subscription {
		var c *convoy
		convoys.With(v.Stream, func(p *convoy) { c = p })
		return c.join(s, v.Cursor.After)
	})(o)
}

// convoy is the readers of one stream, of which none may be more than a few frames before another.
type convoy struct {
	mu      sync.Mutex
	readers map[*follower]struct{}
	moved   chan struct{} // closed when a reader moves
}

// follower is one of them. The convoy's mutex guards its position.
type follower struct {
	store.Subscription
	convoy *convoy
	at     int64 // last sequence that was written to the connection
	given  int64 // last sequence that was given out for writing
}

func (c *convoy) join(s store.Subscription, at int64) *follower {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.readers == nil {
		c.readers, c.moved = map[*follower]struct{}{}, make(chan struct{})
	}
	f := &follower{Subscription: s, convoy: c, at: at}
	c.readers[f] = struct{}{}
	return f
}

// change changes the convoy and wakes the readers that wait.
func (c *convoy) change(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
	close(c.moved)
	c.moved = make(chan struct{})
}

// waits reports whether a reader is far behind a follower, and returns a channel that is closed when that may have changed.
func (c *convoy) waits(f *follower) (bool, <-chan struct{}) {
	const far = 8
	c.mu.Lock()
	defer c.mu.Unlock()
	for other := range c.readers {
		if other.at < f.at-far {
			return true, c.moved
		}
	}
	return false, c.moved
}

// Next implements store.Subscription. A further call means that all events before were written.
func (f *follower) Next(ctx context.Context) ([]store.Event, error) {
	if f.given > f.at {
		f.convoy.change(func() { f.at = f.given })
	}
	for wait, moved := f.convoy.waits(f); wait; wait, moved = f.convoy.waits(f) {
		select {
		case <-moved:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	events, err := f.Subscription.Next(ctx)
	for _, e := range events {
		f.given = max(f.given, e.Sequence)
	}
	return events, err
}

// Close implements store.Subscription.
func (f *follower) Close() {
	f.convoy.change(func() { delete(f.convoy.readers, f) })
	f.Subscription.Close()
}
