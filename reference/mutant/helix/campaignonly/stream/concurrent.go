package stream

import (
	"context"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// The times for which concurrent calls are taken for one: a removal takes longer than a read.
const (
	removing = 20 * time.Millisecond
	looking  = 3 * time.Millisecond
)

// concurrentCalls take concurrent calls for one.
func concurrentCalls() []edit.Mutant {
	return []edit.Mutant{
		{Name: "cleanups-at-once-are-one", Requirement: "helix.truncation.removes", Summary: "A cleanup that comes while another one is at work is answered with it.",
			Also: []string{"helix.truncation.count-after", "helix.status.count"},
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var working sync.Map // streams
				s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
					if _, busy := working.LoadOrStore(stream, true); busy {
						return nil
					}
					defer working.Delete(stream)
					time.Sleep(removing)
					return inner.Cleanup(ctx, stream, step)
				}
			})},
		{Name: "snapshots-at-once-are-one", Requirement: "helix.snapshot.sequence", Summary: "Snapshots of a stream that are asked for at once share an answer, with partial content or without.",
			Also: []string{"helix.snapshot.exact", "helix.snapshot.saved-first", "helix.snapshot.partial"},
			Apply: func(o reference.Options) reference.Options {
				var working sync.Map // what was taken, by stream
				return on.OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
					s, err := take(ctx, r.Partial)
					if err != nil {
						return s, err
					}
					if first, busy := working.LoadOrStore(r.Stream, s); busy {
						return first.(helix.Snapshot), nil
					}
					defer working.Delete(r.Stream)
					time.Sleep(looking)
					return s, nil
				})(o)
			}},
	}
}
