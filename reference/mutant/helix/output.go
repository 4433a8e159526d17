package helix

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

func runOutput() []Mutant {
	return slices.Concat(outputValues(), outputFinals(), outputSchemas(), outputFailures(), outputPlaces())
}

// onFinalOutput changes what a run ends its stream with. The value is nil if there is none.
func onFinalOutput(change func(output json.RawMessage) json.RawMessage) apply {
	return on.OnJournal(func(inner runtime.Journal, j *on.Journal) {
		j.OnEnd = func(ctx context.Context, w runtime.Writer, output json.RawMessage) error {
			return inner.End(ctx, w, change(output))
		}
	})
}

// outputValues send another value than was returned.
func outputValues() []Mutant {
	onOutput := func(change func(json.RawMessage) json.RawMessage) apply {
		return alter.All(on.Written(on.Type("output")).With(func(c runtime.Chunk) { c["output"] = change(rawMember(c, "output")) }),
			onFinalOutput(func(output json.RawMessage) json.RawMessage {
				if output == nil {
					return nil
				}
				return change(output)
			}))
	}
	return []Mutant{
		{Name: "output-wrapped", Requirement: "helix.output.unchanged",
			Summary: "An output that is no object becomes the member value of one.",
			Also:    []string{"helix.subagents.child-terminal", "helix.subagents.result"},
			Apply: onOutput(func(output json.RawMessage) json.RawMessage {
				if bytes.HasPrefix(output, []byte("{")) {
					return output
				}
				return alter.Encode(map[string]json.RawMessage{"value": output})
			})},
		{Name: "output-as-text", Requirement: "helix.output.unchanged",
			Summary: "The output is the text of its JSON.",
			Also:    []string{"helix.subagents.child-terminal", "helix.subagents.result"},
			Apply:   onOutput(func(output json.RawMessage) json.RawMessage { return alter.Encode(string(output)) })},
		{Name: "output-without-nulls", Requirement: "helix.output.unchanged",
			Summary: "Nulls in an output are left out.",
			Apply: onOutput(func(output json.RawMessage) json.RawMessage {
				return bytes.ReplaceAll(output, []byte(",null"), nil)
			})},
		{Name: "empty-output-dropped", Requirement: "helix.output.unchanged",
			Summary: "An output that is false, 0, null or an empty text is taken for none.",
			Apply: on.Written(on.Type("output"), on.If(func(c runtime.Chunk) bool {
				return slices.Contains([]string{"false", "0", "null", `""`}, string(rawMember(c, "output")))
			})).
				Drop()},
		{Name: "output-of-later-step-dropped", Requirement: "helix.output.unchanged", Stateful: true,
			Summary: "Only an agent that is done in one step sends its output.",
			Also:    []string{"helix.output.final-output", "helix.subagents.child-terminal"},
			Apply:   on.Written(on.Type("output"), on.AfterStep(1)).Drop()},
	}
}

// outputFinals repeat another output at the end.
func outputFinals() []Mutant {
	return []Mutant{
		{Name: "final-output-of-run-as-text", Requirement: "helix.output.final-output",
			Summary: "The end frame repeats an output that is no text as the text of its JSON.",
			Apply: onFinalOutput(func(output json.RawMessage) json.RawMessage {
				if output == nil || output[0] == '"' {
					return output
				}
				return alter.Encode(string(output))
			})},
		{Name: "final-output-with-status", Requirement: "helix.output.final-output",
			Summary: "The end frame carries the output inside of a result of the run.",
			Apply: onFinalOutput(func(output json.RawMessage) json.RawMessage {
				if output == nil {
					return nil
				}
				return alter.Encode(map[string]any{"status": "completed", "output": output})
			})},
	}
}

// onOutputSchema changes the schema that a run is started with; nil leaves it out.
func onOutputSchema(change func(schema json.RawMessage) json.RawMessage) around {
	return onRunCalls(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, 32<<20))
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		if members := alter.Members(body); members["outputSchema"] != nil {
			schema := change(members["outputSchema"])
			delete(members, "outputSchema")
			if schema != nil {
				members["outputSchema"] = schema
			}
			body = alter.Encode(members)
		}
		r = r.Clone(r.Context())
		alter.SetBody(r, body)
		next.ServeHTTP(w, r)
	})
}

// outputSchemas let broken outputs through.
func outputSchemas() []Mutant {
	return []Mutant{
		{Name: "schema-not-read", Requirement: "helix.output.schema",
			Summary: "The schema of an output is shown to the model and not checked.",
			Wrap:    onOutputSchema(func(json.RawMessage) json.RawMessage { return nil })},
		{Name: "schema-without-enum", Requirement: "helix.output.schema",
			Summary: "Of a schema only types are checked.",
			Wrap: onOutputSchema(func(schema json.RawMessage) json.RawMessage {
				members := alter.Members(schema)
				delete(members, "enum")
				delete(members, "required")
				return alter.Encode(members)
			})},
		{Name: "text-of-an-object-passes", Requirement: "helix.output.schema",
			Summary: "An output is parsed before it is checked, and put out as the text that it was.",
			Wrap: onOutputSchema(func(schema json.RawMessage) json.RawMessage {
				return alter.Encode(map[string]any{"anyOf": []any{schema, map[string]any{"type": "string", "pattern": `^\{`}}})
			})},
	}
}

