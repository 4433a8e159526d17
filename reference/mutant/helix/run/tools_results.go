package run

import (
	"bytes"
	"context"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// toolsResults lists the mutants of tools results.
func toolsResults() []edit.Mutant {
	return []edit.Mutant{
		// These contradict themselves about whether a call worked.
		{Name: "success-as-text", Requirement: "helix.tools.success",
			Summary: "The success of a call is a word.",
			Also:    []string{"helix.chunks.members", "helix.snapshot.partial-parts", "helix.runs.superseded-silent"},
			Apply: on.Written(on.Type("tool_end")).With(func(c runtime.Chunk) {
				c["success"] = map[bool]string{true: "true", false: "false"}[c["success"] == true]
			})},
		{Name: "success-left-out-on-failure", Requirement: "helix.tools.success",
			Summary: "A failed call has no success.",
			Also:    []string{"helix.chunks.members"},
			Apply:   on.Written(on.FailedCall()).Remove("success")},
		{Name: "wordless-failure-stays-wordless", Requirement: "helix.tools.outcome",
			Summary: "A tool that fails without a word leaves an empty error.",
			Apply:   on.Written(on.Type("tool_end"), on.Is("error", "the tool failed without a word")).Set("error", "")},
		{Name: "error-sticks-to-next-call", Requirement: "helix.tools.outcome", Stateful: true,
			Summary: "The error of a call is there in the next one, too, which worked.",
			Apply:   on.Written(on.WorkedCall()).Recall("error", on.FailedCall(), "error")},
		{Name: "own-error-copied", Requirement: "helix.tools.outcome",
			Summary: "The member error of a result is copied beside it.",
			Apply: on.Written(on.Type("tool_end")).With(func(c runtime.Chunk) {
				if emitted := alter.Members(edit.RawMember(c, "result")).Text("error"); emitted != "" {
					c["error"] = emitted
				}
			})},

		// These end calls with another result.
		{Name: "result-as-text", Requirement: "helix.tools.result",
			Summary: "A result that is no text becomes the text of its JSON.",
			Also:    []string{"helix.tools.client", "helix.approval.granted", "helix.subagents.result"},
			Apply: on.Written(on.Type("tool_end")).With(func(c runtime.Chunk) {
				if raw := edit.RawMember(c, "result"); c["success"] == true && !bytes.HasPrefix(raw, []byte(`"`)) &&
					string(raw) != "null" {
					c["result"] = string(raw)
				}
			})},
		{Name: "empty-results-are-null", Requirement: "helix.tools.result",
			Summary: "A result that is false, 0 or an empty text is taken for nothing.",
			Apply: on.Written(on.Type("tool_end")).With(func(c runtime.Chunk) {
				switch string(edit.RawMember(c, "result")) {
				case "0", "false", `""`:
					c["result"] = nil
				}
			})},
		{Name: "result-cached-by-arguments", Requirement: "helix.tools.result", Stateful: true,
			Summary: "A call with the name and the arguments of an earlier one ends with its result.",
			Apply: onCalls(func() func(start, end runtime.Chunk) []runtime.Chunk {
				cache := map[string]any{}
				return func(start, end runtime.Chunk) []runtime.Chunk {
					if end["success"] != true {
						return edit.Only(end)
					}
					key := on.Text(start, "toolName") + string(edit.RawMember(start, "arguments"))
					if result, known := cache[key]; known {
						end["result"] = result
					}
					cache[key] = end["result"]
					return edit.Only(end)
				}
			})},
		{Name: "error-of-tool-generalised", Requirement: "helix.tools.result",
			Summary: "Whatever a tool fails with, its call ends with the same words.",
			Also:    []string{"helix.tools.client", "helix.approval.denied", "helix.approval.granted"},
			Apply:   on.Written(on.FailedCall()).Set("error", "the tool failed")},

		// These take a failed tool for a failed run.
		{Name: "failure-beside-open-call-fails-run", Requirement: "helix.tools.failure-goes-on", Stateful: true,
			Summary: "A tool that fails while another one works takes the run with it.",
			Also:    []string{"helix.tools.reported"},
			Apply:   breaksAfter(on.FailedCall().Within(on.Type("tool_start"), on.Type("tool_end")))},
		{Name: "second-failure-in-row-fails-run", Requirement: "helix.tools.failure-goes-on", Stateful: true,
			Summary: "After two tools in a row have failed the run gives up.",
			Apply:   breaksAfter(on.FailedCall().Between(on.FailedCall(), on.WorkedCall()))},

		// These don't wait for the client.
		{Name: "client-tool-ends-at-once", Requirement: "helix.tools.client",
			Summary: "A tool that the client runs returns null as soon as it is called.",
			Also:    []string{"helix.runs.pause-status", "helix.runs.no-terminal", "helix.runs.same-session"},
			Apply: edit.OnTools(func(inner runtime.Tools, t *edit.Tools) {
				t.OnGate = func(ctx context.Context, c runtime.Call) (runtime.Way, error) {
					way, err := inner.Gate(ctx, c)
					way.Client = false
					return way, err
				}
			})},
		{Name: "second-client-tool-ends-at-once", Requirement: "helix.tools.client", Stateful: true,
			Summary: "Once the client has answered, the next call of one of its tools ends as soon as the run pauses.",
			Also:    []string{"helix.tools.end-once"},
			Apply: on.Written(on.Type("run_paused").And(on.Is("reason", "client_tool")).From(2)).To(func(_ *on.Producer, c runtime.Chunk) []runtime.Chunk {
				return edit.Only(on.Like(c, "tool_end", runtime.Chunk{
					"toolCallId": c["pendingToolCallId"], "toolName": c["pendingToolName"], "success": true, "result": nil}), c)
			})},
		{Name: "client-tool-ends-stream", Requirement: "helix.tools.client",
			Summary: "The stream is ended when the run waits for the client, to be begun again later.",
			Also:    []string{"helix.runs.no-terminal", "helix.runs.pause-status", "helix.tools.ended"},
			Apply: on.OnJournal(func(inner runtime.Journal, j *on.Journal) {
				var waits alter.PerKey[bool]
				j.Note(func(w runtime.Writer, c runtime.Chunk) {
					waits.Set(w.Stream, c["reason"] == "client_tool")
				})
				j.OnSetStatus = func(ctx context.Context, w runtime.Writer, status runtime.Status) error {
					if status == runtime.StreamPaused && waits.Get(w.Stream) {
						return inner.End(ctx, w, nil)
					}
					return inner.SetStatus(ctx, w, status)
				}
			})},
	}
}

// onCalls changes tool_end chunks by earlier chunks of their stream. The function is called once for each stream.
func onCalls(begin func() func(start, end runtime.Chunk) []runtime.Chunk) on.Apply {
	return on.OnWritten(func(*on.Producer) func(runtime.Chunk) []runtime.Chunk {
		change, open := begin(), map[string]runtime.Chunk{}
		return func(c runtime.Chunk) []runtime.Chunk {
			switch c.Type() {
			case "tool_start":
				open[on.Text(c, "toolCallId")] = c
			case "tool_end":
				return change(open[on.Text(c, "toolCallId")], c)
			}
			return edit.Only(c)
		}
	})
}
