package stream

import (
	"context"
	"slices"
	"strconv"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

func truncation() []edit.Mutant {
	return []edit.Mutant{
		// Mutants that remove the wrong chunks.
		{Name: "second-cleanup-removes-nothing", Requirement: "helix.truncation.removes", Stateful: true,
			Summary: "A stream that was cleaned up is marked as clean: the next cleanup tells readers and removes nothing.",
			Apply: on.OnMemory(func(m *store.Memory, s *on.Store) {
				var cleaned alter.PerKey[bool]
				s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
					if !cleaned.Get(stream) {
						cleaned.Set(stream, true)
						return m.Cleanup(ctx, stream, step)
					}
					return edit.NotifyTruncated(ctx, m, stream, step)
				}
			})},
		{Name: "cleanup-off-by-one", Requirement: "helix.truncation.removes",
			Summary: "A step of 0 counts as no step, and the default is 1.",
			Also:    []string{"helix.truncation.keeps-stepless", "helix.truncation.count-after"},
			Apply:   zeroIsOne},
		{Name: "resume-index-keeps-removed", Requirement: "helix.truncation.removed-on-resume", Stateful: true,
			Summary: "Resumes are served from an index that no cleanup reaches.",
			Apply:   keepsIndex},
		{Name: "cleanup-renumbers", Requirement: "helix.truncation.keeps", Stateful: true,
			Summary: "After a cleanup, a reader that starts at the beginning gets the chunks that stayed numbered anew.",
			Apply:   renumbersRemaining},
		{Name: "cleanup-removes-stepless", Requirement: "helix.truncation.keeps-stepless", Stateful: true,
			Summary: "A chunk without a step that comes before the first step counts as one of a step that is yet to come.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var started alter.PerKey[bool]
				s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
					chunks = slices.Clone(chunks)
					started.With(stream, func(steps *bool) {
						for i, c := range chunks {
							if *steps = *steps || c.HasStep; !*steps {
								chunks[i].Step, chunks[i].HasStep = 1<<53, true
							}
						}
					})
					return inner.Append(ctx, stream, writer, chunks)
				}
			})},

		// Mutants that tell the wrong readers, or the wrong thing.
		{Name: "truncated-to-first-reader-only", Requirement: "helix.truncation.notifies", Stateful: true,
			Summary: "Of several readers, the first takes the notice of a cleanup off the queue.",
			Apply:   on.Events(on.Truncated(), on.Fresh(), on.CameAfter(1)).Drop()},
		{Name: "resumed-readers-untold", Requirement: "helix.truncation.notifies", Stateful: true,
			Summary: "Readers that came with a cursor are served by a loop that knows chunks and the end, and no notices.",
			Also:    []string{"helix.truncation.reset-notifies", "helix.status.frames", "helix.status.attach-paused"},
			Apply:   on.Events(on.Fresh().Not(), on.Truncated().Or(on.StatusIs())).Drop()},
		{Name: "second-cleanup-untold", Requirement: "helix.truncation.notifies", Stateful: true,
			Summary: "A connection takes one truncated frame; the second isn't sent.",
			Also:    []string{"helix.truncation.reset-notifies"},
			Apply:   on.Events(on.Truncated().From(2)).Drop()},
		{Name: "truncated-at-step-plus-one", Requirement: "helix.truncation.step",
			Summary: "The frame names the first step that is gone instead of the last that stays, but for a cleanup to 0.",
			Apply:   on.Events(on.Truncated(), on.Reset().Not()).Edit(func(e *store.Event) { e.AtStep++ })},
		{Name: "no-at-sequence", Requirement: "helix.truncation.at-sequence",
			Summary: "The truncated frame has no atSequence.",
			Apply:   on.Frames(on.Of(store.Truncated)).Remove("atSequence")},
		{Name: "at-sequence-of-kept", Requirement: "helix.truncation.at-sequence",
			Summary: "atSequence is the highest sequence that is left, not the highest that was assigned.",
			Also:    []string{"helix.truncation.covers-delivered"},
			Apply:   atSequenceOfRemaining},
		{Name: "at-sequence-too-low", Requirement: "helix.truncation.covers-delivered",
			Summary: "atSequence is taken from a counter that lags by one.",
			Also:    []string{"helix.truncation.at-sequence"},
			Apply:   on.Events(on.Truncated()).Edit(func(e *store.Event) { e.AtSequence = max(0, e.AtSequence-1) })},

		// Mutants that tell of a cleanup that is none of the reader's business, or tell more of it than there is.
		{Name: "truncated-stored-and-replayed", Requirement: "helix.truncation.not-later", Stateful: true,
			Summary: "A notice that nobody was there to hear is stored, and stands before the next chunk of a step that stayed.",
			Apply:   storesNotice},
		{Name: "truncated-for-nothing", Requirement: "helix.truncation.nothing-removed",
			Summary: "A cleanup tells readers also when there was nothing to remove.",
			Apply:   on.OnMemory(notifiesOfNothing)},
		{Name: "truncated-with-id", Requirement: "helix.truncation.not-numbered",
			Summary: "The truncated frame takes the next number as its id.",
			Also:    []string{"helix.truncation.reset-sequence"},
			Apply: on.Frames(on.Of(store.Truncated)).
				Fields(func(b *alter.Block, e store.Event) { b.ID = strconv.FormatInt(e.AtSequence+1, 10) })},

		// Mutants that err after a cleanup.
		{Name: "dead-after-truncated", Requirement: "helix.truncation.goes-on", Stateful: true,
			Summary: "A reader that missed nothing stays attached after a truncated frame, and gets no chunk any more.",
			Also:    []string{"helix.wire.truncated-frame", "helix.truncation.notifies"},
			Apply: on.Events(func(on.Attached) func(store.Event) bool {
				last, dead := int64(0), false
				return func(e store.Event) bool {
					dead = dead || e.Kind == store.Truncated && e.AtSequence == last
					last = max(last, e.Sequence)
					return dead && e.Kind == store.ChunkWritten
				}
			}).Drop()},
		{Name: "removed-chunks-in-flight", Requirement: "helix.truncation.in-flight", Stateful: true,
			Summary: "The notice of a cleanup overtakes the chunks that are queued for a slow reader.",
			Apply:   deliversQueued},
		{Name: "reuses-removed-sequence", Requirement: "helix.truncation.no-reuse", Stateful: true,
			Summary: "The second cleanup sets the counter back to the last chunk that stays.",
			Apply:   on.OnMemory(setsCounterBack)},
		{Name: "cleanup-ends-stream", Requirement: "helix.truncation.stays-active", Stateful: true,
			Summary: "A step that is written again after a cleanup counts as the last one, and its chunk ends the stream.",
			Also:    []string{"helix.truncation.goes-on", "helix.resume.removed-cursor"},
			Apply:   on.OnStore(endsAfterRetry)},
		{Name: "count-ignores-cleanup", Requirement: "helix.truncation.count-after",
			Summary: "chunkCount is counted up by writes and never down by cleanups.",
			Apply:   countsUpOnly},
		{Name: "latest-drops-after-cleanup", Requirement: "helix.truncation.latest-kept",
			Summary: "latestSequence is that of the last chunk that is there.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				s.OnInfo = func(ctx context.Context, stream string) (store.Info, error) {
					info, err := inner.Info(ctx, stream)
					info.LatestSequence = 0
					for _, e := range edit.ChunksIn(inner, stream) {
						info.LatestSequence = e.Sequence
					}
					return info, err
				}
			})},

		// Mutants that do less than a reset, or more.
		{Name: "reset-keeps-stepless", Requirement: "helix.truncation.reset-empties", Stateful: true,
			Summary: "The reset of an active stream that has steps is a cleanup to step 0.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				s.OnReset = func(ctx context.Context, stream string) error {
					info, err := inner.Info(ctx, stream)
					steps := slices.ContainsFunc(edit.ChunksIn(inner, stream), func(e store.Event) bool { return e.Chunk.HasStep })
					if err == nil && info.Terminal == 0 && steps {
						return inner.Cleanup(ctx, stream, 0)
					}
					return inner.Reset(ctx, stream)
				}
			})},
		{Name: "reset-stays-ended", Requirement: "helix.truncation.reset-reopens", Stateful: true,
			Summary: "The reset of a finished stream removes its chunks and leaves it ended.",
			Also:    []string{"helix.truncation.reset-sequence"},
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				s.OnReset = func(ctx context.Context, stream string) error {
					info, err := inner.Info(ctx, stream)
					if err != nil {
						return err
					}
					if err := inner.Reset(ctx, stream); err != nil || info.Terminal == 0 {
						return err
					}
					return inner.End(ctx, stream, nil)
				}
			})},
		{Name: "reset-untold-by-query", Requirement: "helix.truncation.reset-notifies", Stateful: true,
			Summary: "The list of readers to tell of a reset is kept by header; who came with a query isn't in it.",
			Apply:   resetsUnder(byQuery)},
		{Name: "reset-restarts-at-one", Requirement: "helix.truncation.reset-sequence", Stateful: true,
			Summary: "A reset sets the counter back, so that sequences begin at 1 again.",
			Apply:   on.OnMemory(restartsCounter)},
		{Name: "reset-reuses-terminal-id", Requirement: "helix.truncation.reset-sequence", Stateful: true,
			Summary: "After a reset, sequences go on after the last chunk, and the first takes the id that the end had.",
			Apply:   on.Numbering(func(p store.Position) int64 { return p.Latest + 1 })},
	}
}
