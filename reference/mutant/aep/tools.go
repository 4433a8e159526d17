package aep

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
)

func tools() []Mutant {
	return slices.Concat(toolCalls(), toolArguments(), toolResults(), toolPayloads())
}

// isCall finds what belongs to a call itself, and not to its outcome.
func isCall(d agent.Delta) bool {
	return d.Kind == agent.Call || d.Kind == agent.Arguments || d.Kind == agent.Called
}

// toolCalls don't tell calls as they are.
func toolCalls() []Mutant {
	dropCalls := func(hit func(agent.Delta) bool) apply {
		return seams.OnDeltas(func() func(agent.Delta) []agent.Delta {
			return func(d agent.Delta) []agent.Delta {
				if hit(d) {
					return nil
				}
				return []agent.Delta{d}
			}
		})
	}
	return []Mutant{{
		Name: "hides-tool-calls", Requirement: "aep.tools.call",
		Summary: "What tools the agent calls is nobody's business.",
		Also:    []string{"aep.tools.result", "aep.tools.arguments"},
		Apply:   dropCalls(func(d agent.Delta) bool { return isCall(d) || d.Kind == agent.Outcome }),
	}, {
		Name: "hides-later-tool-calls", Requirement: "aep.tools.call", Stateful: true,
		Summary: "The second call of a run and those after it aren't reported.",
		Also:    []string{"aep.tools.result", "aep.tools.arguments"},
		Apply: dropCalls(func(d agent.Delta) bool {
			return (isCall(d) || d.Kind == agent.Outcome) && d.Call > 1
		}),
	}, {
		Name: "unnamed-tool-call", Requirement: "aep.tools.named",
		Summary: "The start of a call doesn't name the tool, because the model's library tells it later.",
		Apply:   without(always(is(aep.ToolCall, aep.Start)), "toolName"),
	}, {
		Name: "later-calls-without-id", Requirement: "aep.tools.named", Stateful: true,
		Summary: "A call that comes after another block has no toolCallId.",
		Also:    []string{"aep.tools.result-after-call"},
		Apply:   without(fromSecond(is(aep.ToolCall, aep.Start)), "toolCallId"),
	}}
}

// toolArguments get the arguments of calls wrong.
func toolArguments() []Mutant {
	return []Mutant{{
		Name: "fragment-is-an-object", Requirement: "aep.tools.fragments",
		Summary: "The delta of a call is an object with the piece of JSON in it, as the model's library has it.",
		Also:    []string{"aep.tools.one-value", "aep.tools.arguments", "aep.tools.final-arguments"},
		Apply: onMembers(always(is(aep.ToolCall, aep.Delta)), func(members object, e aep.Event) {
			members["delta"] = alter.Encode(map[string]string{"partial_json": e.Piece})
		}),
	}, {
		Name: "arguments-without-false-and-null", Requirement: "aep.tools.arguments",
		Summary: "Arguments that are empty are left out as if they had not been given.",
		Apply:   onArguments(func(args json.RawMessage) json.RawMessage { return alter.Encode(lacking(args)) }),
	}, {
		Name: "later-arguments-as-texts", Requirement: "aep.tools.arguments", Stateful: true,
		Summary: "From the second call on, the values of arguments are texts.",
		Apply: seams.OnDeltas(func() func(agent.Delta) []agent.Delta {
			return collectArguments(func(call int, args json.RawMessage) json.RawMessage {
				if call == 1 {
					return args
				}
				return alter.Encode(texts(args))
			})
		}),
	}, {
		Name: "arguments-as-a-map-of-texts", Requirement: "aep.tools.arguments",
		Summary: "Arguments go through a map of texts.",
		Apply:   onArguments(func(args json.RawMessage) json.RawMessage { return alter.Encode(texts(args)) }),
	}, {
		Name: "last-fragment-is-lost", Requirement: "aep.tools.one-value",
		Summary: "The last piece of the arguments is lost, and the closing brace with it.",
		Also:    []string{"aep.tools.final-arguments", "aep.done.arguments"},
		Apply:   losesLastFragment,
	}, {
		Name: "stop-has-empty-arguments", Requirement: "aep.tools.final-arguments",
		Summary: "The stop of a call has the arguments that its start had, which are none.",
		Apply:   with(always(is(aep.ToolCall, aep.Stop)), "args", `{}`),
	}, {
		Name: "stop-has-arguments-of-first-call", Requirement: "aep.tools.final-arguments", Stateful: true,
		Summary: "The stop of a call has the arguments of the response's first call.",
		Apply: onEvents(func(aep.Request) func(*aep.Event) {
			var first json.RawMessage
			return func(e *aep.Event) {
				if !is(aep.ToolCall, aep.Stop)(*e) {
					return
				}
				if first == nil {
					first = e.Block.Args
				}
				e.Block.Args = first
			}
		}),
	}}
}

// onArguments changes the arguments of every call.
func onArguments(change func(json.RawMessage) json.RawMessage) apply {
	return seams.OnDeltas(func() func(agent.Delta) []agent.Delta {
		return collectArguments(func(_ int, args json.RawMessage) json.RawMessage { return change(args) })
	})
}

// collectArguments puts the pieces of arguments together, changes them and hands them on in two pieces.
func collectArguments(change func(call int, args json.RawMessage) json.RawMessage) func(agent.Delta) []agent.Delta {
	var joined strings.Builder
	return func(d agent.Delta) []agent.Delta {
		switch d.Kind {
		case agent.Arguments:
			joined.WriteString(d.Piece)
			return nil
		case agent.Called:
			args := string(change(d.Call, json.RawMessage(joined.String())))
			joined.Reset()
			return []agent.Delta{
				{Kind: agent.Arguments, Call: d.Call, Piece: args[:1]}, {Kind: agent.Arguments, Call: d.Call, Piece: args[1:]}, d,
			}
		}
		return []agent.Delta{d}
	}
}

