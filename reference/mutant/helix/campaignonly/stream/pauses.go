package stream

import (
	"context"
	"encoding/json"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// pauses err where a pause meets something else.
func pauses() []edit.Mutant {
	return []edit.Mutant{
		{Name: "cleanup-ends-pause", Requirement: "helix.status.transitions",
			Summary: "A cleanup writes the status active.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
					if err := inner.Cleanup(ctx, stream, step); err != nil {
						return err
					}
					if i, err := inner.Info(ctx, stream); err == nil && i.Status == store.Paused {
						return inner.SetStatus(ctx, stream, store.Active)
					}
					return nil
				}
			})},
		{Name: "end-in-pause-loses-chunk", Requirement: "helix.lifecycle.terminal-last-chunks",
			Summary: "Where a stream ends during a pause, what was written last in it is lost to later readers.",
			Apply: func(o reference.Options) reference.Options {
				var lost alter.PerKey[int64]
				o = on.OnStore(func(inner store.Store, s *on.Store) {
					var last alter.PerKey[int64]
					edit.OnAppended(func(stream string, written []store.Event) {
						if i, err := inner.Info(context.Background(), stream); err == nil && i.Status == store.Paused && len(written) > 0 {
							last.Set(stream, written[len(written)-1].Sequence)
						}
					})(inner, s)
					s.Before(on.Calls{
						SetStatus: func(stream string, _ store.Status) { last.Set(stream, 0) },
						End:       func(stream string, _ json.RawMessage) { lost.Set(stream, last.Get(stream)) },
					})
				})(o)
				return loses(func(v on.Attached, e store.Event) bool {
					return v.Finished() && e.Kind == store.ChunkWritten && e.Sequence == lost.Get(v.Stream)
				})(o)
			}},
	}
}

// morePauses continues pauses.
func morePauses() []edit.Mutant {
	return []edit.Mutant{
		{Name: "cleanup-in-pause-keeps-new", Requirement: "helix.truncation.removes",
			Summary: "A cleanup during a pause tells readers and leaves everything.",
			Apply: on.OnMemory(func(m *store.Memory, s *on.Store) {
				s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
					if i, err := m.Info(ctx, stream); err == nil && i.Status == store.Paused {
						return edit.NotifyTruncated(ctx, m, stream, step)
					}
					return m.Cleanup(ctx, stream, step)
				}
			})},
		{Name: "third-writer-in-pause", Requirement: "helix.status.written-while-paused",
			Summary: "A pause has room for five chunks.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var withheld alter.PerKey[int]
				s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
					i, err := inner.Info(ctx, stream)
					if err != nil || i.Status != store.Paused {
						withheld.Set(stream, 0)
						return inner.Append(ctx, stream, writer, chunks)
					}
					room := 0
					withheld.With(stream, func(n *int) { room = max(0, 5-*n); *n += len(chunks) })
					return inner.Append(ctx, stream, writer, chunks[:min(room, len(chunks))])
				}
			})},
	}
}
