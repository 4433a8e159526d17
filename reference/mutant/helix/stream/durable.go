package stream

import (
	"context"
	"slices"
	"time"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// durable forget, or say again, when they are killed and started again.
func durable() []edit.Mutant {
	return []edit.Mutant{
		// Mutants that lack something after a restart.
		{Name: "restart-forgets-end", Requirement: "helix.durable.finished", Stateful: true,
			Summary: "How a stream finished is kept in memory, and after a restart its readers are told nothing.",
			Apply: on.OnFound(func(_ store.Info, e store.Event) []store.Event {
				if e.Kind.Terminal() {
					return nil
				}
				return []store.Event{e}
			})},
		{Name: "restart-wakes-paused", Requirement: "helix.durable.status", Stateful: true,
			Summary: "A pause is kept in memory, and after a restart every stream that isn't finished is active.",
			Apply: on.AfterRestart(func(inner store.Store, s *on.Store, found on.Found) {
				s.OnInfo = func(ctx context.Context, stream string) (store.Info, error) {
					_, before := found(ctx, stream)
					info, err := inner.Info(ctx, stream)
					if before && info.Status == store.Paused {
						info.Status = store.Active
					}
					return info, err
				}
			})},
		{Name: "restart-forgets-state", Requirement: "helix.durable.snapshot", Stateful: true,
			Summary: "The state that a stream began with is kept in memory, and after a restart patches apply to nothing.",
			Apply: on.AfterRestart(func(inner store.Store, s *on.Store, found on.Found) {
				s.OnRead = func(ctx context.Context, stream string, after store.Mark) (store.Log, error) {
					log, err := inner.Read(ctx, stream, after)
					if _, before := found(ctx, stream); before {
						log.Initial = nil
					}
					return log, err
				}
			})},
		{Name: "restart-brings-removed-back", Requirement: "helix.durable.removed", Stateful: true,
			Summary: "A cleanup marks chunks as removed in memory, and the log on the disk keeps them.",
			Apply:   on.OnMemory(edit.MarksRemoved)},

		// Mutants that say something twice after a restart, or number it again.
		{Name: "restart-replays-twice", Requirement: "helix.durable.resume", Stateful: true,
			Summary: "After a restart a cursor is looked for in the log as it was loaded, and the chunk at it comes again.",
			Apply: on.OnFoundStart(func(was store.Info, after int64) int64 {
				if after > 0 && after <= was.LatestSequence {
					return after - 1
				}
				return after
			})},
		{Name: "restart-resumes-live", Requirement: "helix.durable.resume", Stateful: true,
			Summary: "After a restart nobody's cursor is known, and a reader that resumes gets what comes from then on.",
			Apply: on.OnFoundStart(func(was store.Info, after int64) int64 {
				if after > 0 && was.Terminal == 0 {
					return max(after, was.LatestSequence)
				}
				return after
			})},
		{Name: "restart-numbers-from-1", Requirement: "helix.durable.sequences", Stateful: true,
			Summary: "The counter of a stream is kept in memory, and begins again at 1 after a restart.",
			Also:    []string{"helix.durable.resume", "helix.durable.finished"},
			Apply: on.OnFound(func(was store.Info, e store.Event) []store.Event {
				if highest := max(was.LatestSequence, was.Terminal); e.Sequence > highest {
					e.Sequence -= highest
				}
				return []store.Event{e}
			})},

		// Mutants that answer before everything is stored.
		{Name: "answers-before-it-writes", Requirement: "helix.durable.kept",
			Summary: "A write is answered as soon as it is in the queue of the disk, and a kill takes the queue with it.",
			Also:    []string{"helix.durable.whole", "helix.durable.resume"},
			Apply:   on.OnStore(func(inner store.Store, s *on.Store) { edit.QueueWrites(inner, s, 500*time.Millisecond) })},
		{Name: "array-by-chunk", Requirement: "helix.durable.whole",
			Summary: "An array is stored chunk by chunk, and a kill leaves a part of it.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
					return edit.OneByOne(ctx, inner, stream, writer, chunks)
				}
			})},

		// Mutants that take a run over and don't say from where it goes on.
		{Name: "restart-resyncs-nobody", Requirement: "helix.durable.runs", Stateful: true,
			Summary: "A run that is loaded from the store is taken for one that nobody has read, and no reader is told to drop its open step.",
			Also:    []string{"helix.replicas.fenced"},
			Apply: on.AfterRestart(func(inner store.Store, s *on.Store, found on.Found) {
				s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
					if _, before := found(ctx, stream); before {
						chunks = slices.DeleteFunc(slices.Clone(chunks), func(c store.Chunk) bool {
							return alter.Members(c.JSON).Text("type") == "stream_resync"
						})
					}
					return inner.Append(ctx, stream, writer, chunks)
				}
			})},
	}
}
