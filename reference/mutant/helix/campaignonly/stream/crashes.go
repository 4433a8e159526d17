package stream

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// outlived returns, for a store, how many restarts a stream has outlived.
func outlived(inner store.Store, found on.Found) func(ctx context.Context, stream string) int {
	var mu sync.Mutex
	known := map[string]int{}
	return func(ctx context.Context, stream string) int {
		_, before := found(ctx, stream)
		mu.Lock()
		defer mu.Unlock()
		n, requested := known[stream]
		if !before {
			return 0
		}
		if !requested {
			n = edit.AddToRecord(inner, "outlived:"+stream, 1)
			known[stream] = n
		}
		return n
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

// ages forget something when a stream has outlived several restarts.
func ages() []edit.Mutant {
	return []edit.Mutant{
		{Name: "third-restart-forgets-end", Requirement: "helix.durable.finished", Summary: "Each restart copies the log into a new generation; the third copy leaves out the entry of the end.",
			Apply: on.AfterRestart(func(inner store.Store, s *on.Store, found on.Found) {
				age := outlived(inner, found)
				events(inner, s, func(ctx context.Context, stream string) func(store.Event) []store.Event {
					if age(ctx, stream) < 3 {
						return nil
					}
					return edit.Except(func(e store.Event) bool { return e.Kind.Terminal() })
				})
			})},
		{Name: "third-restart-forgets-first", Requirement: "helix.durable.kept", Summary: "A log is compacted at the third restart, and its first entry is taken for the head.",
			Apply: on.AfterRestart(func(inner store.Store, s *on.Store, found on.Found) {
				age := outlived(inner, found)
				events(inner, s, func(ctx context.Context, stream string) func(store.Event) []store.Event {
					if age(ctx, stream) < 3 {
						return nil
					}
					first, err := inner.Read(ctx, stream, store.Mark{})
					if err != nil || len(first.Events) == 0 {
						return nil
					}
					return edit.Except(func(e store.Event) bool {
						return e.Kind == store.ChunkWritten && e.Sequence == first.Events[0].Sequence
					})
				})
			})},
		{Name: "third-restart-cuts-snapshot", Requirement: "helix.durable.snapshot", Summary: "From the third restart on, a snapshot is made of what was written since.",
			Apply: on.AfterRestart(func(inner store.Store, s *on.Store, found on.Found) {
				age := outlived(inner, found)
				s.OnRead = func(ctx context.Context, stream string, after store.Mark) (store.Log, error) {
					old := age(ctx, stream) >= 3
					was, _ := found(ctx, stream)
					log, err := inner.Read(ctx, stream, after)
					if old {
						log.Events = slices.DeleteFunc(slices.Clone(log.Events), func(e store.Event) bool {
							return e.Kind == store.ChunkWritten && e.Sequence <= was.LatestSequence
						})
					}
					return log, err
				}
			})},
		{Name: "third-restart-resumes-late", Requirement: "helix.durable.resume", Summary: "An index of cursors is rebuilt at each restart, and at the third one it is off by one.",
			Apply: on.AfterRestart(func(inner store.Store, s *on.Store, found on.Found) {
				age := outlived(inner, found)
				s.OnSubscribe = func(ctx context.Context, stream string, after int64) (store.Subscription, error) {
					if was, _ := found(ctx, stream); age(ctx, stream) >= 3 && after > 0 && after < was.LatestSequence {
						after++
					}
					return inner.Subscribe(ctx, stream, after)
				}
			})},
	}
}

// pausesKilled lists mutants that keep the events of a pause in memory.
func pausesKilled() []edit.Mutant {
	return []edit.Mutant{
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
		{Name: "paused-writes-in-memory", Requirement: "helix.durable.kept", Summary: "An array that is written during a pause is answered, kept in memory, and written to the log a moment later.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var deferred on.Store
				edit.QueueWrites(inner, &deferred, 200*time.Millisecond)
				s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
					if info, err := inner.Info(ctx, stream); err == nil && info.Status == store.Paused && len(chunks) > 1 {
						return deferred.OnAppend(ctx, stream, writer, chunks)
					}
					return inner.Append(ctx, stream, writer, chunks)
				}
			})},
	}
}

