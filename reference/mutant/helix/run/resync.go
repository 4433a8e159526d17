package run

import (
	"bytes"
	"context"
	"slices"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/store"
)

func runResync() []edit.Mutant {
	// at gives the chunks for which a function holds their own sequence as fromSequence, and some more.
	at := func(more int64, which func(runtime.Chunk) bool) on.Apply {
		return on.OnJournal(func(inner runtime.Journal, j *on.Journal) {
			var streams alter.PerKey[int64]
			j.OnAppend = func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
				latest := streams.Get(w.Stream)
				for i, c := range chunks {
					if c.Type() == "stream_resync" && which(c) {
						c["fromSequence"] = latest + int64(i) + 1 + more
					}
				}
				sequences, err := inner.Append(ctx, w, chunks)
				if err == nil && len(sequences) > 0 {
					streams.Set(w.Stream, sequences[len(sequences)-1])
				}
				return sequences, err
			}
		})
	}
	return []edit.Mutant{
		// Mutants that don't tell of a return, or not why.
		{Name: "branch-is-a-rollback", Requirement: "helix.resync.written",
			Summary: "A branch is reported as a rollback.",
			Apply:   returned("branch").Set("reason", "rollback")},
		{Name: "second-recovery-untold", Requirement: "helix.resync.written", Stateful: true,
			Summary: "Only the first recovery of a session is reported.",
			Apply:   on.Written(returns("crash_recovery").From(2)).Drop()},
		{Name: "recovery-without-checkpoint-untold", Requirement: "helix.resync.written", Stateful: true,
			Summary: "A run that crashes before its first checkpoint begins again without a word.",
			Also:    []string{"helix.runs.known-checkpoint"},
			Apply:   on.Written(returns("crash_recovery"), on.Is("stepCount", 0)).Drop()},
		{Name: "branch-told-live-only", Requirement: "helix.resync.written", Stateful: true,
			Summary: "That a branch begins reaches those who are attached, and is not stored.",
			Also:    []string{"helix.checkpoints.sequence", "helix.resync.counts", "helix.state.after-resync"},
			Apply: on.Events(on.Stored(), on.ChunkOf("stream_resync"), on.IfEvent(func(e store.Event) bool {
				return bytes.Contains(e.Chunk.JSON, []byte(`"reason":"branch"`))
			})).Drop()},

		// Mutants whose checkpoints are in the future.
		{Name: "branch-from-the-future", Requirement: "helix.resync.from-sequence", Stateful: true,
			Summary: "fromSequence of a branch is the first sequence of the branch.",
			Also:    []string{"helix.checkpoints.sequence", "helix.snapshot.complete"},
			Apply:   at(1, func(c runtime.Chunk) bool { return c["reason"] == "branch" })},

		// Mutants whose checkpoints precede the end of their content.
		{Name: "branch-before-last-word", Requirement: "helix.resync.covers", Stateful: true,
			Summary: "fromSequence of a branch lies two chunks before the checkpoint.",
			Also:    []string{"helix.snapshot.complete", "helix.state.after-resync"},
			Apply:   returned("branch").Add("fromSequence", -2)},

		// Mutants that say another number of steps than the checkpoint.
		{Name: "resync-counts-open-step", Requirement: "helix.resync.counts",
			Summary: "After a crash stepCount counts the step that is done again.",
			Apply:   returned("crash_recovery").Add("stepCount", 1)},
		{Name: "second-rollback-counts-as-first", Requirement: "helix.resync.counts", Stateful: true,
			Summary: "A second rollback has the stepCount of the first.",
			Apply:   returned("rollback").Stick("stepCount")},

		// Mutants that don't remove voided chunks.
		{Name: "second-return-without-cleanup", Requirement: "helix.resync.truncates-first", Stateful: true,
			Summary: "Only the first return of a session cleans up.",
			Apply: onRunCleanup(func(inner runtime.Journal) func(context.Context, runtime.Writer, int) error {
				var done alter.PerKey[bool]
				return func(ctx context.Context, w runtime.Writer, stepCount int) error {
					if done.Swap(w.Stream, true) {
						return nil
					}
					return inner.Cleanup(ctx, w, stepCount)
				}
			})},
		{Name: "cleans-up-after-resync", Requirement: "helix.resync.truncates-first",
			Summary: "What no longer counts is removed when stream_resync was written.",
			Apply:   cleansUpDelayed()},

		// Mutants that say another number of messages than a snapshot has.
		{Name: "resync-without-messages", Requirement: "helix.resync.messages",
			Summary: "messageCount is always 0.",
			Apply:   on.Written(on.Type("stream_resync")).Set("messageCount", 0)},
		{Name: "recovery-counts-partial-message", Requirement: "helix.resync.messages",
			Summary: "After a crash messageCount counts the message that is written again.",
			Apply:   returned("crash_recovery").Add("messageCount", 1)},
		{Name: "second-rollback-keeps-messages", Requirement: "helix.resync.messages", Stateful: true,
			Summary: "A second rollback has one message too many.",
			Apply:   on.Written(returns("rollback").From(2)).Add("messageCount", 1)},
	}
}

// returns matches the announcement of a return for a reason.
func returns(reason string) on.Writing { return on.Type("stream_resync").And(on.Is("reason", reason)) }

// returned selects the chunks that announce a return for a reason.
func returned(reason string) on.Produced { return on.Written(returns(reason)) }

// onRunCleanup cleans up differently. The function is called once for each server.
func onRunCleanup(begin func(inner runtime.Journal) func(ctx context.Context, w runtime.Writer,
	stepCount int) error) on.Apply {
	return on.OnJournal(func(inner runtime.Journal, j *on.Journal) { j.OnCleanup = begin(inner) })
}

// cleansUpDelayed delays a cleanup until the return was reported.
func cleansUpDelayed() on.Apply {
	return on.OnJournal(func(inner runtime.Journal, j *on.Journal) {
		var streams alter.PerKey[[]int]
		j.OnAppend = func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
			sequences, err := inner.Append(ctx, w, chunks)
			if err != nil || !slices.ContainsFunc(chunks, ofType("stream_resync")) {
				return sequences, err
			}
			for _, stepCount := range streams.Swap(w.Stream, nil) {
				if err := inner.Cleanup(ctx, w, stepCount); err != nil {
					return nil, err
				}
			}
			return sequences, nil
		}
		j.OnCleanup = func(_ context.Context, w runtime.Writer, stepCount int) error {
			streams.With(w.Stream, func(steps *[]int) { *steps = append(*steps, stepCount) })
			return nil
		}
	})
}