// lacking leaves the members out that say nothing.
func lacking(args json.RawMessage) object {
	members := alter.Members(args)
	for name, value := range members {
		switch string(value) {
		case "null", "false", "0", `""`, "[]", "{}":
			delete(members, name)
		}
	}
	return members
}

// texts makes every member that isn't one a text.
func texts(args json.RawMessage) object {
	members := alter.Members(args)
	for name, value := range members {
		if value[0] != '"' {
			members[name] = alter.Encode(string(value))
		}
	}
	return members
}

// losesLastFragment holds deltas of calls back until the next, and forgets the last.
func losesLastFragment(o aep.Options) aep.Options {
	return seams.OnJournal(func(aep.Request) func(aep.Event) []aep.Event {
		var held []aep.Event
		return func(e aep.Event) []aep.Event {
			switch {
			case is(aep.ToolCall, aep.Delta)(e):
				out := held
				held = []aep.Event{e}
				return out
			case is(aep.ToolCall, aep.Stop)(e):
				if len(held) > 0 && held[0].DeltaIndex == 0 { // the only piece, so a part of it
					held[0].Piece = held[0].Piece[:len(held[0].Piece)-1]
					return append(slices.Clone(held), e)
				}
				held = nil
			}
			return []aep.Event{e}
		}
	})(o)
}

// toolResults tell outcomes wrong.
func toolResults() []Mutant {
	return []Mutant{{
		Name: "no-result-of-failed-tool", Requirement: "aep.tools.result",
		Summary: "A tool that failed has no outcome.",
		Apply: seams.OnDeltas(func() func(agent.Delta) []agent.Delta {
			return func(d agent.Delta) []agent.Delta {
				if d.Kind == agent.Outcome && d.Failed {
					return nil
				}
				return []agent.Delta{d}
			}
		}),
	}, {
		Name: "result-of-first-tool-only", Requirement: "aep.tools.result", Stateful: true,
		Summary: "The outcome of the second call and of those after it is lost.",
		Apply: seams.OnDeltas(func() func(agent.Delta) []agent.Delta {
			return func(d agent.Delta) []agent.Delta {
				if d.Kind == agent.Outcome && d.Call > 1 {
					return nil
				}
				return []agent.Delta{d}
			}
		}),
	}, {
		Name: "result-before-call", Requirement: "aep.tools.result-after-call",
		Summary: "A fast tool is done before its call is reported, and its outcome comes first.",
		Also:    []string{"aep.stages.index-order", "aep.stages.index-from-zero", "aep.done.complete"},
		Apply:   resultsFirst,
	}, {
		Name: "result-without-call-id", Requirement: "aep.tools.result-call-id",
		Summary: "An outcome belongs to the call before it, and doesn't say so.",
		Also:    []string{"aep.tools.result"},
		Apply:   without(always(is(aep.ToolResult, aep.Start)), "toolCallId"),
	}, {
		Name: "later-results-without-call-id", Requirement: "aep.tools.result-call-id", Stateful: true,
		Summary: "Only the first outcome of a response says which call it answers.",
		Apply: without(func(aep.Request) func(aep.Event) bool {
			n := 0
			return func(e aep.Event) bool {
				if is(aep.ToolResult, aep.Start)(e) {
					n++
				}
				return n > 1 && is(aep.ToolResult, aep.Start)(e)
			}
		}, "toolCallId"),
	}}
}

// resultsFirst holds the events of a call back until its outcome was sent.
func resultsFirst(o aep.Options) aep.Options {
	return seams.OnJournal(func(aep.Request) func(aep.Event) []aep.Event {
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

// toolPayloads tell what tools returned.
func toolPayloads() []Mutant {
	// what the tools of a server returned, by the summary that stands in its place
	summaries := func(change func(first bool, d agent.Delta) agent.Delta) apply {
		return seams.OnDeltas(func() func(agent.Delta) []agent.Delta {
			first := true
			return func(d agent.Delta) []agent.Delta {
				if d.Kind == agent.Outcome {
					d = change(first, d)
					first = false
				}
				return []agent.Delta{d}
			}
		})
	}
	return []Mutant{{
		Name: "result-has-output", Requirement: "aep.tools.summary-only",
		Summary: "The return value of a tool is sent as its output, as other protocols do it.",
		Apply:   with(always(is(aep.ToolResult, aep.Stop)), "output", `"done"`),
	}, {
		Name: "done-has-results", Requirement: "aep.tools.summary-only",
		Summary: "The blocks in the content of done are those of the model's history, results included.",
		Apply: onContent(func(b object) {
			if string(b["type"]) == `"tool_result"` {
				b["result"] = json.RawMessage(`"done"`)
			}
		}),
	}, {
		Name: "summary-is-the-result", Requirement: "aep.tools.payload-hidden",
		Summary: "The summary of an outcome is the JSON of what the tool returned.",
		Also:    []string{"aep.tools.result"},
		Apply: summaries(func(_ bool, d agent.Delta) agent.Delta {
			if d.Returned != nil {
				d.Summary = string(d.Returned)
			}
			return d
		}),
	}, {
		Name: "later-summaries-hold-the-result", Requirement: "aep.tools.payload-hidden", Stateful: true,
		Summary: "From the second outcome on, the summary says what the tool returned, too.",
		Also:    []string{"aep.tools.result"},
		Apply: summaries(func(first bool, d agent.Delta) agent.Delta {
			if d.Returned != nil && !first {
				d.Summary += " " + string(d.Returned)
			}
			return d
		}),
	}}
}
