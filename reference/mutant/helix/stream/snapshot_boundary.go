package stream

import (
	"context"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// snapshotCuts lists mutants whose snapshots have the wrong boundary, or different ones for messages and state.
func snapshotCuts() []edit.Mutant {
	return []edit.Mutant{
		// Mutants whose boundary is before or after the right one.
		{Name: "open-step-in-neither", Requirement: "helix.snapshot.boundary", Stateful: true,
			Summary: "Without partial content the sequence is the latest, and what the open step has said so far comes no more.",
			Also:    []string{"helix.snapshot.text", "helix.snapshot.exact"},
			Apply: besides(func(s *helix.Snapshot, latest helix.Snapshot) {
				s.Messages, s.State, s.StreamSequence = withoutPartial(latest.Messages), latest.State, latest.StreamSequence
			})},
		{Name: "cut-before-last-step", Requirement: "helix.snapshot.boundary", Stateful: true,
			Summary: "Without partial content a snapshot is of the checkpoint before the last one, and the stream brings its step again.",
			Also:    []string{"helix.snapshot.messages", "helix.checkpoints.discarded", "helix.resync.messages"},
			Apply:   on.SnapshotBoundary(earlyBoundary)},

		// Mutants whose snapshots contain chunks after their sequence.
		{Name: "state-ahead-of-messages", Requirement: "helix.snapshot.exact", Stateful: true,
			Summary: "The state is the latest, and the messages and the sequence are those before the open step.",
			Also:    []string{"helix.snapshot.complete"},
			Apply:   besides(func(s *helix.Snapshot, latest helix.Snapshot) { s.State = latest.State })},
		{Name: "partial-above-sequence", Requirement: "helix.snapshot.exact", Stateful: true,
			Summary: "What the open step has said is among the messages, and the stream brings it again.",
			Also:    []string{"helix.snapshot.no-partial", "helix.snapshot.text", "helix.snapshot.messages"},
			Apply: besides(func(s *helix.Snapshot, latest helix.Snapshot) {
				s.Messages = slices.Clone(latest.Messages)
				for i := range s.Messages {
					s.Messages[i].ID = strings.TrimSuffix(s.Messages[i].ID, edit.PartialSuffix)
				}
			})},
		{Name: "partial-state-of-commit", Requirement: "helix.snapshot.exact", Stateful: true,
			Summary: "With partial content the state is that before the open step, and the sequence the latest.",
			Also:    []string{"helix.snapshot.complete", "helix.snapshot.saved-first"},
			Apply: on.OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
				s, err := take(ctx, r.Partial)
				if err == nil && r.Partial {
					var before helix.Snapshot
					before, err = take(ctx, false)
					s.State = before.State
				}
				return s, err
			})},

		// Mutants whose snapshots contain voided chunks.
		{Name: "discarded-step-shown", Requirement: "helix.snapshot.void", Stateful: true,
			Summary: "What a discarded step said stays, and its next attempt goes on in the same message.",
			Also:    []string{"helix.snapshot.exact"},
			Apply:   on.CompleteLog(func(log *store.Log) { log.Events = withoutKind(log.Events, "step_discarded") })},
		{Name: "interrupted-step-kept", Requirement: "helix.snapshot.void", Stateful: true,
			Summary: "A step that was interrupted becomes a message like one that is complete.",
			Also:    []string{"helix.snapshot.exact", "helix.snapshot.boundary"},
			Apply: on.CompleteLog(func(log *store.Log) {
				log.Events = slices.Clone(log.Events)
				for i, e := range log.Events {
					if edit.TypeOf(e) != "step_discarded" {
						continue
					}
					members := alter.Members(e.Chunk.JSON)
					members["type"] = alter.Encode("step_committed")
					log.Events[i].Chunk.JSON = alter.Encode(members)
				}
			})},
		{Name: "messages-stay-on-their-branch", Requirement: "helix.snapshot.void", Stateful: true,
			Summary: "After a return to a checkpoint the messages are still those of the branch that was left.",
			Also:    []string{"helix.resync.messages"},
			Apply: alter.WithState(func(longest *alter.PerKey[[]helix.Message]) on.Apply {
				return on.OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
					s, err := take(ctx, r.Partial)
					if err != nil {
						return s, err
					}
					longest.With(r.Stream, func(kept *[]helix.Message) {
						if complete := withoutPartial(s.Messages); len(complete) >= len(*kept) {
							*kept = complete
							return
						}
						s.Messages = slices.Clone(*kept)
					})
					return s, nil
				})
			})},
	}
}

// besides answers a snapshot without partial content and changes it by one that was taken with it.
func besides(change func(s *helix.Snapshot, latest helix.Snapshot)) on.Apply {
	return on.OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
		s, err := take(ctx, r.Partial)
		if err != nil || r.Partial {
			return s, err
		}
		latest, err := take(ctx, true)
		if err == nil {
			change(&s, latest)
		}
		return s, err
	})
}

// withoutPartial are the messages of complete steps.
func withoutPartial(all []helix.Message) []helix.Message {
	return slices.DeleteFunc(slices.Clone(all), edit.IsPartial)
}

// earlyBoundary ends a log at its last checkpoint but one.
func earlyBoundary(log *store.Log) {
	var marks []int
	for i, e := range log.Events {
		if edit.TypeOf(e) == "checkpoint_created" {
			marks = append(marks, i)
		}
	}
	if len(marks) > 1 {
		log.Events = log.Events[:marks[len(marks)-2]+1]
		log.LatestSequence = log.Events[len(log.Events)-1].Sequence
	}
}

func withoutKind(events []store.Event, kind string) []store.Event {
	return slices.DeleteFunc(slices.Clone(events), func(e store.Event) bool { return edit.TypeOf(e) == kind })
}
