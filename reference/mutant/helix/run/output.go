package run

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

func runOutput() []edit.Mutant {
	onOutput := func(change func(json.RawMessage) json.RawMessage) on.Apply {
		return alter.All(on.Written(on.Type("output")).With(func(c runtime.Chunk) { c["output"] = change(edit.RawMember(c, "output")) }),
			onFinalOutput(change))
	}
	draft := func(_ *on.Producer, c runtime.Chunk) []runtime.Chunk {
		return edit.Only(on.Like(c, "output", runtime.Chunk{"output": nil}), c)
	}
	output := on.Type("output").And(on.ByChild().Not())
	patch := on.Type("state_patch").Next(output)
	again := func(_, output runtime.Chunk) []runtime.Chunk { return edit.Only(output.Clone()) }
	text := runtime.Chunk{"delta": "..."}
	warning := runtime.Chunk{"error": "the cache is cold", "recoverable": true}
	return []edit.Mutant{
		// Mutants that send another value than was returned.
		{Name: "output-without-nulls", Requirement: "helix.output.unchanged",
			Summary: "Nulls in an output are left out.",
			Apply: onOutput(func(output json.RawMessage) json.RawMessage {
				return bytes.ReplaceAll(output, []byte(",null"), nil)
			})},
		{Name: "empty-output-dropped", Requirement: "helix.output.unchanged",
			Summary: "An output that is false, 0, null or an empty text is taken for none.",
			Apply: on.Written(on.Type("output"), on.If(func(c runtime.Chunk) bool {
				return slices.Contains([]string{"false", "0", "null", `""`}, string(edit.RawMember(c, "output")))
			})).
				Drop()},
		{Name: "output-of-later-step-dropped", Requirement: "helix.output.unchanged", Stateful: true,
			Summary: "Only an agent that is done in one step sends its output.",
			Also:    []string{"helix.output.final-output", "helix.subagents.child-terminal"},
			Apply:   on.Written(on.Type("output"), on.AfterStep(1)).Drop()},

		// Mutants that repeat another output at the end.
		{Name: "final-output-of-run-as-text", Requirement: "helix.output.final-output",
			Summary: "The end frame repeats an output that is no text as the text of its JSON.",
			Apply: onFinalOutput(func(output json.RawMessage) json.RawMessage {
				if output[0] == '"' {
					return output
				}
				return alter.Encode(string(output))
			})},

		// Mutants that let broken outputs through.
		{Name: "schema-without-enum", Requirement: "helix.output.schema",
			Summary: "Of a schema only types are checked.",
			Wrap: edit.OnOutputSchema(func(schema json.RawMessage) json.RawMessage {
				members := alter.Members(schema)
				delete(members, "enum")
				delete(members, "required")
				return alter.Encode(members)
			})},
		{Name: "text-of-an-object-passes", Requirement: "helix.output.schema",
			Summary: "An output is parsed before it is checked, and put out as the text that it was.",
			Wrap: edit.OnOutputSchema(func(schema json.RawMessage) json.RawMessage {
				return alter.Encode(map[string]any{"anyOf": []any{schema, map[string]any{"type": "string", "pattern": `^\{`}}})
			})},

		// Mutants that mix output and failure up.
		{Name: "draft-put-out-in-later-step", Requirement: "helix.output.on-success", Stateful: true,
			Summary: "A run that fails after its first step puts out null before the error.",
			Also:    []string{"helix.output.ends", "helix.output.schema", "helix.output.bookkeeping"},
			Apply:   on.Written(fatalError(), on.ByChild().Not(), on.AfterStep(1)).To(draft)},
		{Name: "fails-after-survived-error", Requirement: "helix.output.ends", Stateful: true,
			Summary: "A run that survived an error is done, and fails its stream because of it.",
			Also:    []string{"helix.runs.outcome", "helix.subagents.child-terminal"},
			Apply:   on.Outcomes(on.Type("error")).Fail("the run has failed", "")},
		{Name: "fails-after-failed-tool", Requirement: "helix.output.ends", Stateful: true,
			Summary: "A run is done, and fails its stream because a tool has failed.",
			Also:    []string{"helix.runs.outcome", "helix.subagents.child-terminal"},
			Apply:   on.Outcomes(on.FailedCall()).Fail("the run has failed", "")},

		// Mutants that send more after an output, or it again.
		{Name: "output-sent-again-after-patch", Requirement: "helix.output.once", Stateful: true,
			Summary: "If the last step has written to the state, the output is sent again after the patch.",
			Apply:   on.Written(patch).FollowBy(output, again)},
		{Name: "talks-after-patch", Requirement: "helix.output.last", Stateful: true,
			Summary: "If the last step has written to the state, the model says so after the output.",
			Apply:   on.Written(patch).FollowWith("text_delta", text)},
		{Name: "warns-after-patch", Requirement: "helix.output.bookkeeping", Stateful: true,
			Summary: "If the last step has written to the state, the run complains of a cache after the output.",
			Apply:   on.Written(patch).FollowWith("error", warning)},
	}
}

// onFinalOutput changes the output in the terminal frame of a run, if there is one.
func onFinalOutput(change func(output json.RawMessage) json.RawMessage) on.Apply {
	return on.Outcomes().Edit(func(o *on.Outcome) {
		if o.Output != nil {
			o.Output = change(o.Output)
		}
	})
}
