package stream

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// delayedWait is the time of a round trip to a database, during which other calls go on.
const delayedWait = 3 * time.Millisecond

// reading is the time in which a server decodes and validates a chunk.
const reading = 30 * time.Microsecond

// concurrentOpen counts the calls that are at work on a stream.
type concurrentOpen struct{ alter.PerKey[int] }

// enter begins a call and returns how many others are at work.
func (r *concurrentOpen) enter(stream string) (others int) {
	r.With(stream, func(n *int) { others, *n = *n, *n+1 })
	return others
}

func (r *concurrentOpen) leave(stream string) { r.With(stream, func(n *int) { *n-- }) }

// appends is the method of a store.
type appends = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error)

// onConcurrentOpen replaces appends, which take a while; others is how many began before and aren't over.
func onConcurrentOpen(r *concurrentOpen, do func(inner store.Store, others int) appends) on.Apply {
	return on.OnStore(func(inner store.Store, s *on.Store) {
		s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
			others := r.enter(stream)
			defer r.leave(stream)
			time.Sleep(delayedWait)
			return do(inner, others)(ctx, stream, writer, chunks)
		}
	})
}

// asUsual appends as the store does.
func asUsual(inner store.Store, _ int) appends { return inner.Append }

// races err where calls meet.
func races() []edit.Mutant {
	return []edit.Mutant{
		{Name: "latest-lost-between-writers", Requirement: "helix.status.latest",
			Summary: "Of two writes at once the later one doesn't move latestSequence, until somebody writes alone.",
			Apply:   lagging(func(i *store.Info, lag int64) { i.LatestSequence -= lag })},
		{Name: "count-lost-between-writers", Requirement: "helix.status.count",
			Summary: "Of two writes at once the later one isn't counted, until somebody writes alone.",
			Apply:   lagging(func(i *store.Info, lag int64) { i.ChunkCount -= lag })},
		{Name: "info-from-a-replica", Requirement: "helix.status.latest",
			Summary: "While a write is under way, StreamInfo is read from a replica that lacks the write before.",
			Apply: func(o reference.Options) reference.Options {
				var r concurrentOpen
				var before alter.PerKey[store.Info]
				o = onConcurrentOpen(&r, func(inner store.Store, _ int) appends {
					return func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
						if i, err := inner.Info(ctx, stream); err == nil {
							before.Set(stream, i)
						}
						return inner.Append(ctx, stream, writer, chunks)
					}
				})(o)
				return on.Info(func(stream string, i *store.Info) {
					if old := before.Get(stream); r.Get(stream) > 0 && old.Status == i.Status {
						*i = old
					}
				})(o)
			}},
		{Name: "three-writes-one-number", Requirement: "helix.ordering.distinct-sequences",
			Summary: "With three writes at work at once, the counter is read before it is moved.",
			Apply: func(o reference.Options) reference.Options {
				var r concurrentOpen
				return alter.All(on.Numbering(func(p store.Position) int64 {
					if r.Get(p.Stream) > 2 && p.Latest == p.Highest && p.Latest > 0 {
						return p.Highest
					}
					return p.Highest + 1
				}), onConcurrentOpen(&r, asUsual))(o)
			}},
	}
}

// moreRaces continues races.
func moreRaces() []edit.Mutant {
	return []edit.Mutant{
		{Name: "third-write-at-once-refused", Requirement: "helix.lifecycle.many-writers",
			Summary: "The lock of a stream has a queue of two, and whoever comes then is refused.",
			Apply: onConcurrentOpen(new(concurrentOpen), func(inner store.Store, others int) appends {
				if others < 2 {
					return inner.Append
				}
				return func(context.Context, string, string, []store.Chunk) ([]int64, error) {
					return nil, store.ErrWriterClosed
				}
			})},
		{Name: "arrays-torn-by-others", Requirement: "helix.ordering.write-order",
			Summary: "An array that meets another write is put in from its end.",
			Apply: onConcurrentOpen(new(concurrentOpen), func(inner store.Store, others int) appends {
				return func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
					if others > 0 {
						chunks = slices.Clone(chunks)
						slices.Reverse(chunks)
					}
					return inner.Append(ctx, stream, writer, chunks)
				}
			})},
	}
}

// lagging takes the last write off an info where two met.
func lagging(change func(i *store.Info, lag int64)) on.Apply {
	return func(o reference.Options) reference.Options {
		var r concurrentOpen
		var lag alter.PerKey[int64]
		o = onConcurrentOpen(&r, func(inner store.Store, others int) appends {
			return func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
				sequences, err := inner.Append(ctx, stream, writer, chunks)
				lost := int64(0)
				if others > 0 && err == nil {
					lost = int64(len(chunks))
				}
				lag.Set(stream, lost)
				return sequences, err
			}
		})(o)
		return on.Info(func(stream string, i *store.Info) {
			if n := lag.Get(stream); n < i.ChunkCount {
				change(i, n)
			}
		})(o)
	}
}

