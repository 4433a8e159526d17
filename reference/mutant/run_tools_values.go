package mutant

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/streamcert/streamcert/reference/runtime"
)

// onArguments changes what is made of a model's arguments that aren't an object.
func onArguments(change func(raw json.RawMessage) json.RawMessage) apply {
	return onRuntime(func(p *runtime.Ports) {
		inner := p.Arguments
		p.Arguments = func(raw json.RawMessage) json.RawMessage {
			if len(raw) == 0 || raw[0] == '{' {
				return inner(raw)
			}
			if made := change(raw); made != nil {
				return made
			}
			return inner(raw)
		}
	})
}

// toolArguments report other arguments than the model gave.
func toolArguments() []Mutant {
	return []Mutant{{
		Name: "arguments-as-text", Requirement: "helix.tools.arguments-object",
		Summary: "The arguments are the text of a JSON object.",
		Also:    []string{"helix.tools.arguments-parsed", "helix.tools.arguments-coerced", "helix.approval.request-members"},
		Apply: onRuntime(func(p *runtime.Ports) {
			inner := p.Arguments
			p.Arguments = func(raw json.RawMessage) json.RawMessage { return encode(string(inner(raw))) }
		}),
	}, {
		Name: "list-kept-as-arguments", Requirement: "helix.tools.arguments-object",
		Summary: "A list or a null that a model gives as arguments is handed on.",
		Also:    []string{"helix.tools.arguments-coerced"},
		Apply: onArguments(func(raw json.RawMessage) json.RawMessage {
			if raw[0] == '[' || raw[0] == 'n' {
				return raw
			}
			return nil
		}),
	}, {
		Name: "text-arguments-dropped", Requirement: "helix.tools.arguments-parsed",
		Summary: "Arguments that come as text are replaced by an empty object.",
		Apply:   onArguments(func(json.RawMessage) json.RawMessage { return json.RawMessage("{}") }),
	}, {
		Name: "third-call-without-arguments", Requirement: "helix.tools.arguments-parsed", Stateful: true,
		Summary: "From the third call of a run on, its arguments are left empty.",
		Apply: onProducedNth("tool_start", 3, func(c runtime.Chunk) {
			c["arguments"] = json.RawMessage("{}")
		}),
	}, {
		Name: "text-in-text-parsed", Requirement: "helix.tools.arguments-parsed",
		Summary: "Text inside of the arguments that looks like JSON is parsed, too.",
		Apply: onArguments(func(raw json.RawMessage) json.RawMessage {
			return bytes.ReplaceAll(bytes.ReplaceAll(runtime.Coerce(raw), []byte(`"{\"`), []byte(`{"`)), []byte(`\":1}"`),
				[]byte(`":1}`))
		}),
	}}
}

// toolCoercions make something else of arguments that are none.
func toolCoercions() []Mutant {
	return []Mutant{{
		Name: "prose-wrapped-as-input", Requirement: "helix.tools.arguments-coerced",
		Summary: "Arguments that are no object become the member input of one.",
		Apply: onArguments(func(raw json.RawMessage) json.RawMessage {
			if string(runtime.Coerce(raw)) == "{}" {
				return encode(map[string]json.RawMessage{"input": raw})
			}
			return nil
		}),
	}, {
		Name: "list-spread-into-object", Requirement: "helix.tools.arguments-coerced",
		Summary: "A list becomes an object with a member for each index.",
		Apply: onArguments(func(raw json.RawMessage) json.RawMessage {
			if raw[0] == '[' {
				return bytes.ReplaceAll(bytes.ReplaceAll(raw, []byte("["), []byte(`{"0":`)), []byte("]"), []byte("}"))
			}
			return nil
		}),
	}, {
		Name: "broken-json-repaired", Requirement: "helix.tools.arguments-coerced",
		Summary: "JSON that breaks off is completed by guessing.",
		Apply: onArguments(func(raw json.RawMessage) json.RawMessage {
			var text string
			repaired := func() json.RawMessage { return json.RawMessage(text + `"}`) }
			if decodes(raw, &text) && strings.HasPrefix(text, "{") && json.Valid(repaired()) {
				return repaired()
			}
			return nil
		}),
	}, {
		Name: "bad-arguments-keep-last-ones", Requirement: "helix.tools.arguments-coerced", Stateful: true,
		Summary: "Without an object a call is reported with a note that counts them, once there was one before.",
		Apply: onProducedNth("tool_start", 2, func(c runtime.Chunk) {
			if string(rawMember(c, "arguments")) == "{}" {
				c["arguments"] = json.RawMessage(`{"_raw":null}`)
			}
		}),
	}}
}

