package helix

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/idle"
	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/store"
)

// runs are servers that show little of the runtime, or nothing.
func runs() []Server {
	return []Server{{
		Name:    "refuses-every-run",
		Summary: "There is no runtime, only a stream service: every run is answered with 501.",
		Never:   runtimeSubjects(),
		Wrap:    idle.Refuses(http.StatusNotImplemented, isRun),
	}, {
		Name:    "always-busy",
		Summary: "Every run is answered with 409, as if another one were running.",
		Never:   runtimeSubjects(),
		Wrap:    idle.Refuses(http.StatusConflict, isRun),
	}, {
		Name:    "runs-say-nothing",
		Summary: "A run ignores its script: its agent does nothing and is done.",
		Never:   slices.Concat(contentSubjects(), failureSubjects(), steeringSubjects()),
		Apply:   seams.OnRuntime(func(p *runtime.Ports) { p.Model = func(runtime.Model) runtime.Model { return mute{} } }),
	}, {
		Name:    "only-text",
		Summary: "A run speaks, and does nothing else.",
		Never: slices.Concat(thinkingSubjects(), toolSubjects(), []string{
			"helix.subagents.*", "helix.custom.*", "helix.state.*", "helix.output.*", "helix.text.per-agent",
		}, failureSubjects()),
		Wrap: knows("text"),
	}, {
		Name:    "passes-over-all-but-text",
		Summary: "A run says the texts of its script, and passes over everything else in it.",
		Never: slices.Concat(thinkingSubjects(), toolSubjects(), []string{
			"helix.subagents.*", "helix.custom.*", "helix.state.*", "helix.output.*", "helix.text.per-agent",
		}, failureSubjects()),
		Wrap: onScripts(func(script [][]alter.Object) [][]alter.Object {
			for i, step := range script {
				script[i] = slices.DeleteFunc(step, func(act alter.Object) bool { return act["text"] == nil && act["await"] == nil })
			}
			return script
		}),
	}, {
		Name:    "never-a-tool",
		Summary: "A run has no tools and no other agents.",
		Never:   slices.Concat(toolSubjects(), []string{"helix.subagents.*", "helix.text.per-agent", "helix.state.per-agent"}),
		Wrap:    knows("text", "thinking", "custom", "set", "append", "delete", "error", "stop", "await", "output"),
	}}
}

// streams returns servers whose streams never reach certain states.
func streams() []Server {
	return []Server{{
		Name:    "one-chunk-a-stream",
		Summary: "A stream holds one chunk, since the server answers one question at a time.",
		Never: slices.Concat(runtimeSubjects(), []string{
			"helix.ordering.ascending", "helix.ordering.write-order", "helix.ordering.total-order",
			"helix.ordering.distinct-sequences", "helix.chunks.all-or-nothing", "helix.chunks.no-merge", "helix.lifecycle.many-writers",
			"helix.resume.gapless", "helix.resume.cycles", "helix.resume.at-latest",
			"helix.truncation.keeps", "helix.truncation.no-reuse", "helix.truncation.goes-on", "helix.truncation.reset-sequence",
		}),
		// It stores streams in memory, since the counter is also lost at a restart.
		Apply: func(o helix.Options) helix.Options {
			o.Store = new(store.Memory)
			return o
		},
		Wrap: oneChunk,
	}, {
		Name:    "never-pauses",
		Summary: "The status of a stream can't be set.",
		Never: slices.Concat(runtimeSubjects(), []string{
			"helix.status.frames", "helix.status.no-terminal", "helix.status.attach-paused", "helix.status.not-stored",
			"helix.status.no-id", "helix.status.no-repeat", "helix.status.written-while-paused", "helix.status.final",
			"helix.wire.status-frame", "helix.resume.paused",
		}),
		Wrap: idle.Refuses(http.StatusNotImplemented, either(isRun, endsIn("/status"))),
	}, {
		Name:    "never-removes",
		Summary: "Chunks stay for ever: there is neither a cleanup nor a reset.",
		Never: slices.Concat(runtimeSubjects(), []string{
			"helix.truncation.*", "helix.wire.truncated-frame", "helix.resume.removed-cursor",
		}),
		Wrap: idle.Refuses(http.StatusNotImplemented, either(isRun, endsIn("/cleanup", "/reset"))),
	}, {
		Name:    "never-ends",
		Summary: "Streams stay open for ever: they can neither be ended nor fail.",
		Never: slices.Concat(runtimeSubjects(), []string{
			"helix.lifecycle.end", "helix.lifecycle.fail", "helix.lifecycle.final-output", "helix.lifecycle.terminal-last-chunks",
			"helix.lifecycle.one-terminal", "helix.lifecycle.body-closes", "helix.lifecycle.no-chunk-after-end",
			"helix.lifecycle.write-after-end", "helix.lifecycle.first-terminal-wins", "helix.lifecycle.empty-stream",
			"helix.lifecycle.finished-replay", "helix.wire.end-frame", "helix.wire.fail-frame", "helix.wire.terminal-id",
			"helix.wire.terminal-id-next", "helix.resume.finished-tail", "helix.resume.no-content", "helix.errors.fail-code",
			"helix.status.final", "helix.security.forged-error",
		}),
		Wrap: idle.Refuses(http.StatusNotImplemented, either(isRun, endsIn("/end", "/fail"))),
	}, {
		Name:    "no-optional-members",
		Summary: "Frames have the members that they must have, and no others; no error has a code.",
		Never: slices.Concat(runtimeSubjects(), []string{
			"helix.truncation.at-sequence", "helix.truncation.covers-delivered", "helix.errors.known-code",
			"helix.errors.code-prefix", "helix.errors.code-status", "helix.errors.fail-code", "helix.lifecycle.final-output",
		}),
		Apply: seams.OnBytes(func(helix.Options, helix.Reader) func([]byte, store.Event) []byte {
			return func(whole []byte, _ store.Event) []byte { return alter.OnData(whole, bare) }
		}),
		Wrap: func(next http.Handler) http.Handler {
			return idle.Refuses(http.StatusNotImplemented, isRun)(codeless(next))
		},
	}}
}

