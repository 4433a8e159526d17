package helix

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// runTransitions returns variants of the transitions that the specification leaves open or only recommends.
func runTransitions() []Variant {
	return []Variant{
		{Name: "returns-leave-the-stream-active", Freedom: "helix.runs.transitions",
			Summary: "The stream of a run that was rolled back or branched from stays active.",
			Apply:   on.SkipStatus(runtime.StreamPaused, "stream_resync")},
		{Name: "interruptions-leave-the-stream-active", Freedom: "helix.runs.transitions",
			Summary: "The stream of an interrupted run stays active.",
			Warns:   []string{"helix.runs.transitions"},
			Apply:   on.SkipStatus(runtime.StreamPaused, "run_interrupted")},
		{Name: "names-one-call-at-a-time", Freedom: "helix.runs.pending",
			Summary: "A run that waits for several calls names one, and the next when that one is answered.",
			Warns:   []string{"helix.runs.pending"},
			Apply:   on.Written(on.Type("run_paused").Between(on.Type("run_paused"), on.Type("run_paused").Not())).Drop()},
		{Name: "pauses-at-once", Freedom: "helix.runs.transitions",
			Summary: "The first call that waits pauses the run, and what works beside it says no more until somebody answers.",
			Warns:   []string{"helix.runs.pending"},
			Apply:   waiting(runtime.Waiting{AtOnce: true})},
		{Name: "waits-for-every-answer", Freedom: "helix.runs.transitions",
			Summary: "A run that waits for several calls goes on when the last is answered.",
			Apply:   waiting(runtime.Waiting{ForAll: true})},
		{Name: "interrupts-what-waits", Freedom: "helix.runs.transitions",
			Summary: "A run that waits can be interrupted like one that runs.",
			Apply:   waiting(runtime.Waiting{Interrupted: true})},
		{Name: "nothing-runs-while-it-waits", Freedom: "helix.approval.suspended",
			Summary: "A run that waits has left its executor, so that no crash reaches it and there is nothing to recover.",
			Wrap: alter.OnRequests(crashes, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
				run := strings.TrimSuffix(r.URL.EscapedPath(), "/crash")
				if strings.Contains(alter.CallAs(next, r, http.MethodGet, run, nil).Body.String(), `"paused"`) {
					w.WriteHeader(http.StatusNoContent)
					return
				}
				next.ServeHTTP(w, r)
			})},
		{Name: "retries-what-is-over", Freedom: "helix.runs.transitions",
			Summary: "A retry of a run that is over begins it anew, on a stream of its own.",
			Wrap:    beginsAnew},
	}
}

// beginsAnew starts a run of the same script where a retry that names no checkpoint is refused.
func beginsAnew(next http.Handler) http.Handler {
	var mu sync.Mutex
	starts := map[string][]byte{} // the request, by the id of the run
	isRun := func(r *http.Request) bool {
		return alter.IsControl(r) && r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/control/runs")
	}
	return alter.BeforeAnswer(isRun, func(next http.Handler, r *http.Request, sent []byte, answer *httptest.ResponseRecorder) {
		mu.Lock()
		defer mu.Unlock()
		if r.URL.Path == "/control/runs" {
			starts[alter.Members(answer.Body.Bytes()).Text("runId")] = sent
			return
		}
		run, retries := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, "/control/runs/"), "/retry")
		start := alter.Members(starts[run])
		if !retries || start == nil || answer.Code != http.StatusConflict || alter.Members(sent)["checkpointId"] != nil {
			return
		}
		start["stream"] = alter.Encode(start.Text("stream") + "-again")
		if anew := alter.CallAs(next, r, http.MethodPost, "/control/runs", alter.Encode(start)); anew.Code == http.StatusAccepted {
			alter.Instead(answer, anew.Code, anew.Body.String())
		}
	})(next)
}

// waiting changes how runs wait.
func waiting(w runtime.Waiting) apply {
	return on.OnRuntime(func(p *runtime.Ports) { p.Waiting = w })
}
