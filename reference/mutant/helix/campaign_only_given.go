package helix

import (
	"context"
	"encoding/json"
	"slices"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// campaignOnlyGiven lose the state that a stream is given before its first chunk.
func campaignOnlyGiven() []Mutant {
	return []Mutant{
		{Name: "reset-takes-the-first-state", Requirement: "helix.snapshot.exact", Also: []string{"helix.snapshot.complete"},
			Summary: "A reset empties the row of the state that the stream was given.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				s.OnReset = func(ctx context.Context, stream string) error {
					if err := inner.Reset(ctx, stream); err != nil {
						return err
					}
					return inner.SetInitial(ctx, stream, json.RawMessage("{}"))
				}
			})},
		{Name: "bare-state-is-an-object", Requirement: "helix.snapshot.exact", Also: []string{"helix.snapshot.complete"},
			Summary: "A truth test takes the state that a stream begins with for absent, and a stream without chunks has an empty one.",
			Apply: on.Snapshot(func(s *helix.Snapshot) {
				if s.StreamSequence == 0 && slices.Contains([]string{"null", "false", "0", `""`}, string(s.State)) {
					s.State = json.RawMessage("{}")
				}
			})},
		{Name: "snapshot-lacks-the-nameless", Requirement: "helix.snapshot.exact", Also: []string{"helix.snapshot.complete"},
			Summary: "The path of a member whose name is empty is taken for one that leads nowhere.",
			Apply: on.Snapshot(func(s *helix.Snapshot) {
				var members map[string]json.RawMessage
				if json.Unmarshal(s.State, &members) != nil || members == nil {
					return
				}
				if _, there := members[""]; there {
					delete(members, "")
					s.State, _ = json.Marshal(members)
				}
			})},
	}
}