// removalsKilled lists mutants that bring back removed chunks after a restart, or number chunks again.
func removalsKilled() []edit.Mutant {
	return []edit.Mutant{
		{Name: "second-cleanup-comes-back", Requirement: "helix.durable.removed", Summary: "The first cleanup of a stream is carried out in the log; later ones are notes in memory.",
			Apply: on.OnMemory(func(inner *store.Memory, s *on.Store) {
				edit.MarksRemoved(inner, s)
				notes := s.OnCleanup
				s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
					if edit.AddToRecord(inner, "cleanups:"+stream, 1) == 1 {
						return inner.Cleanup(ctx, stream, step)
					}
					return notes(ctx, stream, step)
				}
			})},
		{Name: "second-reset-numbers-anew", Requirement: "helix.durable.sequences", Summary: "A stream that is empty at a restart takes its counter from its last reset, and it keeps one reset.",
			Apply: on.AfterRestart(func(inner store.Store, s *on.Store, found on.Found) {
				s.Before(on.Calls{Reset: func(stream string) { edit.AddToRecord(inner, "resets:"+stream, 1) }})
				events(inner, s, func(ctx context.Context, stream string) func(store.Event) []store.Event {
					was, before := found(ctx, stream)
					if !before || was.ChunkCount > 0 || edit.AddToRecord(inner, "resets:"+stream, 0) < 2 {
						return nil
					}
					return func(e store.Event) []store.Event {
						if e.Sequence > was.LatestSequence {
							e.Sequence -= was.LatestSequence
						}
						return []store.Event{e}
					}
				})
			})},
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
	}
}

// racesKilled are in the middle of something when they are killed.
func racesKilled() []edit.Mutant {
	return []edit.Mutant{
		{Name: "pair-by-chunk", Requirement: "helix.durable.whole", Summary: "A write of two chunks is small enough to be stored one by one, and a kill leaves half of it.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
					if len(chunks) != 2 {
						return inner.Append(ctx, stream, writer, chunks)
					}
					return edit.OneByOne(ctx, inner, stream, writer, chunks)
				}
			})},
		{Name: "third-writer-is-queued", Requirement: "helix.durable.kept", Summary: "Two writers of a stream write through; a pair that the third one writes is answered from a queue, which a kill takes.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var writers alter.PerKey[[]string]
				var deferred on.Store
				edit.QueueWrites(inner, &deferred, 100*time.Millisecond)
				s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
					third := false
					writers.With(stream, func(all *[]string) {
						if !slices.Contains(*all, writer) {
							*all = append(*all, writer)
						}
						third = slices.Index(*all, writer) == 2
					})
					if third && len(chunks) == 2 {
						return deferred.OnAppend(ctx, stream, writer, chunks)
					}
					return inner.Append(ctx, stream, writer, chunks)
				}
			})},
		{Name: "cleanup-behind-the-writers", Requirement: "helix.durable.removed", Summary: "A cleanup of a stream that several write is answered and queued behind them, and a kill takes the queue.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var writers alter.PerKey[int]
				s.Before(on.Calls{OpenWriter: func(stream string) { alter.Count(&writers, stream) }})
				s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
					if writers.Get(stream) < 2 || store.WriterOf(ctx) != "" {
						return inner.Cleanup(ctx, stream, step)
					}
					time.AfterFunc(20*time.Millisecond, func() { _ = inner.Cleanup(context.WithoutCancel(ctx), stream, step) })
					_, err := inner.Info(ctx, stream)
					return err
				}
			})},
	}
}

// writersKilled let a writer write that was closed before the kill.
func writersKilled() []edit.Mutant {
	return []edit.Mutant{
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
	}
}
