package run

import (
	"bytes"
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

// runsTable lists the mutants of runs table.
func runsTable() []edit.Mutant {
	accepts := func(which func(path, answer string) bool) alter.Around {
		return alter.BeforeAnswer(edit.IsRunCall, func(_ http.Handler, r *http.Request, _ []byte, answer *httptest.ResponseRecorder) {
			if answer.Code == http.StatusConflict && which(r.URL.Path, answer.Body.String()) {
				alter.Instead(answer, http.StatusAccepted, `{"runId":"run-of-nobody"}`)
			}
		})
	}

	return []edit.Mutant{
		// These leave the stream as it was.
		{Name: "interrupted-stream-stays-active", Requirement: "helix.runs.transitions",
			Summary: "The stream of an interrupted run stays active.",
			Apply:   on.SkipStatus(runtime.StreamPaused, "run_interrupted")},
		{Name: "stream-stays-paused-after-a-return", Requirement: "helix.runs.transitions", Stateful: true,
			Summary: "A run that went back to a checkpoint goes on in a paused stream.",
			Apply:   on.SkipStatus(runtime.StreamActive, "stream_resync")},
		{Name: "late-retry-empties-the-stream", Requirement: "helix.runs.transitions",
			Summary: "The stream of a run that is over is emptied for a retry, which is then refused.",
			Wrap:    beforeRefusal("retry", "/reset", `{}`)},
		{Name: "late-executor-wakes-the-stream", Requirement: "helix.runs.transitions", Stateful: true,
			Summary: "The stream of an interrupted run is made active for another executor, which is then refused.",
			Wrap:    beforeRefusal("supersede", "/status", `{"status":"active"}`)},

		// Mutants that accept calls which they should refuse.
		{Name: "resume-of-running-accepted", Requirement: "helix.runs.refused",
			Summary: "A call that resumes a run that runs is accepted and forgotten.",
			Wrap: accepts(func(path, answer string) bool {
				return strings.HasSuffix(path, "/resume") && strings.Contains(answer, "state_already_running")
			})},
		{Name: "second-run-put-in-a-queue", Requirement: "helix.runs.refused",
			Summary: "A second run on a stream is accepted, and never begins.",
			Wrap:    accepts(func(path, _ string) bool { return path == "/control/runs" })},
		{Name: "finished-run-resumed", Requirement: "helix.runs.refused", Stateful: true,
			Summary: "A call that resumes a run that is over is accepted and forgotten.",
			Wrap: accepts(func(path, answer string) bool {
				return strings.HasSuffix(path, "/resume") && strings.Contains(answer, "state_not_resumable")
			})},

		// Mutants whose status of a run lacks the calls that it waits for.
		{Name: "one-pending-call-named", Requirement: "helix.runs.pending", Stateful: true,
			Summary: "A run that waits for two calls names one of them.",
			Apply:   on.Written(on.Type("run_paused").Between(on.Type("run_paused"), on.Type("run_resumed"))).Drop()},

		// These go on before a decision has come.
		{Name: "speaks-before-decision", Requirement: "helix.approval.suspended",
			Summary: "The model is asked to go on while a decision is pending.",
			Apply:   on.Written(on.Type("tool_approval_request")).FollowWith("text_delta", runtime.Chunk{"delta": "Meanwhile, "})},
		{Name: "recovery-consents", Requirement: "helix.approval.suspended", Stateful: true,
			Summary: "Whoever recovers a crashed run consents to what it waits for, since it was asked once.",
			Wrap: alter.BeforeAnswer(edit.IsRunCall, func(next http.Handler, r *http.Request, sent []byte, answer *httptest.ResponseRecorder) {
				path, resumes := strings.CutSuffix(r.URL.EscapedPath(), "/resume")
				if !resumes || answer.Code/100 != 2 || !bytes.Contains(sent, []byte("crash_recovery")) {
					return
				}
				state := alter.Members(alter.CallAs(next, r, http.MethodGet, path+"?settled", nil).Body.Bytes())
				if call := state.Text("toolCallId"); call != "" {
					alter.CallAs(next, r, http.MethodPost, path+"/tool-result", alter.Encode(map[string]any{"toolCallId": call, "approved": true}))
				}
			})},
	}
}

// beforeRefusal changes the stream of a run by a control call when a call that steers the run, and names no checkpoint, is
// refused.
func beforeRefusal(how, change, body string) alter.Around {
	return func(next http.Handler) http.Handler {
		var mu sync.Mutex
		streams := map[string]string{} // by the id of a run
		return alter.BeforeAnswer(edit.IsRunCall, func(next http.Handler, r *http.Request, sent []byte, answer *httptest.ResponseRecorder) {
			mu.Lock()
			defer mu.Unlock()
			run, call, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/control/runs/"), "/")
			switch {
			case r.URL.Path == "/control/runs":
				streams[alter.Members(answer.Body.Bytes()).Text("runId")] = alter.Members(sent).Text("stream")
			case call == how && answer.Code == http.StatusConflict && alter.Members(sent)["checkpointId"] == nil:
				alter.CallAs(next, r, http.MethodPost, "/control/streams/"+url.PathEscape(streams[run])+change, []byte(body))
			}
		})(next)
	}
}