// toolOutcomes contradict themselves about whether a call worked.
func toolOutcomes() []Mutant {
	return []Mutant{{
		Name: "success-as-text", Requirement: "helix.tools.success",
		Summary: "Whether a call worked is said in words.",
		Also:    []string{"helix.chunks.members", "helix.snapshot.partial-parts", "helix.runs.superseded-silent"},
		Apply: onProducedKind("tool_end", func(c runtime.Chunk) {
			c["success"] = map[bool]string{true: "true", false: "false"}[c["success"] == true]
		}),
	}, {
		Name: "success-left-out-on-failure", Requirement: "helix.tools.success",
		Summary: "A failed call has no success.",
		Also:    []string{"helix.chunks.members"},
		Apply: onProducedKind("tool_end", func(c runtime.Chunk) {
			if failedCall(c) {
				delete(c, "success")
			}
		}),
	}, {
		Name: "failure-says-success", Requirement: "helix.tools.outcome",
		Summary: "A call that came back with an error worked, because it came back.",
		Also:    []string{"helix.snapshot.partial-parts"},
		Apply: onProducedKind("tool_end", func(c runtime.Chunk) {
			if failedCall(c) {
				c["success"], c["result"] = true, nil
			}
		}),
	}, {
		Name: "wordless-failure-stays-wordless", Requirement: "helix.tools.outcome",
		Summary: "A tool that fails without a word leaves an empty error.",
		Apply: onProducedKind("tool_end", func(c runtime.Chunk) {
			if wordOf(c, "error") == "the tool failed without a word" {
				c["error"] = ""
			}
		}),
	}, {
		Name: "error-sticks-to-next-call", Requirement: "helix.tools.outcome", Stateful: true,
		Summary: "The error of a call is there in the next one, too, which worked.",
		Apply: onCalls(func() func(start, end runtime.Chunk) []runtime.Chunk {
			last := ""
			return func(_, end runtime.Chunk) []runtime.Chunk {
				if failedCall(end) {
					last = wordOf(end, "error")
				} else if last != "" {
					end["error"] = last
				}
				return only(end)
			}
		}),
	}, {
		Name: "own-error-copied", Requirement: "helix.tools.outcome",
		Summary: "The member error of a result is copied beside it.",
		Apply: onProducedKind("tool_end", func(c runtime.Chunk) {
			if said := textOf(objectOf(rawMember(c, "result")), "error"); said != "" {
				c["error"] = said
			}
		}),
	}}
}

// toolResults end calls with another result.
func toolResults() []Mutant {
	return []Mutant{{
		Name: "result-as-text", Requirement: "helix.tools.result",
		Summary: "A result that is no text becomes the text of its JSON.",
		Also:    []string{"helix.tools.client", "helix.approval.granted", "helix.subagents.result"},
		Apply: onProducedKind("tool_end", func(c runtime.Chunk) {
			if raw := rawMember(c, "result"); c["success"] == true && !bytes.HasPrefix(raw, []byte(`"`)) &&
				string(raw) != "null" {
				c["result"] = string(raw)
			}
		}),
	}, {
		Name: "empty-results-are-null", Requirement: "helix.tools.result",
		Summary: "A result that is false, 0 or an empty text is taken for nothing.",
		Apply: onProducedKind("tool_end", func(c runtime.Chunk) {
			switch string(rawMember(c, "result")) {
			case "0", "false", `""`:
				c["result"] = nil
			}
		}),
	}, {
		Name: "end-repeats-arguments", Requirement: "helix.tools.result",
		Summary: "A call that worked ends with its arguments.",
		Also:    []string{"helix.tools.client", "helix.approval.granted", "helix.tools.failure-goes-on"},
		Apply: onCalls(func() func(start, end runtime.Chunk) []runtime.Chunk {
			return func(start, end runtime.Chunk) []runtime.Chunk {
				if end["success"] == true {
					end["result"] = start["arguments"]
				}
				return only(end)
			}
		}),
	}, {
		Name: "result-cached-by-arguments", Requirement: "helix.tools.result", Stateful: true,
		Summary: "A call with the name and the arguments of an earlier one ends with its result.",
		Apply: onCalls(func() func(start, end runtime.Chunk) []runtime.Chunk {
			cache := map[string]any{}
			return func(start, end runtime.Chunk) []runtime.Chunk {
				if end["success"] != true {
					return only(end)
				}
				key := wordOf(start, "toolName") + string(rawMember(start, "arguments"))
				if result, known := cache[key]; known {
					end["result"] = result
				}
				cache[key] = end["result"]
				return only(end)
			}
		}),
	}, {
		Name: "error-of-tool-generalised", Requirement: "helix.tools.result",
		Summary: "Whatever a tool fails with, its call ends with the same words.",
		Also:    []string{"helix.tools.client", "helix.approval.denied", "helix.approval.granted"},
		Apply: onProducedKind("tool_end", func(c runtime.Chunk) {
			if failedCall(c) {
				c["error"] = "the tool failed"
			}
		}),
	}}
}

