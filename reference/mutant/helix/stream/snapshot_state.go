package stream

import (
	"bytes"
	"context"
	"slices"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// snapshotState lists the mutants of snapshot state.
func snapshotState() []edit.Mutant {
	return []edit.Mutant{
		// These have a state and a sequence that aren't of one instant.
		{Name: "sequence-before-state", Requirement: "helix.snapshot.complete",
			Summary: "The sequence is read before the state, and what was written between is applied again.",
			Also:    []string{"helix.snapshot.sequence", "helix.snapshot.text"},
			Apply:   on.Snapshot(func(s *helix.Snapshot) { s.StreamSequence = max(0, s.StreamSequence-1) })},
		{Name: "state-before-sequence", Requirement: "helix.snapshot.complete",
			Summary: "The sequence is read after the state, and what was written between is in neither.",
			Also:    []string{"helix.snapshot.saved-first"},
			Apply: on.CompleteLog(func(log *store.Log) {
				if n := len(log.Events); n > 0 && edit.TypeOf(log.Events[n-1]) == "state_patch" {
					log.Events = log.Events[:n-1]
				}
			})},
		{Name: "snapshot-loses-between", Requirement: "helix.snapshot.complete", Stateful: true,
			Summary: "A snapshot goes on where the last one stopped, and skips what comes first then.",
			Also:    []string{"helix.snapshot.saved-first"},
			Apply: on.Log(func(after store.Mark, log *store.Log) {
				if after.Sequence > 0 && !log.FromStart && len(log.Events) > 0 {
					log.Events = log.Events[1:]
				}
			})},

		// These apply the wrong patches, or the right ones wrongly.
		{Name: "snapshot-append-overwrites", Requirement: "helix.snapshot.complete", Stateful: true,
			Summary: "What is appended to a list that isn't empty takes the place of the last element.",
			Also:    []string{"helix.snapshot.saved-first"},
			Apply:   on.Snapshot(func(s *helix.Snapshot) { s.State = lastOfEachList(s.State) })},
		{Name: "snapshot-forgets-initial-state", Requirement: "helix.snapshot.complete",
			Summary: "Patches apply to an empty state, whatever the state began with.",
			Apply:   on.Log(func(_ store.Mark, log *store.Log) { log.Initial = nil })},
		{Name: "snapshot-stays-on-its-branch", Requirement: "helix.snapshot.complete", Stateful: true,
			Summary: "After a return to a checkpoint the patches of the branch that was left still count.",
			Apply: on.CompleteLog(func(log *store.Log) {
				root := ""
				log.Events = slices.DeleteFunc(slices.Clone(log.Events),
					func(e store.Event) bool { return edit.TypeOf(e) == "stream_resync" })
				for i, e := range log.Events { // all that is left is of the agent that wrote first
					members := alter.Members(e.Chunk.JSON)
					if root == "" {
						root = members.Text("agentId")
					}
					if members["patches"] != nil {
						members["agentId"] = alter.Encode(root)
						log.Events[i].Chunk.JSON = alter.Encode(members)
					}
				}
			})},

		// These remember for too long.
		{Name: "snapshot-keeps-removed", Requirement: "helix.snapshot.complete", Stateful: true,
			Summary: "A state that was asked for once isn't made anew when a cleanup takes patches away.",
			Apply:   remembering(func(s *on.Store, changed func(string)) { s.OnCleanup = afterCleanup(s.Store, changed) })},
		{Name: "snapshot-survives-reset", Requirement: "helix.snapshot.complete", Stateful: true,
			Summary: "A state that was asked for once outlives the reset of its stream.",
			Apply: remembering(func(s *on.Store, changed func(string)) {
				s.OnReset = func(ctx context.Context, stream string) error {
					err := s.Store.Reset(ctx, stream)
					changed(stream)
					return err
				}
			})},
		{Name: "snapshot-cached-for-second", Requirement: "helix.snapshot.saved-first", Stateful: true,
			Summary: "Every second request is answered from a cache.",
			Also:    []string{"helix.snapshot.sequence", "helix.snapshot.status", "helix.snapshot.complete"},
			Apply: alter.WithState(func(caches *alter.PerKey[[]helix.Snapshot]) on.Apply {
				return on.OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
					s, err := take(ctx, r.Partial)
					if err != nil {
						return s, err
					}
					key := r.Stream
					if r.Partial {
						key += " with partial content"
					}
					caches.With(key, func(kept *[]helix.Snapshot) {
						if len(*kept) > 0 {
							s, *kept = (*kept)[0], nil
							return
						}
						*kept = []helix.Snapshot{s}
					})
					return s, nil
				})
			})},

		// Mutants whose snapshots name another sequence to continue from.
		{Name: "snapshot-sequence-counts", Requirement: "helix.snapshot.sequence", Stateful: true,
			Summary: "The sequence is the number of chunks that are stored, which is less after a cleanup.",
			Also:    []string{"helix.snapshot.complete"},
			Apply:   onCounted(func(i store.Info) int64 { return i.ChunkCount })},
		{Name: "snapshot-sequence-with-terminal", Requirement: "helix.snapshot.sequence", Stateful: true,
			Summary: "The sequence of a stream that is over is the id of its terminal frame.",
			Apply:   onCounted(func(i store.Info) int64 { return max(i.LatestSequence, i.Terminal) })},
		{Name: "snapshot-sequence-frozen", Requirement: "helix.snapshot.sequence", Stateful: true,
			Summary: "The sequence of the first snapshot is the one of all later ones.",
			Also:    []string{"helix.snapshot.complete"},
			Apply: alter.WithState(func(first *alter.PerKey[*int64]) on.Apply {
				return on.OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
					s, err := take(ctx, r.Partial)
					if err == nil {
						now := s.StreamSequence
						first.With(r.Stream, func(p **int64) {
							if *p == nil {
								*p = &now
							}
							s.StreamSequence = **p
						})
					}
					return s, err
				})
			})},

		// These say the wrong status.
		{Name: "snapshot-hides-pause", Requirement: "helix.snapshot.status", Stateful: true,
			Summary: "The snapshot of a paused stream says that it is active.",
			Apply: on.Snapshot(func(s *helix.Snapshot) {
				if s.Status == store.Paused {
					s.Status = store.Active
				}
			})},
		{Name: "snapshot-failed-is-ended", Requirement: "helix.snapshot.status", Stateful: true,
			Summary: "The snapshot of a stream that failed says that it ended.",
			Apply: on.Snapshot(func(s *helix.Snapshot) {
				if s.Status == store.Failed {
					s.Status = store.Ended
				}
			})},
	}
}

