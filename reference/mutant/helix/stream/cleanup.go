package stream

import (
	"context"
	"slices"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// zeroIsOne cleans up to step 1 instead of 0, and notifies readers of the requested step.
func zeroIsOne(o reference.Options) reference.Options {
	var named alter.PerKey[int64]
	return alter.All(on.OnStore(func(inner store.Store, s *on.Store) {
		s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
			named.Set(stream, step)
			return inner.Cleanup(ctx, stream, max(1, step))
		}
		s.Before(on.Calls{Reset: func(stream string) { named.Set(stream, 0) }})
	}), on.Events(on.Truncated()).EditIn(func(v on.Attached, e *store.Event) { e.AtStep = named.Get(v.Stream) }))(o)
}

// index is every chunk that was written to a stream, removed or not.
type index struct{ alter.PerKey[[]store.Event] }

// fill keeps the index of each stream, up to its reset.
func (x *index) fill(inner store.Store, s *on.Store) {
	edit.OnAppended(func(stream string, written []store.Event) {
		x.With(stream, func(all *[]store.Event) { *all = append(*all, written...) })
	})(inner, s)
	s.Before(on.Calls{Reset: func(stream string) { x.Set(stream, nil) }})
}

// keepsIndex replays from the index to readers with a cursor.
func keepsIndex(o reference.Options) reference.Options {
	var written index
	return alter.All(on.OnStore(written.fill), on.OnAttached(func(v on.Attached, s store.Subscription) store.Subscription {
		if v.Fresh() {
			return nil
		}
		var replay []store.Event
		for _, e := range written.Get(v.Stream) {
			if e.Sequence > v.Cursor.After && v.Stored(e) {
				replay = append(replay, e)
			}
		}
		return on.Preceded(store.Map(s, edit.Except(v.Stored)), replay...)
	}))(o)
}

// deliversQueued sends removed chunks to readers that had not received them before the cleanup.
func deliversQueued(o reference.Options) reference.Options {
	var written index
	return alter.All(on.OnStore(written.fill), on.Events().Map(func(v on.Attached) func(store.Event) []store.Event {
		last := v.Cursor.After
		return func(e store.Event) []store.Event {
			out := []store.Event{e}
			if e.Kind == store.Truncated {
				for _, queued := range written.Get(v.Stream) {
					if queued.Sequence > last && queued.Sequence <= e.AtSequence && edit.Removes(e.AtStep, queued.Chunk) {
						out = append(out, queued)
					}
				}
			}
			last = max(last, e.Sequence)
			return out
		}
	}))(o)
}

// renumbersRemaining counts the chunks that a cleanup left from 1.
func renumbersRemaining(o reference.Options) reference.Options {
	var kept alter.PerKey[[]int64]
	return alter.All(on.OnStore(func(inner store.Store, s *on.Store) {
		s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
			err := inner.Cleanup(ctx, stream, step)
			var left []int64
			for _, e := range edit.ChunksIn(inner, stream) {
				left = append(left, e.Sequence)
			}
			kept.Set(stream, left)
			return err
		}
		s.Before(on.Calls{Reset: func(stream string) { kept.Set(stream, nil) }})
	}), on.Events(on.Fresh(), on.Kind(store.ChunkWritten)).EditSequence(func(v on.Attached) func(*store.Event) {
		left := kept.Get(v.Stream)
		return func(e *store.Event) {
			if i, found := slices.BinarySearch(left, e.Sequence); found {
				e.Sequence = int64(i) + 1
			}
		}
	}))(o)
}

// atSequenceOfRemaining determines, before each cleanup, the chunks that it will leave.
func atSequenceOfRemaining(o reference.Options) reference.Options {
	var kept alter.PerKey[*int64]
	return alter.All(on.OnStore(func(inner store.Store, s *on.Store) {
		s.Before(on.Calls{
			Cleanup: func(stream string, step int64) {
				last := int64(0)
				for _, e := range edit.ChunksIn(inner, stream) {
					if !edit.Removes(step, e.Chunk) {
						last = e.Sequence
					}
				}
				kept.Set(stream, &last)
			},
			Reset: func(stream string) { kept.Set(stream, nil) },
		})
	}), on.Events(on.Truncated()).EditIn(func(v on.Attached, e *store.Event) {
		if last := kept.Get(v.Stream); last != nil {
			e.AtSequence = *last
		}
	}))(o)
}

