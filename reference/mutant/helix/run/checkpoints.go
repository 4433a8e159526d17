package run

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// checkpoints lists the mutants of checkpoints.
func checkpoints() []edit.Mutant {
	checkpoint := on.Type("checkpoint_created")

	return []edit.Mutant{
		// Mutants that announce a checkpoint before all chunks that it covers.
		{Name: "checkpoint-before-output", Requirement: "helix.checkpoints.after-step",
			Summary: "The checkpoint of the last step is announced before its output.",
			Apply:   on.Written(on.Type("output"), on.ByChild().Not()).HoldBehind(checkpoint)},
		{Name: "checkpoint-before-second-patch", Requirement: "helix.checkpoints.after-step", Stateful: true,
			Summary: "From the second patch of a session on, the checkpoint is announced before the patch that it holds.",
			Apply:   on.Written(on.Type("state_patch").And(on.ByChild().Not()).From(2)).HoldBehind(checkpoint)},
		{Name: "checkpoint-before-patch", Requirement: "helix.checkpoints.after-step",
			Summary: "A checkpoint is announced before the patch that it holds.",
			Apply:   on.Written(on.Type("state_patch"), on.ByChild().Not()).HoldBehind(checkpoint)},
		{Name: "second-checkpoint-while-tool-works", Requirement: "helix.checkpoints.after-step", Stateful: true,
			Summary: "From the second step on, the checkpoint of a step is announced as soon as its last tool was called.",
			Apply:   earlyCheckpoint(2)},

		// These give checkpoints the ids or counts of others.
		{Name: "checkpoint-called-by-step", Requirement: "helix.checkpoints.unique", Stateful: true,
			Summary: "The id of a checkpoint is made of stream and step, so that a second attempt has the same.",
			Apply: checkpointIDs(func(_ string, stepCount int, _ time.Time) string {
				return fmt.Sprintf("checkpoint-%d", stepCount)
			})},
		{Name: "checkpoint-counts-since-resume", Requirement: "helix.checkpoints.increasing", Stateful: true,
			Summary: "After an interruption a checkpoint counts the steps of its run alone.",
			Also:    []string{"helix.checkpoints.id-form"},
			Apply: afterInterruption(func(c runtime.Chunk, done int) {
				if c.Type() == "checkpoint_created" {
					c["stepCount"] = c["stepCount"].(int) - done
				}
			})},
		{Name: "checkpoint-counts-to-two", Requirement: "helix.checkpoints.increasing", Stateful: true, Also: []string{"helix.checkpoints.id-form"},
			Summary: "From the third checkpoint on, stepCount stays 2, as many as the store keeps.",
			Apply:   on.Written(on.Type("checkpoint_created").From(3)).Set("stepCount", 2)},

		// These make ids of checkpoints that say the wrong thing.
		{Name: "branch-checkpoints-of-first-session", Requirement: "helix.checkpoints.id-form", Stateful: true,
			Summary: "The checkpoints of a branch are called after the session that it came from.",
			Apply: on.Written().BySequence(func(p *on.Producer) func(runtime.Chunk) {
				first := ""
				return func(c runtime.Chunk) {
					if first == "" {
						first = p.Session
					}
					if id, ok := c["checkpointId"].(string); ok {
						c["checkpointId"] = strings.Replace(id, p.Session, first, 1)
					}
				}
			})},

		// Mutants that announce another position than the checkpoint's.
		{Name: "checkpoint-at-the-start", Requirement: "helix.checkpoints.sequence",
			Summary: "fromSequence is 0, whatever the checkpoint.",
			Also:    []string{"helix.state.after-resync", "helix.resync.messages", "helix.snapshot.complete"},
			Apply:   on.Written(on.Type("stream_resync")).Set("fromSequence", int64(0))},
		{Name: "branch-keeps-the-next-step", Requirement: "helix.checkpoints.place", Stateful: true,
			Summary: "The place of a branch lies in the step after its checkpoint, which was begun and stays where it is.",
			Apply:   on.Written(on.Type("stream_resync"), on.Is("reason", "branch")).Add("fromSequence", 3)},

		// These don't tell of a commit, or not which.
		{Name: "commit-untold", Requirement: "helix.checkpoints.committed",
			Summary: "A step is committed without step_committed, since the checkpoint says it.",
			Apply:   on.Written(on.Type("step_committed")).Drop()},
		{Name: "second-commit-untold", Requirement: "helix.checkpoints.committed", Stateful: true,
			Summary: "Only the first commit of a session is reported.",
			Apply:   on.Written(on.Type("step_committed").From(2)).Drop()},
		{Name: "commit-names-last-checkpoint", Requirement: "helix.checkpoints.committed", Stateful: true,
			Summary: "From the second step on, step_committed names the checkpoint before.",
			Apply:   on.Written(on.Type("step_committed")).Lag("checkpointId")},

		// These don't tell that changes were dropped, or don't drop them.
		{Name: "second-discard-untold", Requirement: "helix.checkpoints.discarded", Stateful: true,
			Summary: "Only the first step of a session that is dropped is reported.",
			Apply:   on.Written(on.Type("step_discarded").From(2)).Drop()},
		{Name: "failed-step-not-discarded", Requirement: "helix.checkpoints.discarded", Stateful: true,
			Summary: "The changes of a step that fails are dropped without step_discarded.",
			Apply: on.Written(on.Type("step_discarded"), on.If(func(c runtime.Chunk) bool { return !strings.Contains(on.Text(c, "reason"), "interrupted") })).
				Drop()},

		// These use the id of a step twice.
		{Name: "commit-told-twice", Requirement: "helix.checkpoints.once", Also: []string{"helix.checkpoints.committed"},
			Summary: "step_committed is written by the store and by the runtime.",
			Apply:   on.Written(on.Type("step_committed")).Copied()},
		{Name: "dropped-step-keeps-its-id", Requirement: "helix.checkpoints.once", Stateful: true,
			Summary: "The step in the place of a dropped one has its id.",
			Apply:   on.Written(on.Type("step_committed").Next(on.Type("step_discarded"))).Recall("stepId", on.Type("step_discarded"), "stepId")},

		// These give a step up and don't say so.
		{Name: "interrupted-step-untold", Requirement: "helix.checkpoints.interrupted",
			Summary: "A step that is interrupted is discarded only where it had staged something.",
			Apply:   on.OnRuntime(func(p *runtime.Ports) { p.Discards = func(staged, _ bool) bool { return staged } })},
	}
}

