package run

import (
	"context"
	"encoding/json"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/store"
)

// rollbacks err where a run goes back to where it began.
func rollbacks() []edit.Mutant {
	return []edit.Mutant{
		{Name: "branch-from-the-start-is-empty", Requirement: "helix.snapshot.exact", Also: []string{"helix.snapshot.complete", "helix.state.after-resync"},
			Summary: "A session that branches off where another one began has no checkpoint to take its state from, and a snapshot shows none.",
			Apply:   emptyBranches},
	}
}

// emptyBranches leaves the state that a stream was given out of its snapshots once a session branched off at its beginning.
func emptyBranches(o reference.Options) reference.Options {
	var started alter.PerKey[alter.Object]
	var empty alter.PerKey[bool]
	return alter.All(on.OnStore(func(inner store.Store, s *on.Store) {
		s.OnSetInitial = func(ctx context.Context, stream string, state json.RawMessage) error {
			started.Set(stream, alter.Members(state))
			return inner.SetInitial(ctx, stream, state)
		}
	}), on.Written(on.Type("stream_resync")).By(func(by *on.Producer, c runtime.Chunk) {
		empty.Set(by.Stream, on.Text(c, "reason") == "branch" && string(edit.RawMember(c, "stepCount")) == "0")
	}), on.OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
		shown, err := take(ctx, r.Partial)
		if state := alter.Members(shown.State); err == nil && empty.Get(r.Stream) && state != nil {
			for name := range started.Get(r.Stream) {
				delete(state, name)
			}
			shown.State = alter.Encode(state)
		}
		return shown, err
	}))(o)
}
