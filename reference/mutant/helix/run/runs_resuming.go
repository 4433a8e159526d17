package run

import (
	"bytes"
	"io"
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// runsResuming lists the mutants of runs resuming.
func runsResuming() []edit.Mutant {
	lost := func(n int) on.Apply {
		return on.Written(on.Type("run_interrupted").From(n)).Set("checkpointId", nil)
	}

	thought := runtime.Chunk{"content": "By rail, then.", "isComplete": true}

	answered := on.Is("mode", "tool_result").Or(on.Is("mode", "approval"))

	return []edit.Mutant{
		// Mutants that don't report an interruption, or not the checkpoint to resume from.
		{Name: "second-interruption-untold", Requirement: "helix.runs.interrupted", Stateful: true,
			Summary: "A run that was resumed is interrupted without a word.",
			Also:    []string{"helix.runs.interrupt-checkpoint"},
			Apply:   on.Written(on.Type("run_interrupted").From(2)).Drop()},
		{Name: "interrupted-tool-hides-interruption", Requirement: "helix.runs.interrupted", Stateful: true,
			Summary: "An interruption while a tool works only ends the call.",
			Apply: on.Written(on.Type("run_interrupted").After(on.FailedCall().And(on.If(func(c runtime.Chunk) bool {
				return strings.Contains(on.Text(c, "error"), "interrupted")
			})))).Drop()},
		{Name: "interrupted-nowhere-the-second-time", Requirement: "helix.runs.interrupt-checkpoint", Stateful: true,
			Summary: "The checkpoint of a run that was resumed before is null when it is interrupted.",
			Apply:   lost(2)},
		{Name: "interruption-names-a-draft", Requirement: "helix.runs.interrupt-checkpoint",
			Summary: "The checkpoint that an interruption names was never saved.",
			Apply: on.Written(on.Type("run_interrupted")).
				With(func(c runtime.Chunk) { c["checkpointId"] = on.Text(c, "checkpointId") + "-draft" })},
		{Name: "no-checkpoint-before-the-first-step", Requirement: "helix.runs.interrupt-checkpoint", Stateful: true,
			Summary: "A run that is interrupted in its first step has no checkpoint to go on from.",
			Apply:   on.Written(on.Type("run_interrupted").Before(on.Type("step_committed"))).Set("checkpointId", nil)},

		// These say something between an interruption and the next run.
		{Name: "thinks-on-after-second-interruption", Requirement: "helix.runs.silent", Stateful: true,
			Summary: "A block of reasoning that was under way is sent after the second interruption.",
			Apply:   on.Written(on.Type("run_interrupted").From(2)).FollowWith("thinking", thought)},

		// These don't tell that a run goes on.
		{Name: "second-resume-untold", Requirement: "helix.runs.resumed", Stateful: true,
			Summary: "Only the first resume of a session is reported.",
			Also:    []string{"helix.runs.mode", "helix.runs.silent", "helix.runs.resume-announced"},
			Apply:   on.Written(on.Type("run_resumed").From(2)).Drop()},
		{Name: "resume-after-rollback-untold", Requirement: "helix.runs.resumed", Stateful: true,
			Summary: "After a rollback stream_resync alone reports that the run goes on.",
			Also:    []string{"helix.checkpoints.sequence"},
			Apply:   on.Written(on.Type("run_resumed").Between(returns("rollback"), on.Type("stream_resync"))).Drop()},
		{Name: "resume-told-live-only", Requirement: "helix.runs.resumed", Stateful: true,
			Summary: "run_resumed reaches those who are attached, and nobody later.",
			Also:    []string{"helix.checkpoints.sequence", "helix.runs.resume-announced", "helix.resync.from-sequence"},
			Apply:   on.Events(on.Stored(), on.ChunkOf("run_resumed")).Drop()},
		{Name: "answer-goes-on-untold", Requirement: "helix.runs.resume-announced",
			Summary: "A run that waited for an answer goes on without run_resumed.",
			Also:    []string{"helix.runs.resumed"},
			Apply:   on.Written(on.Type("run_resumed"), answered).Drop()},
		{Name: "second-answer-goes-on-untold", Requirement: "helix.runs.resume-announced", Stateful: true,
			Summary: "A run that waited for an answer a second time goes on without run_resumed.",
			Also:    []string{"helix.runs.resumed"},
			Apply:   on.Written(on.Type("run_resumed"), answered, on.Any().After(on.Type("run_paused").Nth(2))).Drop()},

		// These say another mode.
		{Name: "mode-for-machines", Requirement: "helix.runs.mode",
			Summary: "The mode is written in lower case, with dashes in place of spaces.",
			Apply: on.Written(on.Type("run_resumed")).
				With(func(c runtime.Chunk) { c["mode"] = strings.ReplaceAll(strings.ToLower(on.Text(c, "mode")), " ", "-") })},
		{Name: "mode-of-last-time", Requirement: "helix.runs.mode", Stateful: true,
			Summary: "A second resume has the mode of the first.",
			Apply:   on.Written(on.Type("run_resumed")).Stick("mode")},

		// These are wrong about where a run goes on from.
		{Name: "first-checkpoint-unnamed", Requirement: "helix.runs.known-checkpoint", Stateful: true,
			Summary: "A run that was interrupted before any step was done goes on from a checkpoint that was never announced.",
			Apply: on.Written(on.Type("run_resumed"), on.If(func(c runtime.Chunk) bool { return c["fromStepCount"] == 0 && c["mode"] != "crash_recovery" })).
				Set("fromCheckpointId", "checkpoint-of-the-start")},
		{Name: "counts-what-was-rolled-back", Requirement: "helix.runs.from-step", Stateful: true,
			Summary: "After a rollback fromStepCount is that of the latest checkpoint before it.",
			Apply: on.Written().BySequence(func(*on.Producer) func(runtime.Chunk) {
				most := 0
				return func(c runtime.Chunk) {
					switch c.Type() {
					case "checkpoint_created":
						most = max(most, c["stepCount"].(int))
					case "run_resumed":
						c["fromStepCount"] = most
					}
				}
			})},
		{Name: "same-run-when-answered", Requirement: "helix.runs.new-run", Stateful: true,
			Summary: "A run that waited for an answer keeps its id.",
			Apply:   on.Written(on.Type("run_resumed")).Recall("runId", on.Type("run_paused"), "runId")},
		{Name: "same-run-the-second-time", Requirement: "helix.runs.new-run", Stateful: true,
			Summary: "A run that was resumed keeps its id when it is interrupted and resumed again.",
			Apply:   sameRun(2)},

		// These start over where they should refuse.
		{Name: "waiting-run-starts-over", Requirement: "helix.runs.retry-unknown", Stateful: true,
			Summary: "A run that waits for an answer takes any retry as an answer, whatever it names.",
			Wrap: onRetry(func(r retry) int {
				if r.waiting() {
					return r.again()
				}
				return r.call()
			})},
	}
}

// sameRun lets a session keep the id of the run that was interrupted, from the nth interruption on.
func sameRun(n int) on.Apply {
	return on.Written().BySequence(func(*on.Producer) func(runtime.Chunk) {
		stopped, run := 0, ""
		return func(c runtime.Chunk) {
			switch c.Type() {
			case "run_interrupted":
				if stopped++; run != "" {
					c["runId"] = run
				}
				if stopped >= n {
					run = on.Text(c, "runId")
				}
			case "run_resumed":
				if run != "" {
					c["runId"] = run
				}
			}
		}
	})
}

// retry is a retry that names a checkpoint. call makes the call as it came, again makes it without a checkpoint; both
// return the status.
type retry struct {
	call, again func() int
	waiting     func() bool // whether the run waits for an answer
}

// onRetry handles retries that name a checkpoint. The function decides on the status of the answer.
func onRetry(handle func(retry) int) alter.Around {
	return edit.OnRunCalls(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		path, retries := strings.CutSuffix(r.URL.EscapedPath(), "/retry")
		if !retries {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		at := r.URL.EscapedPath()
		call := func() int { return alter.CallAs(next, r, http.MethodPost, at, body).Code }
		if !bytes.Contains(body, []byte("checkpointId")) {
			w.WriteHeader(call())
			return
		}
		w.WriteHeader(handle(retry{
			call:  call,
			again: func() int { return alter.CallAs(next, r, http.MethodPost, at, []byte(`{}`)).Code },
			waiting: func() bool {
				return strings.Contains(alter.CallAs(next, r, http.MethodGet, path, nil).Body.String(), `"paused"`)
			},
		}))
	})
}