// checkpointIDs makes the ids of checkpoints differently.
func checkpointIDs(make func(session string, stepCount int, at time.Time) string) on.Apply {
	return on.OnIDs(func(_ runtime.IDs, i *on.IDs) { i.OnCheckpoint = make })
}

// earlyCheckpoint announces the checkpoint of a step when a tool is called, from the nth step on.
func earlyCheckpoint(n int) on.Apply {
	return on.OnRuntime(func(p *runtime.Ports) {
		var mu sync.Mutex
		announced := map[string]string{} // ids of checkpoints, by session and step
		key := func(session string, step int) string { return fmt.Sprint(session, " ", step) }
		ids, inner := p.IDs, p.Journal
		p.IDs = &on.IDs{IDs: ids, OnCheckpoint: func(session string, stepCount int, at time.Time) string {
			mu.Lock()
			defer mu.Unlock()
			if id := announced[key(session, stepCount)]; id != "" {
				return id
			}
			return ids.Checkpoint(session, stepCount, at)
		}}
		p.Journal = &on.Journal{Journal: inner, OnAppend: func(
			ctx context.Context, w runtime.Writer, chunks []runtime.Chunk,
		) ([]int64, error) {
			mu.Lock()
			defer mu.Unlock()
			var out []runtime.Chunk
			for _, c := range chunks {
				step, _ := c.Step()
				here := key(w.Session, step)
				if c.Type() == "checkpoint_created" && announced[here] != "" {
					continue
				}
				out = append(out, c)
				if c.Type() == "tool_start" && c.AgentID() == w.Session && step >= n && announced[here] == "" {
					announced[here] = ids.Checkpoint(w.Session, step, time.Now())
					out = append(out, on.Like(c, "checkpoint_created", runtime.Chunk{
						"runId": w.Run, "checkpointId": announced[here], "stepCount": step}))
				}
			}
			return inner.Append(ctx, w, out)
		}}
	})
}
