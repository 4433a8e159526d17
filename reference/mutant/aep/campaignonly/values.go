package campaignonly

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// texts are mutants that change some texts.
func texts() []edit.Mutant {
	return []edit.Mutant{
		{Name: "line-separators-in-answers", Requirement: "aep.content.text",
			Summary: "U+2028 in an answer becomes a line feed.", Apply: swaps(agent.Text, "\u2028", "\n")},
		{Name: "next-line-in-answers", Requirement: "aep.content.text",
			Summary: "U+0085 in an answer becomes a space.", Apply: swaps(agent.Text, "\u0085", " ")},
		{Name: "byte-order-marks-in-answers", Requirement: "aep.content.text",
			Summary: "Byte order marks are taken out of an answer.", Apply: swaps(agent.Text, "\ufeff", "")},
		{Name: "decoded-texts-of-the-user", Requirement: "aep.request.text-blocks", Also: []string{"aep.threads.history"},
			Summary: "What the user says is decoded once more, as if it came from a URL.",
			Apply:   on.UserTexts(strings.NewReplacer("%2F", "/", "%00", "").Replace)},
		{Name: "templates-of-the-user", Requirement: "aep.request.text-blocks", Also: []string{"aep.threads.history"},
			Summary: "Placeholders in what the user says are filled in.",
			Apply:   on.UserTexts(strings.NewReplacer("{{x}}", "", "${x}", "").Replace)},
		{Name: "words-for-nothing", Requirement: "aep.content.text",
			Summary: "A piece of an answer that begins with null or undefined is none.",
			Apply: on.Deltas(on.Does(agent.Text), on.IfDoes(func(d agent.Delta) bool {
				return strings.HasPrefix(d.Piece, "null") || strings.HasPrefix(d.Piece, "undefined")
			})).Drop()},
	}
}

// handedValues are mutants that change some values on their way to the agent.
func handedValues() []edit.Mutant {
	return []edit.Mutant{
		{Name: "numbers-in-texts-of-results", Requirement: "aep.actions.result",
			Summary: "A text in a result that is a number becomes one.", Apply: onResults(numeric)},
		{Name: "false-results", Requirement: "aep.actions.result",
			Summary: "What is false, zero or empty in a result becomes null.",
			Apply: onResults(func(v any) any {
				if v == false || v == "" || v == json.Number("0") {
					return nil
				}
				return v
			})},
		{Name: "context-without-nulls", Requirement: "aep.request.context",
			Summary: "Members that are null are left out of the context, however deep they stand.", Apply: onContext(withoutNulls)},
		{Name: "results-anywhere-in-the-context", Requirement: "aep.request.context",
			Summary: "The results of actions are taken out of the context wherever a member has their name.",
			Apply: onContext(func(v any) any {
				if members, ok := v.(map[string]any); ok {
					delete(members, "actionResults")
				}
				return v
			})},
		{Name: "context-with-dots", Requirement: "aep.request.context",
			Summary: "A dot in a name of the context makes an object of it.",
			Apply: onContext(func(v any) any {
				members, _ := v.(map[string]any)
				for name, member := range members {
					if outer, inner, ok := strings.Cut(name, "."); ok {
						delete(members, name)
						members[outer] = map[string]any{inner: member}
					}
				}
				return v
			})},
		{Name: "whole-numbers-in-context", Requirement: "aep.request.context",
			Summary: "Numbers in the context are kept with seven digits.",
			Apply: onContext(func(v any) any {
				if n, ok := v.(json.Number); ok {
					f, _ := n.Float64() // it came from JSON
					return json.Number(strconv.FormatFloat(f, 'g', 7, 64))
				}
				return v
			})},
	}
}

// sentValues are mutants that change some values on their way to the client.
func sentValues() []edit.Mutant {
	values := func(change func(any) any) func(json.RawMessage) json.RawMessage {
		return func(text json.RawMessage) json.RawMessage { return everyValue(text, change) }
	}
	return []edit.Mutant{
		{Name: "arguments-of-some-depth", Requirement: "aep.tools.arguments",
			Summary: "What is nested more than 32 deep in arguments is lost.",
			Apply: onCallArguments(func(text json.RawMessage) json.RawMessage {
				if bytes.Contains(text, []byte(strings.Repeat("[", 32))) {
					return json.RawMessage("{}")
				}
				return text
			})},
		{Name: "payload-without-prototype", Requirement: "aep.actions.unchanged",
			Summary: "The member __proto__ is taken out of a payload.",
			Apply: onPayload(values(func(v any) any {
				if o, ok := v.(map[string]any); ok {
					delete(o, "__proto__")
				}
				return v
			}))},
		{Name: "numbers-in-texts-of-payloads", Requirement: "aep.actions.unchanged",
			Summary: "A text in a payload that is a number becomes one.", Apply: onPayload(values(numeric))},
	}
}

// numeric makes a number of a text that is one, or that begins with one.
func numeric(v any) any {
	s, _ := v.(string)
	s, _, _ = strings.Cut(s, "[")
	if f, err := strconv.ParseFloat(s, 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
		return f
	}
	return v
}

func withoutNulls(v any) any {
	members, _ := v.(map[string]any)
	for name, member := range members {
		if member == nil {
			delete(members, name)
		}
	}
	return v
}

// onResults changes the results of actions, on their way to the agent.
func onResults(change func(any) any) on.Apply {
	return on.Turns(func(t *agent.Turn) {
		for i, raw := range t.Results {
			members := alter.Members(raw)
			for _, name := range []string{"result", "error"} {
				if members[name] != nil {
					members[name] = everyValue(members[name], change)
				}
			}
			t.Results[i] = alter.Encode(members)
		}
	})
}

// onContext changes the context on its way to the agent.
func onContext(change func(any) any) on.Apply {
	return on.Asks(func(ask *aep.RequestBody) {
		if ask.Context != nil {
			ask.Context = everyValue(ask.Context, change)
		}
	})
}
