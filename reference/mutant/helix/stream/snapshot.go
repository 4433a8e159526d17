package stream

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/streamcert/streamcert/reference"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// snapshot lists the mutants of snapshot.
func snapshot() []edit.Mutant {
	return []edit.Mutant{
		// These have the wrong shape, or are of a stream that there isn't.
		{Name: "snapshot-null-messages", Requirement: "helix.snapshot.document", Stateful: true,
			Summary: "A conversation without messages is null instead of an empty list.",
			Apply: on.Snapshot(func(s *helix.Snapshot) {
				if len(s.Messages) == 0 {
					s.Messages = nil
				}
			})},
		{Name: "snapshot-says-completed", Requirement: "helix.snapshot.document", Stateful: true,
			Summary: "The snapshot of a stream that ended has the status of its run.",
			Also:    []string{"helix.snapshot.status"},
			Apply: on.Snapshot(func(s *helix.Snapshot) {
				if s.Status == store.Ended {
					s.Status = "completed"
				}
			})},
		{Name: "snapshot-invents-stream", Requirement: "helix.snapshot.unknown-stream",
			Summary: "A stream that never was has an empty snapshot.",
			Apply: on.OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
				s, err := take(ctx, r.Partial)
				if errors.Is(err, store.ErrUnknownStream) {
					return helix.Snapshot{State: json.RawMessage(`{}`), Messages: []helix.Message{}, Timestamp: s.Timestamp,
						Status: store.Active}, nil
				}
				return s, err
			})},

		// These are of another time than they say.
		{Name: "snapshot-time-of-zone", Requirement: "helix.snapshot.timestamp",
			Summary: "The local time of a zone in the east is taken for Unix time.",
			Apply:   on.Snapshot(func(s *helix.Snapshot) { s.Timestamp += 60 * 60 * 1000 })},
		{Name: "snapshot-time-of-last-chunk", Requirement: "helix.snapshot.timestamp", Stateful: true,
			Summary: "The timestamp is that of the last chunk, once there is one.",
			Apply: func(o reference.Options) reference.Options {
				return on.OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
					s, err := take(ctx, r.Partial)
					if stored := edit.ChunksIn(o.Store, r.Stream); err == nil && len(stored) > 0 {
						var last struct{ Timestamp int64 }
						if json.Unmarshal(stored[len(stored)-1].Chunk.JSON, &last) == nil {
							s.Timestamp = last.Timestamp
						}
					}
					return s, err
				})(o)
			}},
	}
}