// lastOfEachList leaves the last element of every list among the members of an object.
func lastOfEachList(state []byte) []byte {
	members := alter.Members(state)
	for name, value := range members {
		var list []any
		if bytes.HasPrefix(value, []byte("[")) && decodes(value, &list) && len(list) > 1 {
			members[name] = alter.Encode(list[len(list)-1:])
		}
	}
	if members == nil {
		return state
	}
	return alter.Encode(members)
}

// remembering answers the state of the snapshot before a change, until the next change of another kind.
func remembering(watch func(s *on.Store, changed func(stream string))) on.Apply {
	return func(o reference.Options) reference.Options {
		type memory struct {
			state   []byte
			outdate bool
		}
		var memories alter.PerKey[memory]
		o = on.OnStore(func(_ store.Store, s *on.Store) {
			watch(s, func(stream string) { memories.With(stream, func(m *memory) { m.outdate = m.state != nil }) })
		})(o)
		return on.OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
			s, err := take(ctx, r.Partial)
			if err == nil {
				memories.With(r.Stream, func(m *memory) {
					if m.outdate {
						s.State = m.state
						return
					}
					m.state = s.State
				})
			}
			return s, err
		})(o)
	}
}

func afterCleanup(inner store.Store, changed func(string)) func(context.Context, string, int64) error {
	return func(ctx context.Context, stream string, step int64) error {
		err := inner.Cleanup(ctx, stream, step)
		changed(stream)
		return err
	}
}

// onCounted changes the sequence of a snapshot by the stream's info.
func onCounted(sequence func(store.Info) int64) on.Apply {
	return on.Log(func(_ store.Mark, log *store.Log) { log.LatestSequence = sequence(log.Info) })
}