// toolFailures take a failed tool for a failed run.
func toolFailures() []Mutant {
	return []Mutant{{
		Name: "failure-beside-open-call-fails-run", Requirement: "helix.tools.failure-goes-on", Stateful: true,
		Summary: "A tool that fails while another one works takes the run with it.",
		Also:    []string{"helix.tools.reported"},
		Apply: breaksAfter(func() func(runtime.Chunk) bool {
			open := 0
			return func(c runtime.Chunk) bool {
				switch c.Type() {
				case "tool_start":
					open++
				case "tool_end":
					open--
				}
				return failedCall(c) && open > 0
			}
		}),
	}, {
		Name: "second-failure-in-row-fails-run", Requirement: "helix.tools.failure-goes-on", Stateful: true,
		Summary: "After two tools in a row have failed the run gives up.",
		Apply: breaksAfter(func() func(runtime.Chunk) bool {
			row := 0
			return func(c runtime.Chunk) bool {
				switch {
				case failedCall(c):
					row++
				case c.Type() == "tool_end":
					row = 0
				}
				return row > 1
			}
		}),
	}}
}

// clientTools don't wait for the client.
func clientTools() []Mutant {
	return []Mutant{{
		Name: "client-tool-ends-at-once", Requirement: "helix.tools.client",
		Summary: "A tool that the client runs returns null as soon as it is called.",
		Also:    []string{"helix.runs.pause-status", "helix.runs.no-terminal", "helix.runs.same-session"},
		Apply: onTools(func(inner runtime.Tools, t *toolShim) {
			t.gate = func(ctx context.Context, c runtime.Call) (runtime.Way, error) {
				way, err := inner.Gate(ctx, c)
				way.Client = false
				return way, err
			}
		}),
	}, {
		Name: "second-client-tool-ends-at-once", Requirement: "helix.tools.client", Stateful: true,
		Summary: "Once the client has answered, the next call of one of its tools ends as soon as the run pauses.",
		Also:    []string{"helix.tools.end-once"},
		Apply: onProduced(func() producing {
			pauses := 0
			return func(_ runtime.Writer, c runtime.Chunk) []runtime.Chunk {
				if c.Type() != "run_paused" || c["reason"] != "client_tool" {
					return only(c)
				}
				if pauses++; pauses < 2 {
					return only(c)
				}
				return only(like(c, "tool_end", runtime.Chunk{
					"toolCallId": c["pendingToolCallId"], "toolName": c["pendingToolName"], "success": true, "result": nil}), c)
			}
		}),
	}, {
		Name: "client-tool-ends-stream", Requirement: "helix.tools.client",
		Summary: "The stream is ended when the run waits for the client, to be begun again later.",
		Also:    []string{"helix.runs.no-terminal", "helix.runs.pause-status", "helix.tools.ended"},
		Apply: onRunJournal(func(inner runtime.Journal, j *journalShim) {
			var waits ledger[bool]
			j.append = func(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
				for _, c := range chunks {
					waits.set(w.Stream, c["reason"] == "client_tool")
				}
				return inner.Append(ctx, w, chunks)
			}
			j.setStatus = func(ctx context.Context, w runtime.Writer, status runtime.Status) error {
				if status == runtime.StreamPaused && waits.get(w.Stream) {
					return inner.End(ctx, w, nil)
				}
				return inner.SetStatus(ctx, w, status)
			}
		}),
	}}
}