func isRun(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/control/runs") }

// endsIn matches control calls whose path has a suffix.
func endsIn(ends ...string) func(*http.Request) bool {
	return func(r *http.Request) bool {
		return alter.IsControl(r) && slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(r.URL.Path, end) })
	}
}

func either(of ...func(*http.Request) bool) func(*http.Request) bool {
	return func(r *http.Request) bool {
		return slices.ContainsFunc(of, func(is func(*http.Request) bool) bool { return is(r) })
	}
}

// mute is a model that does nothing.
type mute struct{}

func (mute) Step(context.Context, int, runtime.Waiter) (runtime.Turn, error) { return nil, io.EOF }

// notImplemented answers that the server doesn't support a call.
func notImplemented(w http.ResponseWriter, r *http.Request) {
	idle.Refuses(http.StatusNotImplemented, alter.Any)(nil).ServeHTTP(w, r)
}

// reread reads the body of a request, and leaves it to be read again.
func reread(r *http.Request) []byte {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil // the next read returns the same error
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body
}

// onScripts changes the script of each run; a nil one makes the server refuse the run.
func onScripts(change func([][]alter.Object) [][]alter.Object) alter.Around {
	starts := func(r *http.Request) bool { return r.Method == http.MethodPost && r.URL.Path == "/control/runs" }
	return alter.OnRequests(starts, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		start := alter.Members(reread(r))
		var script [][]alter.Object
		if json.Unmarshal(start["script"], &script) != nil {
			next.ServeHTTP(w, r) // the server refuses an invalid one
			return
		}
		if script = change(script); script == nil {
			notImplemented(w, r)
			return
		}
		start["script"] = alter.Encode(script)
		body := alter.Encode(start)
		alter.SetBody(r, body)
		next.ServeHTTP(w, r)
	})
}

// knows rejects runs whose script has a step that isn't listed.
func knows(acts ...string) alter.Around {
	return onScripts(func(script [][]alter.Object) [][]alter.Object {
		for _, act := range slices.Concat(script...) {
			for name := range act {
				if !slices.Contains(acts, name) {
					return nil
				}
			}
		}
		return script
	})
}

// oneChunk refuses writes of a second chunk to a stream, and runs.
func oneChunk(next http.Handler) http.Handler {
	var mu sync.Mutex
	written := map[string]bool{} // paths of streams
	writes := alter.OnRequests(endsIn("/chunks"), func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		stream, _, _ := strings.Cut(r.URL.EscapedPath(), "/writers/")
		var several []json.RawMessage
		_ = json.Unmarshal(reread(r), &several) // a chunk alone is no array
		mu.Lock()
		full := written[stream] || len(several) > 1
		written[stream] = true
		mu.Unlock()
		if full {
			notImplemented(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
	return idle.Refuses(http.StatusNotImplemented, isRun)(writes(next))
}

// bare leaves a frame the members that it must have.
func bare(frame []byte) []byte {
	members := alter.Members(frame)
	if members == nil || bytes.Equal(members["type"], []byte(`"chunk"`)) {
		return frame
	}
	for _, name := range []string{"atSequence", "code", "finalOutput"} {
		delete(members, name)
	}
	return alter.Encode(members)
}

// codeless leaves out the codes of HTTP errors.
func codeless(next http.Handler) http.Handler {
	return alter.OnResponses(alter.Any, func(w *alter.Response, _ *http.Request) {
		w.Head = func(status int) int {
			if status < http.StatusBadRequest {
				return status
			}
			w.Header().Del("Content-Length")
			w.Body = func(written []byte) []byte {
				members := alter.Members(written)
				delete(members, "code")
				return alter.Encode(members)
			}
			return status
		}
	})(next)
}
