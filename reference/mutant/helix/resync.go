package helix

import (
	"context"
	"slices"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

func runResync() []Mutant {
	return slices.Concat(runReturns(), runPast(), runCovers(), runCounts(), runCleanups(), runMessageCounts())
}

// ofReason changes what tells of a return for some reason, from the nth such return on.
func ofReason(reason string, n int, change func(runtime.Chunk)) apply {
	return on.Written().Course(func(*on.Producer) func(runtime.Chunk) {
		seen := 0
		return func(c runtime.Chunk) {
			if c.Type() == "stream_resync" && c["reason"] == reason {
				if seen++; seen >= n {
					change(c)
				}
			}
		}
	})
}

// runReturns don't tell of a return, or not why.
func runReturns() []Mutant {
	return []Mutant{
		{Name: "branch-is-a-rollback", Requirement: "helix.resync.written",
			Summary: "A branch is reported as a rollback.",
			Apply:   ofReason("branch", 1, func(c runtime.Chunk) { c["reason"] = "rollback" })},
		{Name: "recovery-is-a-rollback", Requirement: "helix.resync.written",
			Summary: "A recovery is reported as a rollback to the last checkpoint.",
			Apply:   ofReason("crash_recovery", 1, func(c runtime.Chunk) { c["reason"] = "rollback" })},
		{Name: "second-recovery-untold", Requirement: "helix.resync.written", Stateful: true,
			Summary: "Only the first recovery of a session is reported.",
			Apply: on.Written(func(*on.Producer) func(runtime.Chunk) bool {
				seen := 0
				return func(c runtime.Chunk) bool {
					if c.Type() != "stream_resync" || c["reason"] != "crash_recovery" {
						return false
					}
					seen++
					return seen > 1
				}
			}).Drop()},
		{Name: "recovery-without-checkpoint-untold", Requirement: "helix.resync.written", Stateful: true,
			Summary: "A run that crashes before its first checkpoint begins again without a word.",
			Also:    []string{"helix.runs.known-checkpoint"},
			Apply: on.Written(on.Type("stream_resync"), on.Is("reason", "crash_recovery"), on.If(func(c runtime.Chunk) bool { return c["stepCount"] == 0 })).
				Drop()},
		{Name: "branch-told-live-only", Requirement: "helix.resync.written", Stateful: true,
			Summary: "That a branch begins reaches those who are attached, and is not stored.",
			Also:    []string{"helix.checkpoints.sequence", "helix.resync.counts", "helix.state.after-resync"},
			Apply:   liveOnly("stream_resync", `"reason":"branch"`)},
	}
}

// runPast place a checkpoint in the future.
func runPast() []Mutant {
	// at gives the chunks for which a function holds their own sequence as fromSequence, and some more.
	at := func(more int64, which func(runtime.Chunk) bool) apply {
		return on.OnJournal(func(inner runtime.Journal, j *on.Journal) {
			var streams alter.Ledger[int64]
			j.OnAppend = func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
				var latest int64
				streams.With(w.Stream, func(n *int64) { latest = *n })
				for i, c := range chunks {
					if c.Type() == "stream_resync" && which(c) {
						c["fromSequence"] = latest + int64(i) + 1 + more
					}
				}
				sequences, err := inner.Append(ctx, w, chunks)
				if err == nil && len(sequences) > 0 {
					streams.With(w.Stream, func(n *int64) { *n = sequences[len(sequences)-1] })
				}
				return sequences, err
			}
		})
	}
	return []Mutant{
		{Name: "from-sequence-is-its-own", Requirement: "helix.resync.from-sequence",
			Summary: "fromSequence is the sequence of the stream_resync itself.",
			Also:    []string{"helix.checkpoints.sequence", "helix.resync.written", "helix.snapshot.complete"},
			Apply:   at(0, func(runtime.Chunk) bool { return true })},
		{Name: "branch-from-the-future", Requirement: "helix.resync.from-sequence", Stateful: true,
			Summary: "fromSequence of a branch is the first sequence of the branch.",
			Also:    []string{"helix.checkpoints.sequence", "helix.snapshot.complete"},
			Apply:   at(1, func(c runtime.Chunk) bool { return c["reason"] == "branch" })},
	}
}

// runCovers place a checkpoint before the end of what it covers.
func runCovers() []Mutant {
	return []Mutant{
		{Name: "from-sequence-before-patch", Requirement: "helix.resync.covers",
			Summary: "fromSequence is taken before the patch of the step is written.",
			Also:    []string{"helix.snapshot.complete", "helix.checkpoints.sequence", "helix.state.after-resync"},
			Apply: on.Written(on.Type("stream_resync")).With(func(c runtime.Chunk) {
				if from, ok := c["fromSequence"].(int64); ok {
					c["fromSequence"] = max(0, from-2)
				}
			})},
		{Name: "branch-before-last-word", Requirement: "helix.resync.covers", Stateful: true,
			Summary: "fromSequence of a branch lies two chunks before the checkpoint.",
			Also:    []string{"helix.snapshot.complete", "helix.state.after-resync"},
			Apply: ofReason("branch", 1, func(c runtime.Chunk) {
				if from, ok := c["fromSequence"].(int64); ok {
					c["fromSequence"] = max(0, from-2)
				}
			})},
	}
}

