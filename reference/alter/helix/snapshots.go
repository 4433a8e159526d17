package helix

import (
	"context"

	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// OnSnapshot answers requests for snapshots in another way; take takes one as the server does.
func OnSnapshot(answer func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error)) Apply {
	return func(o helix.Options) helix.Options {
		o.Snapshot = answer
		return o
	}
}

// Snapshot changes snapshots. Their slices and maps must be replaced, not changed.
func Snapshot(change func(s *helix.Snapshot)) Apply {
	return OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
		s, err := take(ctx, r.Partial)
		if err == nil {
			change(&s)
		}
		return s, err
	})
}

// withoutPartial marks a request for a snapshot without partial content.
type withoutPartial struct{}

// SnapshotBoundary makes snapshots without partial content from a changed log, as long as the stream is open. Every log is read
// completely, since it may be shorter than the one before.
func SnapshotBoundary(limit func(log *store.Log)) Apply {
	return alter.All(OnStore(func(inner store.Store, s *Store) {
		s.OnRead = func(ctx context.Context, stream string, _ store.Mark) (store.Log, error) {
			log, err := inner.Read(ctx, stream, store.Mark{})
			if err == nil && ctx.Value(withoutPartial{}) != nil && log.Terminal == 0 {
				limit(&log)
			}
			return log, err
		}
	}), OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
		if !r.Partial {
			ctx = context.WithValue(ctx, withoutPartial{}, true)
		}
		return take(ctx, r.Partial)
	}))
}
