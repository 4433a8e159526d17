package aep

import (
	"encoding/json"
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

func tools() []edit.Mutant {
	returned := on.Does(agent.Outcome).And(on.IfDoes(func(d agent.Delta) bool { return d.Returned != nil }))
	starts := on.Kind(aep.ToolResult, aep.Start)
	return []edit.Mutant{
		// Mutants that don't tell calls as they are.
		{Name: "hides-tool-calls", Requirement: "aep.tools.call",
			Summary: "What tools the agent calls is nobody's business.",
			Also:    []string{"aep.tools.result", "aep.tools.arguments"},
			Apply:   on.Deltas(on.Calls()).Drop()},
		{Name: "hides-later-tool-calls", Requirement: "aep.tools.call", Stateful: true,
			Summary: "The second call of a run and those after it aren't reported.",
			Also:    []string{"aep.tools.result", "aep.tools.arguments"},
			Apply:   on.Deltas(on.Calls(), on.IfDoes(func(d agent.Delta) bool { return d.Call > 1 })).Drop()},
		{Name: "unnamed-tool-call", Requirement: "aep.tools.named",
			Summary: "The start of a call doesn't name the tool, because the model's library tells it later.",
			Apply:   on.Frames(on.Kind(aep.ToolCall, aep.Start)).Remove("toolName")},
		{Name: "later-calls-without-id", Requirement: "aep.tools.named", Stateful: true,
			Summary: "A call that comes after another block has no toolCallId.",
			Also:    []string{"aep.tools.result-after-call"},
			Apply:   on.Frames(on.Kind(aep.ToolCall, aep.Start), on.LaterBlocks()).Remove("toolCallId")},

		// Mutants that get the arguments of calls wrong.
		{Name: "fragment-is-an-object", Requirement: "aep.tools.fragments",
			Summary: "The delta of a call is an object with the piece of JSON in it, as the model's library has it.",
			Also:    []string{"aep.tools.one-value", "aep.tools.arguments", "aep.tools.final-arguments"},
			Apply: on.Frames(on.Kind(aep.ToolCall, aep.Delta)).
				SetTo("delta", func(e aep.Event) any { return map[string]string{"partial_json": e.Piece} })},
		{Name: "later-arguments-as-texts", Requirement: "aep.tools.arguments", Stateful: true,
			Summary: "From the second call on, the values of arguments are texts.",
			Apply:   edit.OnArguments(2, asTexts)},
		{Name: "arguments-as-a-map-of-texts", Requirement: "aep.tools.arguments",
			Summary: "Arguments go through a map of texts.",
			Apply:   edit.OnArguments(1, asTexts)},
		{Name: "last-fragment-is-lost", Requirement: "aep.tools.one-value",
			Summary: "The last piece of the arguments is lost, and the closing brace with it.",
			Also:    []string{"aep.tools.final-arguments", "aep.done.arguments"},
			Apply:   losesLastFragment},
		{Name: "stop-has-arguments-of-first-call", Requirement: "aep.tools.final-arguments", Stateful: true,
			Summary: "The stop of a call has the arguments of the response's first call.",
			Apply:   alter.Stick(on.Events(on.Kind(aep.ToolCall, aep.Stop)), argumentsOf)},

		// Mutants that change the outcome or the result of a tool.
		{Name: "no-result-of-failed-tool", Requirement: "aep.tools.result",
			Summary: "A tool that failed has no outcome.",
			Apply:   on.Deltas(on.FailedCalls()).Drop()},
		{Name: "result-before-call", Requirement: "aep.tools.result-after-call",
			Summary: "A fast tool is done before its call is reported, and its outcome comes first.",
			Also:    []string{"aep.stages.index-order", "aep.stages.index-from-zero", "aep.done.complete"},
			Apply:   resultsFirst},
		{Name: "later-results-without-call-id", Requirement: "aep.tools.result-call-id", Stateful: true,
			Summary: "Only the first outcome of a response says which call it answers.",
			Apply:   on.Frames(starts.From(2)).Remove("toolCallId")},
		{Name: "result-has-output", Requirement: "aep.tools.summary-only",
			Summary: "The return value of a tool is sent as its output, as other protocols do it.",
			Apply:   on.Frames(on.Kind(aep.ToolResult, aep.Stop)).Set("output", `"done"`)},
		{Name: "done-has-results", Requirement: "aep.tools.summary-only",
			Summary: "The blocks in the content of done are those of the model's history, results included.",
			Apply: on.ContentMembers(func(b alter.Object) {
				if b.Text("type") == "tool_result" {
					b.Set("result", "done")
				}
			})},
		{Name: "summary-is-the-result", Requirement: "aep.tools.payload-hidden",
			Summary: "The summary of an outcome is the JSON of what the tool returned.",
			Also:    []string{"aep.tools.result"},
			Apply:   on.Deltas(returned).Edit(func(d *agent.Delta) { d.Summary = string(d.Returned) })},
		{Name: "later-summaries-hold-the-result", Requirement: "aep.tools.payload-hidden", Stateful: true,
			Summary: "From the second outcome on, the summary says what the tool returned, too.",
			Also:    []string{"aep.tools.result"},
			Apply: on.Deltas(returned, on.Does(agent.Outcome).From(2)).
				Edit(func(d *agent.Delta) { d.Summary += " " + string(d.Returned) })},
	}
}

func argumentsOf(e *aep.Event) *json.RawMessage { return &e.Block.Args }

// asTexts makes every member that isn't one a text.
func asTexts(args alter.Object) {
	for name, value := range args {
		if value[0] != '"' {
			args.Quote(name)
		}
	}
}

// losesLastFragment delays deltas of calls until the next, and forgets the last.
func losesLastFragment(o aep.Options) aep.Options {
	return on.OnJournal(func(aep.Request) func(aep.Event) []aep.Event {
		var withheld []aep.Event
		return func(e aep.Event) []aep.Event {
			switch {
			case e.Kind == aep.ToolCall && e.Stage == aep.Delta:
				out := withheld
				withheld = []aep.Event{e}
				return out
			case e.Kind == aep.ToolCall && e.Stage == aep.Stop:
				if len(withheld) > 0 && withheld[0].DeltaIndex == 0 { // the only piece, so a part of it
					withheld[0].Piece = withheld[0].Piece[:len(withheld[0].Piece)-1]
					return append(slices.Clone(withheld), e)
				}
				withheld = nil
			}
			return []aep.Event{e}
		}
	})(o)
}

// resultsFirst delays the events of a call until its outcome was sent.
func resultsFirst(o aep.Options) aep.Options {
	return on.OnJournal(func(aep.Request) func(aep.Event) []aep.Event {
		var call []aep.Event
		return func(e aep.Event) []aep.Event {
			switch {
			case e.Kind == aep.ToolCall:
				call = append(call, e)
				return nil
			case e.Kind == aep.ToolResult && e.Stage != aep.Stop:
				return []aep.Event{e}
			}
			out := call
			call = nil
			if e.Kind == aep.ToolResult {
				return append([]aep.Event{e}, out...)
			}
			return append(out, e)
		}
	})(o)
}
