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
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// crashes lists the mutants that a kill or a race shows.
func crashes() []edit.Mutant {
	return []edit.Mutant{
		// Mutants that keep the events of a pause in memory.
		{Name: "paused-end-is-a-pause", Requirement: "helix.durable.finished", Summary: "The end of a stream that was paused is kept in memory beside the status, and after a restart nobody knows it.",
			Apply: on.AfterRestart(func(inner store.Store, s *on.Store, found on.Found) {
				note := func(ctx context.Context, stream string) {
					if info, err := inner.Info(ctx, stream); err == nil && info.Status == store.Paused {
						edit.AddToRecord(inner, "paused-end:"+stream, 1)
					}
				}
				s.OnEnd = func(ctx context.Context, stream string, output json.RawMessage) error {
					note(ctx, stream)
					return inner.End(ctx, stream, output)
				}
				s.OnFail = func(ctx context.Context, stream, message, code string) error {
					note(ctx, stream)
					return inner.Fail(ctx, stream, message, code)
				}
				events(inner, s, func(ctx context.Context, stream string) func(store.Event) []store.Event {
					if was, before := found(ctx, stream); !before || was.Terminal == 0 || edit.AddToRecord(inner, "paused-end:"+stream, 0) == 0 {
						return nil
					}
					return edit.Except(func(e store.Event) bool { return e.Kind.Terminal() })
				})
			})},
		{Name: "second-pause-is-forgotten", Requirement: "helix.durable.status", Summary: "The first pause of a stream is stored; at the second one the row is there, and the insertion is ignored.",
			Apply: on.AfterRestart(func(inner store.Store, s *on.Store, found on.Found) {
				s.OnSetStatus = func(ctx context.Context, stream string, status store.Status) error {
					err := inner.SetStatus(ctx, stream, status)
					if err == nil && status == store.Paused {
						edit.AddToRecord(inner, "pauses:"+stream, 1)
					}
					return err
				}
				s.OnInfo = func(ctx context.Context, stream string) (store.Info, error) {
					was, before := found(ctx, stream)
					info, err := inner.Info(ctx, stream)
					if before && was.Status == store.Paused && info.Status == store.Paused && edit.AddToRecord(inner, "pauses:"+stream, 0) > 1 {
						info.Status = store.Active
					}
					return info, err
				}
			})},

		// Mutants that bring back removed chunks after a restart, or number chunks again.
		{Name: "removed-cursor-replays", Requirement: "helix.durable.resume", Summary: "After a restart a cursor is looked up in the log, and one whose chunk was removed is taken for none.",
			Apply: on.AfterRestart(func(inner store.Store, s *on.Store, found on.Found) {
				s.OnSubscribe = func(ctx context.Context, stream string, after int64) (store.Subscription, error) {
					was, before := found(ctx, stream)
					log, err := inner.Read(ctx, stream, store.Mark{})
					stored := slices.ContainsFunc(log.Events, func(e store.Event) bool { return e.Sequence == after })
					if err == nil && before && !stored && after > 0 && after <= was.LatestSequence {
						after = 0
					}
					return inner.Subscribe(ctx, stream, after)
				}
			})},

		// These are in the middle of something when they are killed.
		{Name: "pair-by-chunk", Requirement: "helix.durable.whole", Summary: "A write of two chunks is small enough to be stored one by one, and a kill leaves half of it.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
					if len(chunks) != 2 {
						return inner.Append(ctx, stream, writer, chunks)
					}
					return edit.OneByOne(ctx, inner, stream, writer, chunks)
				}
			})},

		// These let a writer write that was closed before the kill.
		{Name: "restart-opens-closed-writers", Requirement: "helix.lifecycle.closed-writer", Summary: "That a writer is closed is kept in memory, and after a restart it is open again.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var own, closed alter.PerKey[bool]
				s.OnOpenWriter = func(ctx context.Context, stream string) (string, error) {
					writer, err := inner.OpenWriter(ctx, stream)
					own.Set(writer, true)
					return writer, err
				}
				s.OnCloseWriter = func(ctx context.Context, stream, writer string) error {
					if ctx.Done() == nil || !own.Get(writer) { // nobody asked for it, but the runtime
						return inner.CloseWriter(ctx, stream, writer)
					}
					closed.Set(writer, true)
					return nil
				}
				s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
					if closed.Get(writer) {
						return nil, store.ErrWriterClosed
					}
					return inner.Append(ctx, stream, writer, chunks)
				}
			})},

		// These err where calls meet.
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

		// These err where something meets the end of a stream, or a cleanup.
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
	}
}

// events changes the events that readers of a stream get.
func events(inner store.Store, s *on.Store, change func(ctx context.Context, stream string) func(store.Event) []store.Event) {
	s.OnSubscribe = func(ctx context.Context, stream string, after int64) (store.Subscription, error) {
		f := change(ctx, stream)
		sub, err := inner.Subscribe(ctx, stream, after)
		if err != nil || f == nil {
			return sub, err
		}
		return store.Map(sub, f), nil
	}
}

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