// endsInRaces err where something meets the end of a stream, or a cleanup.
func endsInRaces() []edit.Mutant {
	return []edit.Mutant{
		{Name: "last-terminal-of-two", Requirement: "helix.lifecycle.first-terminal-wins",
			Summary: "Of two terminal calls at once the second overwrites the row; who was attached has been told of the first.",
			Apply:   overwritesTerminals},
		{Name: "accepts-while-it-ends", Requirement: "helix.lifecycle.write-after-end",
			Summary: "What is written while the end is being stored is accepted, and stored nowhere.",
			Apply:   swallows(func(s *on.Store, busy func(string) func()) { slowEnd(s, busy) })},
		{Name: "checked-before-it-is-read", Requirement: "helix.lifecycle.write-after-end", Also: []string{"helix.lifecycle.first-terminal-wins"},
			Summary: "Whether a stream is over is asked before an array is read; what was read by then is accepted, and stored nowhere.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
					i, err := inner.Info(ctx, stream)
					if err != nil || on.Finished(i) {
						return inner.Append(ctx, stream, writer, chunks)
					}
					time.Sleep(time.Duration(len(chunks)) * reading)
					sequences, err := inner.Append(ctx, stream, writer, chunks)
					if errors.Is(err, store.ErrFinished) {
						return edit.NextAfter(i.LatestSequence, len(chunks)), nil
					}
					return sequences, err
				}
			})},
		{Name: "cleanup-swallows-writes", Requirement: "helix.truncation.keeps",
			Summary: "A cleanup writes the list back that it has read; what was written meanwhile is lost.",
			Apply: swallows(func(s *on.Store, busy func(string) func()) {
				s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
					defer busy(stream)()
					return s.Store.Cleanup(ctx, stream, step)
				}
			})},
	}
}

// slowEnd lets the end of a stream take a while.
func slowEnd(s *on.Store, busy func(string) func()) {
	s.OnEnd = func(ctx context.Context, stream string, output json.RawMessage) error {
		defer busy(stream)()
		return s.Store.End(ctx, stream, output)
	}
}

// swallows loses chunks that are written during another call: busy begins one and returns the function that ends it.
func swallows(slow func(s *on.Store, busy func(stream string) func())) on.Apply {
	return on.OnStore(func(inner store.Store, s *on.Store) {
		var r concurrentOpen
		slow(s, func(stream string) func() {
			r.enter(stream)
			time.Sleep(delayedWait)
			return func() { r.leave(stream) }
		})
		s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
			if r.Get(stream) == 0 {
				return inner.Append(ctx, stream, writer, chunks)
			}
			i, err := inner.Info(ctx, stream)
			return edit.NextAfter(i.LatestSequence, len(chunks)), err
		}
	})
}

// overwritesTerminals keeps the terminal event that came last, if it met another one.
func overwritesTerminals(o reference.Options) reference.Options {
	var r concurrentOpen
	var calls alter.PerKey[int]
	var later alter.PerKey[store.Event]
	o = on.OnStore(func(inner store.Store, s *on.Store) {
		finish := func(ctx context.Context, stream string, e store.Event, do func() error) error {
			met := r.enter(stream) > 0
			defer r.leave(stream)
			time.Sleep(delayedWait)
			met = met || r.Get(stream) > 1
			err := do()
			if alter.Count(&calls, stream) == 2 && met {
				later.Set(stream, e)
			}
			return err
		}
		s.OnEnd = func(ctx context.Context, stream string, output json.RawMessage) error {
			e := store.Event{Kind: store.StreamEnded, FinalOutput: output}
			return finish(ctx, stream, e, func() error { return inner.End(ctx, stream, output) })
		}
		s.OnFail = func(ctx context.Context, stream, message, code string) error {
			e := store.Event{Kind: store.StreamFailed, Error: message, Code: code}
			return finish(ctx, stream, e, func() error { return inner.Fail(ctx, stream, message, code) })
		}
		s.Before(on.Calls{
			Reset: func(stream string) {
				later.Set(stream, store.Event{})
				calls.Set(stream, 0)
			},
		})
	})(o)
	return edit.OnEvents(func(v on.Attached, e store.Event) []store.Event {
		if l := later.Get(v.Stream); e.Kind.Terminal() && v.Finished() && l.Kind.Terminal() {
			l.Sequence = e.Sequence
			e = l
		}
		return []store.Event{e}
	})(o)
}

// readersInRaces err with readers that come and go while others write.
func readersInRaces() []edit.Mutant {
	return []edit.Mutant{
		{Name: "comes-between-two-writes", Requirement: "helix.lifecycle.late-reader",
			Summary: "A reader that comes while two writes are at work isn't on the list when the first of them is told.",
			Apply: func(o reference.Options) reference.Options {
				var r concurrentOpen
				return alter.All(onConcurrentOpen(&r, asUsual), on.Events(func(v on.Attached) func(store.Event) bool {
					missing := v.Fresh() && r.Get(v.Stream) > 1
					return func(e store.Event) bool {
						hit := missing && v.Live(e)
						missing = missing && !hit
						return hit
					}
				}).Drop())(o)
			}},
		{Name: "resumes-between-two-writes", Requirement: "helix.resume.after-cursor",
			Summary: "A reader that resumes while two writes are at work is served from the page before.",
			Apply: func(o reference.Options) reference.Options {
				var r concurrentOpen
				return alter.All(onConcurrentOpen(&r, asUsual), on.OnStart(func(c helix.Cursor, i store.Info, stream string) (int64, error) {
					if c.After > 0 && c.After <= i.LatestSequence && r.Get(stream) > 1 {
						return c.After - 1, nil
					}
					return c.After, nil
				}))(o)
			}},
		{Name: "who-leaves-takes-a-chunk-along", Requirement: "helix.lifecycle.reader-disconnect",
			Summary: "When a reader leaves while a write is at work, the next reader in the list is passed over once.",
			Apply: func(o reference.Options) reference.Options {
				var r concurrentOpen
				var passed alter.PerKey[bool]
				return alter.All(onConcurrentOpen(&r, asUsual), on.OnAttached(func(v on.Attached, s store.Subscription) store.Subscription {
					s = &on.Leaving{Subscription: s, OnClose: func() {
						if r.Get(v.Stream) > 0 {
							passed.Set(v.Stream, true)
						}
					}}
					return store.Map(s, edit.Except(func(e store.Event) (hit bool) {
						if v.Live(e) {
							passed.With(v.Stream, func(p *bool) { hit, *p = *p, false })
						}
						return hit
					}))
				}))(o)
			}},
	}
}
