package stream

import (
	"context"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// repetitions err when something happens again.
func repetitions() []edit.Mutant {
	return []edit.Mutant{
		{Name: "third-cleanup-untold", Requirement: "helix.truncation.notifies",
			Summary: "A connection has room for two notices of a cleanup.",
			Apply: on.Events(func(on.Attached) func(store.Event) bool {
				n := 0
				return func(e store.Event) bool {
					if isNotice(e, store.Truncated) {
						n++
					}
					return isNotice(e, store.Truncated) && n > 2
				}
			}).Drop()},
		{Name: "third-cleanup-removes-stepless", Requirement: "helix.truncation.keeps-stepless",
			Summary: "From the third cleanup on, chunks without a step count as of a late one.",
			Apply: func(o reference.Options) reference.Options {
				var cleanups alter.PerKey[int]
				return alter.All(on.Before(on.Calls{
					Cleanup: func(stream string, _ int64) { alter.Count(&cleanups, stream) },
				}), loses(func(v on.Attached, e store.Event) bool {
					return v.Stored(e) && !e.Chunk.HasStep && cleanups.Get(v.Stream) > 2
				}))(o)
			}},
		{Name: "count-forgets-second-cleanup", Requirement: "helix.truncation.count-after",
			Summary: "chunkCount is brought up to date by the first cleanup only.",
			Apply: func(o reference.Options) reference.Options {
				var cleanups, gone alter.PerKey[int]
				return alter.All(on.OnStore(func(inner store.Store, s *on.Store) {
					s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
						before, err := inner.Info(ctx, stream)
						if err == nil {
							err = inner.Cleanup(ctx, stream, step)
						}
						if after, failed := inner.Info(ctx, stream); err == nil && failed == nil && alter.Count(&cleanups, stream) > 1 {
							gone.With(stream, func(n *int) { *n += int(before.ChunkCount - after.ChunkCount) })
						}
						return err
					}
				}), on.Info(func(stream string, i *store.Info) { i.ChunkCount += int64(gone.Get(stream)) }))(o)
			}},
		{Name: "third-return-untold", Requirement: "helix.status.frames",
			Summary: "From the third pause of a stream on, nobody hears of its end.",
			Apply: func(o reference.Options) reference.Options {
				var pauses alter.PerKey[int]
				return alter.All(on.Before(on.Calls{
					SetStatus: func(stream string, status store.Status) {
						if status == store.Paused {
							alter.Count(&pauses, stream)
						}
					},
				}), loses(func(v on.Attached, e store.Event) bool {
					return isNotice(e, store.StatusChanged) && e.Status == store.Active && pauses.Get(v.Stream) > 2
				}))(o)
			}},
	}
}
