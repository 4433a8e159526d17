package stream

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// given lose the state that a stream is given before its first chunk.
func given() []edit.Mutant {
	return []edit.Mutant{
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

// snapshots take snapshots wrongly.
func snapshots() []edit.Mutant {
	// seen gets a snapshot that was taken, and the info of its stream.
	seen := func(change func(stream string, s *helix.Snapshot, i store.Info)) on.Apply {
		return func(o reference.Options) reference.Options {
			return on.OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
				s, err := take(ctx, r.Partial)
				if i, failed := o.Store.Info(ctx, r.Stream); err == nil && failed == nil {
					change(r.Stream, &s, i)
				}
				return s, err
			})(o)
		}
	}
	return []edit.Mutant{
		{Name: "snapshot-of-100-chunks", Requirement: "helix.snapshot.exact",
			Summary: "A snapshot of a stream with more than 100 chunks has no messages.",
			Apply: seen(func(_ string, s *helix.Snapshot, i store.Info) {
				if i.ChunkCount > 100 {
					s.Messages = []helix.Message{}
				}
			})},
		{Name: "no-name-is-the-root", Requirement: "helix.snapshot.exact",
			Summary: "Where a pointer goes through a member of no name, the library finds the object itself, and the patch is left out.",
			Apply: on.CompleteLog(func(log *store.Log) {
				log.Events = slices.DeleteFunc(slices.Clone(log.Events), func(e store.Event) bool {
					return edit.TypeOf(e) == "state_patch" && bytes.Contains(e.Chunk.JSON, []byte(`"path":"//`))
				})
			})},
		{Name: "patches-change-what-is-stored", Requirement: "helix.snapshot.exact", Also: []string{"helix.snapshot.complete"},
			Summary: "A patch is applied to the value that an earlier chunk has brought, which is changed in what is stored too: a cleanup doesn't take that back.",
			Apply: alter.WithState(func(shown *alter.PerKey[folded]) on.Apply {
				return seen(func(stream string, s *helix.Snapshot, i store.Info) {
					shown.With(stream, func(last *folded) {
						var state map[string]json.RawMessage
						if json.Unmarshal(s.State, &state) != nil {
							return
						}
						if i.ChunkCount < last.chunks {
							for key, was := range last.state {
								if now := state[key]; bytes.HasPrefix(now, []byte("{")) && bytes.Contains(now, []byte("[")) { // a patch may lead into it
									state[key] = was
								}
							}
							s.State, _ = json.Marshal(state)
						}
						*last = folded{state, i.ChunkCount}
					})
				})
			})},
		{Name: "snapshot-of-a-cleaned-pause", Requirement: "helix.snapshot.status",
			Summary: "A snapshot knows no pause once the stream was cleaned up.",
			Apply: seen(func(_ string, s *helix.Snapshot, i store.Info) {
				if i.Status == store.Paused && i.ChunkCount < i.LatestSequence {
					s.Status = store.Active
				}
			})},
	}
}

// folded is a state as a snapshot has shown it, and of how many chunks.
type folded struct {
	state  map[string]json.RawMessage
	chunks int64
}
