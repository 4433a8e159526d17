package run

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// runsStream lists the mutants of runs stream.
func runsStream() []edit.Mutant {
	// skips leaves out the changes to a status for which a function holds, which is given how often it was reached.
	skips := func(of runtime.Status, which func(n int) bool) on.Apply {
		return on.OnJournal(func(inner runtime.Journal, j *on.Journal) {
			var streams alter.PerKey[int]
			j.OnSetStatus = func(ctx context.Context, w runtime.Writer, status runtime.Status) error {
				skip := false
				if status == of {
					streams.With(w.Stream, func(n *int) {
						*n++
						skip = which(*n)
					})
				}
				if skip {
					return nil
				}
				return inner.SetStatus(ctx, w, status)
			}
		})
	}

	conflict := runtime.Chunk{
		"error": "another executor runs this session", "code": "state_concurrency_conflict", "recoverable": true}

	return []edit.Mutant{
		// These don't pause the stream, or not each time.
		{Name: "waits-in-silence", Requirement: "helix.runs.pause-status",
			Summary: "A run that waits leaves its stream active.",
			Also:    []string{"helix.runs.transitions"},
			Apply:   skips(runtime.StreamPaused, func(int) bool { return true })},
		{Name: "stays-paused", Requirement: "helix.runs.pause-status",
			Summary: "A stream that was paused by a run stays so.",
			Also:    []string{"helix.runs.transitions"},
			Apply:   skips(runtime.StreamActive, func(int) bool { return true })},
		{Name: "second-wait-in-silence", Requirement: "helix.runs.pause-status", Stateful: true,
			Summary: "A run that waits for the second time leaves its stream active.",
			Also:    []string{"helix.runs.transitions"},
			Apply:   skips(runtime.StreamPaused, func(n int) bool { return n > 1 })},

		// These finish a stream that should wait.
		{Name: "reaper-ends-interrupted", Requirement: "helix.runs.no-terminal",
			Summary: "A run that is found interrupted is tidied up, and its stream ended.",
			Also:    []string{"helix.runs.from-step", "helix.runs.known-checkpoint"},
			Wrap:    reaps("end", `{}`, func(string) bool { return true })},
		{Name: "reaper-fails-interrupted-tool", Requirement: "helix.runs.no-terminal", Stateful: true,
			Summary: "A run that is found interrupted while a tool worked is taken for dead, and its stream failed.",
			Wrap: reaps("fail", `{"error":"the tool is gone","code":"tool_execution_failed"}`, func(script string) bool {
				return strings.Contains(script, `"waits"`)
			})},

		// These finish the stream in another way than the run.
		{Name: "aborted-run-ends", Requirement: "helix.runs.outcome",
			Summary: "A run that was aborted ends its stream, since nothing is wrong.",
			Also:    []string{"helix.errors.fatal-fails"},
			Apply: on.Outcomes().Edit(func(o *on.Outcome) {
				if o.Code == "framework_cancelled" {
					*o = on.Outcome{}
				}
			})},
		{Name: "failed-run-ends-after-commit", Requirement: "helix.runs.outcome", Stateful: true,
			Summary: "A run that fails after its first step ends its stream, since there is something to show.",
			Also:    []string{"helix.errors.fatal-fails"},
			Apply:   on.Outcomes(on.Type("step_committed")).End()},
		{Name: "interrupted-run-fails-in-the-end", Requirement: "helix.runs.outcome", Stateful: true,
			Summary: "A run that was interrupted once fails its stream when it completes.",
			Apply:   on.Outcomes(on.Type("run_interrupted")).Fail("the run was interrupted", "framework_cancelled")},

		// These don't tell that another executor took over, or tell it as a failure.
		{Name: "second-take-over-untold", Requirement: "helix.runs.superseded", Stateful: true,
			Summary: "Only the first take-over of a session is reported.",
			Apply:   on.Written(on.Type("executor_superseded").From(2)).Drop()},
		{Name: "take-over-before-first-commit-untold", Requirement: "helix.runs.superseded", Stateful: true,
			Summary: "An executor that is replaced before a step was committed is taken for one that never was.",
			Apply:   on.Written(on.Type("executor_superseded").Before(on.Type("step_committed"))).Drop()},
		{Name: "second-take-over-is-an-error", Requirement: "helix.runs.superseded-graceful", Stateful: true,
			Summary: "A second take-over is reported as an error, since the lock is known to be lost.",
			Apply:   on.Written(on.Type("executor_superseded").From(2)).FollowWith("error", conflict)},

		// These are executors that write when they no longer may.
		{Name: "replaced-executor-empties-its-buffer", Requirement: "helix.runs.superseded-silent", Stateful: true,
			Summary: "What a replaced executor has in its buffer is written when its successor begins.",
			Apply:   on.Written(on.Type("text_delta").Next(on.Type("executor_superseded"))).Copied()},
	}
}

// reaps finishes the stream of an interrupted run. which is called with the request that started it.
func reaps(how, body string, which func(start string) bool) alter.Around {
	return func(next http.Handler) http.Handler {
		var mu sync.Mutex
		starts := map[string]string{} // the request, by the id of the run
		stopped := map[string]bool{}  // the last call stopped the run
		return alter.BeforeAnswer(edit.IsRunCall, func(next http.Handler, r *http.Request, sent []byte, answer *httptest.ResponseRecorder) {
			mu.Lock()
			defer mu.Unlock()
			run, call, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/control/runs/"), "/")
			switch {
			case r.URL.Path == "/control/runs":
				starts[alter.Members(answer.Body.Bytes()).Text("runId")] = string(sent)
			case r.Method == http.MethodPost:
				stopped[run] = call == "interrupt"
			case stopped[run] && which(starts[run]):
				stream := alter.Members([]byte(starts[run])).Text("stream")
				alter.CallAs(next, r, http.MethodPost, "/control/streams/"+url.PathEscape(stream)+"/"+how, []byte(body))
			}
		})(next)
	}
}

// ofType matches chunks of a type.
func ofType(kind string) func(runtime.Chunk) bool {
	return func(c runtime.Chunk) bool { return c.Type() == kind }
}