// storesNotice keeps the notice of a cleanup if no reader is attached.
func storesNotice(o reference.Options) reference.Options {
	var attached alter.PerKey[int]
	var notices alter.PerKey[store.Event]
	return alter.All(on.OnStore(func(inner store.Store, s *on.Store) {
		s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
			before, err := inner.Info(ctx, stream)
			if err != nil {
				return err
			}
			removes := slices.ContainsFunc(edit.ChunksIn(inner, stream), func(e store.Event) bool { return edit.Removes(step, e.Chunk) })
			if removes && attached.Get(stream) == 0 {
				notices.Set(stream, store.Event{Kind: store.Truncated, AtStep: step, AtSequence: before.LatestSequence})
			}
			return inner.Cleanup(ctx, stream, step)
		}
	}), on.OnAttached(func(v on.Attached, s store.Subscription) store.Subscription {
		count := func(by int) { attached.With(v.Stream, func(n *int) { *n += by }) }
		count(1)
		notified := !v.Fresh()
		notice := notices.Get(v.Stream)
		replayed := store.Map(s, func(e store.Event) []store.Event {
			due := notice.Kind == store.Truncated && v.Stored(e) && e.Sequence > notice.AtSequence
			if notified || !due || !e.Chunk.HasStep || edit.Removes(notice.AtStep, e.Chunk) {
				return []store.Event{e}
			}
			notified = true
			return []store.Event{notice, e}
		})
		return &on.Leaving{Subscription: replayed, OnClose: func() { count(-1) }}
	}))(o)
}

// endsAfterRetry ends a stream with the first write of a step that was removed before.
func endsAfterRetry(inner store.Store, s *on.Store) {
	type cleanup struct {
		done bool
		step int64
	}
	var last alter.PerKey[cleanup]
	s.Before(on.Calls{Cleanup: func(stream string, step int64) { last.Set(stream, cleanup{true, step}) }})
	s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
		sequences, err := inner.Append(ctx, stream, writer, chunks)
		c := last.Get(stream)
		if err == nil && c.done && slices.ContainsFunc(chunks, func(chunk store.Chunk) bool { return edit.Removes(c.step, chunk) }) {
			err = inner.End(ctx, stream, nil)
		}
		return sequences, err
	}
}

// notifiesOfNothing notifies readers of a cleanup that removes nothing.
func notifiesOfNothing(m *store.Memory, s *on.Store) {
	s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
		removes := slices.ContainsFunc(edit.ChunksIn(m, stream), func(e store.Event) bool { return edit.Removes(step, e.Chunk) })
		if err := m.Cleanup(ctx, stream, step); err != nil || removes {
			return err
		}
		return edit.NotifyTruncated(ctx, m, stream, step)
	}
}

// countsUpOnly counts the chunks that were written since the last reset.
func countsUpOnly(o reference.Options) reference.Options {
	var written alter.PerKey[int64]
	return alter.All(on.OnStore(func(inner store.Store, s *on.Store) {
		edit.OnAppended(func(stream string, events []store.Event) {
			written.With(stream, func(n *int64) { *n += int64(len(events)) })
		})(inner, s)
		s.Before(on.Calls{Reset: func(stream string) { written.Set(stream, 0) }})
	}), on.Info(func(stream string, i *store.Info) { i.ChunkCount = written.Get(stream) }))(o)
}

// setsCounterBack continues counting from the last remaining chunk, after a second cleanup.
func setsCounterBack(m *store.Memory, s *on.Store) {
	var cleanups alter.PerKey[int]
	s.Before(on.Calls{Cleanup: func(stream string, _ int64) { cleanups.With(stream, func(n *int) { *n++ }) }})
	m.Number = func(p store.Position) int64 {
		if cleanups.Get(p.Stream) > 1 {
			return p.LastStored + 1
		}
		return p.Highest + 1
	}
}

// resetsUnder keeps the notice of a reset from some readers.
func resetsUnder(untold func(on.Attached) bool) on.Apply {
	return func(o reference.Options) reference.Options {
		var silent alter.PerKey[bool]
		return alter.All(on.Before(on.Calls{
			Cleanup: func(stream string, _ int64) { silent.Set(stream, false) },
			Reset:   func(stream string) { silent.Set(stream, true) },
		}), on.Events(on.Truncated(), on.ForAttached(untold), func(v on.Attached) func(store.Event) bool {
			return func(store.Event) bool { return silent.Get(v.Stream) }
		}).Drop())(o)
	}
}

// restartsCounter continues counting from the last remaining chunk, after a reset.
func restartsCounter(m *store.Memory, s *on.Store) {
	var resets alter.PerKey[bool]
	s.Before(on.Calls{Reset: func(stream string) { resets.Set(stream, true) }})
	m.Number = func(p store.Position) int64 {
		if resets.Get(p.Stream) {
			return p.LastStored + 1
		}
		return p.Highest + 1
	}
}

// byQuery matches readers that came with a cursor in the query.
func byQuery(v on.Attached) bool { return v.Request.URL.Query().Has("fromSequence") }