// runCounts say another number of steps than the checkpoint.
func runCounts() []Mutant {
	return []Mutant{
		{Name: "resync-counts-open-step", Requirement: "helix.resync.counts",
			Summary: "After a crash stepCount counts the step that is done again.",
			Apply: ofReason("crash_recovery", 1, func(c runtime.Chunk) {
				c["stepCount"] = c["stepCount"].(int) + 1
			})},
		{Name: "resync-counts-what-was-left", Requirement: "helix.resync.counts", Stateful: true,
			Summary: "After a rollback stepCount is that of the latest checkpoint before it.",
			Apply: on.Written().Course(func(*on.Producer) func(runtime.Chunk) {
				most := 0
				return func(c runtime.Chunk) {
					switch c.Type() {
					case "checkpoint_created":
						most, _ = c["stepCount"].(int)
					case "stream_resync":
						if c["reason"] == "rollback" {
							c["stepCount"] = most
						}
					}
				}
			})},
		{Name: "second-rollback-counts-as-first", Requirement: "helix.resync.counts", Stateful: true,
			Summary: "A second rollback has the stepCount of the first.",
			Apply: on.Written().Course(func(*on.Producer) func(runtime.Chunk) {
				var first any
				return func(c runtime.Chunk) {
					if c.Type() == "stream_resync" && c["reason"] == "rollback" {
						if first == nil {
							first = c["stepCount"]
						}
						c["stepCount"] = first
					}
				}
			})},
	}
}

// cleaning is a journal that cleans up differently.
type cleaning struct {
	runtime.Journal
	cleanup func(ctx context.Context, w runtime.Writer, stepCount int) error
}

func (c *cleaning) Cleanup(ctx context.Context, w runtime.Writer, stepCount int) error {
	return c.cleanup(ctx, w, stepCount)
}

// onRunCleanup cleans up differently. The function is called once for each server.
func onRunCleanup(begin func(inner runtime.Journal) func(ctx context.Context, w runtime.Writer,
	stepCount int) error) apply {
	return on.OnRuntime(func(p *runtime.Ports) { p.Journal = &cleaning{p.Journal, begin(p.Journal)} })
}

// runCleanups leave behind what no longer counts.
func runCleanups() []Mutant {
	return []Mutant{
		{Name: "returns-without-cleanup", Requirement: "helix.resync.truncates-first",
			Summary: "What comes after a checkpoint stays in the stream when a run returns to it.",
			Also:    []string{"helix.checkpoints.sequence"},
			Apply: onRunCleanup(func(runtime.Journal) func(context.Context, runtime.Writer, int) error {
				return func(context.Context, runtime.Writer, int) error { return nil }
			})},
		{Name: "cleans-up-without-open-step", Requirement: "helix.resync.truncates-first",
			Summary: "A cleanup leaves the step that follows the checkpoint.",
			Also:    []string{"helix.checkpoints.sequence"},
			Apply: onRunCleanup(func(inner runtime.Journal) func(context.Context, runtime.Writer, int) error {
				return func(ctx context.Context, w runtime.Writer, stepCount int) error {
					return inner.Cleanup(ctx, w, stepCount+1)
				}
			})},
		{Name: "second-return-without-cleanup", Requirement: "helix.resync.truncates-first", Stateful: true,
			Summary: "Only the first return of a session cleans up.",
			Apply: onRunCleanup(func(inner runtime.Journal) func(context.Context, runtime.Writer, int) error {
				var streams alter.Ledger[bool]
				return func(ctx context.Context, w runtime.Writer, stepCount int) error {
					again := false
					streams.With(w.Stream, func(done *bool) { *done, again = true, *done })
					if again {
						return nil
					}
					return inner.Cleanup(ctx, w, stepCount)
				}
			})},
		{Name: "cleans-up-after-resync", Requirement: "helix.resync.truncates-first",
			Summary: "What no longer counts is removed when stream_resync was written.",
			Apply:   cleansUpLate()},
	}
}

// cleansUpLate puts a cleanup off until the return was reported.
func cleansUpLate() apply {
	return on.OnRuntime(func(p *runtime.Ports) {
		inner := p.Journal
		var streams alter.Ledger[[]int]
		j := &on.Journal{Journal: inner}
		j.OnAppend = func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
			sequences, err := inner.Append(ctx, w, chunks)
			if err != nil || !slices.ContainsFunc(chunks, func(c runtime.Chunk) bool { return c.Type() == "stream_resync" }) {
				return sequences, err
			}
			var due []int
			streams.With(w.Stream, func(steps *[]int) { due, *steps = *steps, nil })
			for _, stepCount := range due {
				if err := inner.Cleanup(ctx, w, stepCount); err != nil {
					return nil, err
				}
			}
			return sequences, nil
		}
		p.Journal = &cleaning{j, func(_ context.Context, w runtime.Writer, stepCount int) error {
			streams.With(w.Stream, func(steps *[]int) { *steps = append(*steps, stepCount) })
			return nil
		}}
	})
}

// runMessageCounts say another number of messages than a snapshot has.
func runMessageCounts() []Mutant {
	return []Mutant{
		{Name: "resync-without-messages", Requirement: "helix.resync.messages",
			Summary: "messageCount is always 0.",
			Apply:   on.Written(on.Type("stream_resync")).Set("messageCount", 0)},
		{Name: "recovery-counts-partial-message", Requirement: "helix.resync.messages",
			Summary: "After a crash messageCount counts the message that is written again.",
			Apply: ofReason("crash_recovery", 1, func(c runtime.Chunk) {
				c["messageCount"] = c["messageCount"].(int) + 1
			})},
		{Name: "second-rollback-keeps-messages", Requirement: "helix.resync.messages", Stateful: true,
			Summary: "A second rollback has one message too many.",
			Apply: ofReason("rollback", 2, func(c runtime.Chunk) {
				c["messageCount"] = c["messageCount"].(int) + 1
			})},
	}
}