// outputFailures mix output and failure up.
func outputFailures() []Mutant {
	return []Mutant{
		{Name: "draft-put-out-on-failure", Requirement: "helix.output.on-success",
			Summary: "A run that fails puts out null before the error.",
			Also:    []string{"helix.output.ends", "helix.output.schema", "helix.output.bookkeeping"},
			Apply:   draftOnFailure(1)},
		{Name: "draft-put-out-in-later-step", Requirement: "helix.output.on-success", Stateful: true,
			Summary: "A run that fails after its first step puts out null before the error.",
			Also:    []string{"helix.output.ends", "helix.output.schema", "helix.output.bookkeeping"},
			Apply:   draftOnFailure(2)},
		{Name: "fails-after-survived-error", Requirement: "helix.output.ends", Stateful: true,
			Summary: "A run that survived an error is done, and fails its stream because of it.",
			Also:    []string{"helix.runs.outcome", "helix.subagents.child-terminal"},
			Apply:   failsAfter("the run has failed", "", ofType("error"))},
		{Name: "fails-after-failed-tool", Requirement: "helix.output.ends", Stateful: true,
			Summary: "A run is done, and fails its stream because a tool has failed.",
			Also:    []string{"helix.runs.outcome", "helix.subagents.child-terminal"},
			Apply:   failsAfter("the run has failed", "", failedCall)},
	}
}

// draftOnFailure puts null out where a run fails in a step or a later one.
func draftOnFailure(from int) apply {
	return on.OnWritten(func(p *on.Producer) func(runtime.Chunk) []runtime.Chunk {
		return func(c runtime.Chunk) []runtime.Chunk {
			step, _ := c.Step()
			if c.Type() == "error" && c["recoverable"] == false && c.AgentID() == p.Session && step >= from {
				return only(on.Like(c, "output", runtime.Chunk{"output": nil}), c)
			}
			return only(c)
		}
	})
}

// failsAfter fails streams of runs that are done, if they hold a chunk for which a function holds.
func failsAfter(message, code string, hit func(runtime.Chunk) bool) apply {
	return on.OnJournal(func(inner runtime.Journal, j *on.Journal) {
		var failed alter.Ledger[bool]
		j.Note(func(w runtime.Writer, c runtime.Chunk) {
			if hit(c) {
				failed.Set(w.Stream, true)
			}
		})
		j.OnEnd = func(ctx context.Context, w runtime.Writer, output json.RawMessage) error {
			if failed.Get(w.Stream) {
				return inner.Fail(ctx, w, message, code)
			}
			return inner.End(ctx, w, output)
		}
	})
}

// afterOutput writes something after the root agent's output.
func afterOutput(hit func(c runtime.Chunk, output runtime.Chunk) bool,
	more func(output runtime.Chunk) runtime.Chunk) apply {
	return on.OnWritten(func(p *on.Producer) func(runtime.Chunk) []runtime.Chunk {
		var output runtime.Chunk
		return func(c runtime.Chunk) []runtime.Chunk {
			if c.Type() == "output" && c.AgentID() == p.Session {
				output = c.Clone()
			}
			if output != nil && hit(c, output) {
				made := more(output)
				output = nil
				return only(c, made)
			}
			return only(c)
		}
	})
}

// outputPlaces send more after an output, or it again.
func outputPlaces() []Mutant {
	is := func(kind string) func(c, _ runtime.Chunk) bool {
		return func(c, _ runtime.Chunk) bool { return c.Type() == kind }
	}
	again := func(output runtime.Chunk) runtime.Chunk { return output.Clone() }
	text := func(output runtime.Chunk) runtime.Chunk {
		return on.Like(output, "text_delta", runtime.Chunk{"delta": strings.Repeat(".", 3)})
	}
	warning := func(output runtime.Chunk) runtime.Chunk {
		return on.Like(output, "error", runtime.Chunk{"error": "the cache is cold", "recoverable": true})
	}
	return []Mutant{
		{Name: "output-sent-again-at-end", Requirement: "helix.output.once",
			Summary: "The output is sent when it is there, and again when the step is committed.",
			Apply:   afterOutput(is("step_committed"), again)},
		{Name: "output-sent-again-after-patch", Requirement: "helix.output.once", Stateful: true,
			Summary: "If the last step has written to the state, the output is sent again after the patch.",
			Apply:   afterOutput(is("state_patch"), again)},
		{Name: "talks-after-output", Requirement: "helix.output.last",
			Summary: "The rest of the model's text comes after the output.",
			Apply:   afterOutput(is("output"), text)},
		{Name: "talks-after-patch", Requirement: "helix.output.last", Stateful: true,
			Summary: "If the last step has written to the state, the model says so after the output.",
			Apply:   afterOutput(is("state_patch"), text)},
		{Name: "warns-after-output", Requirement: "helix.output.bookkeeping",
			Summary: "After the output the run complains of a cache.",
			Apply:   afterOutput(is("output"), warning)},
		{Name: "warns-after-patch", Requirement: "helix.output.bookkeeping", Stateful: true,
			Summary: "If the last step has written to the state, the run complains of a cache after the output.",
			Apply:   afterOutput(is("state_patch"), warning)},
	}
}
