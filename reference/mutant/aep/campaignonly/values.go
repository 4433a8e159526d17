package campaignonly

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// rareValues lists the mutants that some values and texts show.
func rareValues() []edit.Mutant {
	saidBefore := func(kind agent.Kind, emitted func(agent.Delta) string) on.Apply {
		return on.Deltas().Map(func(struct{}) func(agent.Delta) []agent.Delta {
			before := ""
			return func(d agent.Delta) []agent.Delta {
				switch {
				case d.Kind == kind:
					before = emitted(d)
				case d.Kind == agent.Text && before != "" && d.Piece == before:
					before = ""
					return nil
				case d.Kind == agent.Text:
					before = ""
				}
				return []agent.Delta{d}
			}
		})
	}

	return []edit.Mutant{
		// These are mutants that change some values on their way to the agent.
		{Name: "numbers-in-texts-of-results", Requirement: "aep.actions.result",
			Summary: "A text in a result that is a number becomes one.", Apply: onResults(numeric)},
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

		// These are mutants that change some values on their way to the client.
		{Name: "arguments-of-some-depth", Requirement: "aep.tools.arguments",
			Summary: "What is nested more than 32 deep in arguments is lost.",
			Apply: onCallArguments(func(text json.RawMessage) json.RawMessage {
				if bytes.Contains(text, []byte(strings.Repeat("[", 32))) {
					return json.RawMessage("{}")
				}
				return text
			})},

		// Mutants that take a value of an application for a part of the protocol, because it resembles one.
		{Name: "payload-of-a-payload", Requirement: "aep.actions.unchanged",
			Summary: "A payload whose only member is called payload is taken for one that was wrapped twice.", Apply: onPayload(unwrapped("payload"))},
		{Name: "result-of-a-result", Requirement: "aep.actions.result",
			Summary: "A result whose only member is called result or value is taken for one that was wrapped twice.", Apply: onOutcome(unwrapped("result", "value"))},
		{Name: "results-in-any-case", Requirement: "aep.request.context",
			Summary: "What is called actionResults but for its case is taken out of the context as well.",
			Apply: on.Asks(func(ask *aep.RequestBody) {
				members := alter.Members(ask.Context)
				for name := range members {
					if strings.EqualFold(name, "actionResults") {
						delete(members, name)
						ask.Context = alter.Encode(members)
					}
				}
			})},
		{Name: "errors-without-words", Requirement: "aep.actions.result",
			Summary: "An error of a result that has no words is taken for none.",
			Apply: on.Results(func(result alter.Object) {
				if string(result["error"]) == `""` {
					delete(result, "error")
				}
			})},

		// Mutants that leave out content that equals content of another kind.
		{Name: "summary-is-said-already", Requirement: "aep.content.text",
			Summary: "A text that begins with the summary of the call before it is shown without it.",
			Apply:   saidBefore(agent.Outcome, func(d agent.Delta) string { return d.Summary })},
		{Name: "thought-is-said-already", Requirement: "aep.content.text",
			Summary: "A text that begins with the thought before it is shown without it.",
			Apply:   saidBefore(agent.Thinking, func(d agent.Delta) string { return d.Piece })},
		{Name: "user-quotes-the-agent", Requirement: "aep.threads.history",
			Summary: "A message that says what the agent said last is taken for its echo, and isn't kept.",
			Apply: on.OnThreads(func(inner aep.Threads, t *on.Threads) {
				t.OnSay = func(id string, more []agent.Message) []agent.Message {
					before := inner.Say(id, nil)
					if n := len(before); n > 0 && len(more) > 0 && edit.IsAnswer(before[n-1]) && !edit.IsAnswer(more[0]) && more[0].Text == before[n-1].Text {
						more = more[1:]
					}
					return inner.Say(id, more)
				}
			})},

		// Mutants that interpret the syntax of a text and change it.
		{Name: "templates-in-the-context-are-filled", Requirement: "aep.request.context",
			Summary: "Texts in the context are templates, and what they name isn't there.",
			Apply: on.Turns(func(t *agent.Turn) {
				if t.Context != nil {
					t.Context = everyValue(t.Context, onTexts(func(text string) string { return templates.ReplaceAllString(text, "") }))
				}
			})},
		{Name: "keys-in-arguments-are-redacted", Requirement: "aep.tools.arguments",
			Summary: "What looks like a key is redacted in arguments, as in a log.",
			Apply: onCallArguments(func(arguments json.RawMessage) json.RawMessage {
				return everyValue(arguments, onTexts(func(text string) string { return keys.ReplaceAllString(text, "[redacted]") }))
			})},

		// Mutants that truncate values other than texts after so many units of UTF-16, and so within characters.
		{Name: "thoughts-are-cut-within-characters", Requirement: "aep.content.whole-characters",
			Summary: "A piece of a thought ends after 16 units of UTF-16, and half a character is sent as U+FFFD.",
			Apply:   on.Pieces(agent.Thinking, func(piece string) string { return halved(piece, 16) })},
		{Name: "arguments-are-cut-within-characters", Requirement: "aep.tools.arguments",
			Summary: "Arguments come in pieces of 1,000 units of UTF-16, and half a character is sent as U+FFFD.",
			Apply: onCallArguments(func(arguments json.RawMessage) json.RawMessage {
				return json.RawMessage(halved(string(arguments), 1000))
			})},
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

// unwrapped replaces an object by the value of its only member, if that member has one of some names.
func unwrapped(names ...string) func(json.RawMessage) json.RawMessage {
	return func(raw json.RawMessage) json.RawMessage {
		members := alter.Members(raw)
		for name, inner := range members {
			if len(members) == 1 && slices.Contains(names, name) {
				return inner
			}
		}
		return raw
	}
}

var (
	templates = regexp.MustCompile(`\{\{.*?\}\}`)
	keys      = regexp.MustCompile(`\bsk-[0-9a-f]{20,}`)
)

// onTexts changes texts among values.
func onTexts(change func(text string) string) func(any) any {
	return func(v any) any {
		if text, ok := v.(string); ok {
			return change(text)
		}
		return v
	}
}

// halved returns a text of pieces of so many units of UTF-16, each encoded apart.
func halved(text string, units int) string {
	var all strings.Builder
	for rest := utf16.Encode([]rune(text)); len(rest) > 0; {
		n := min(units, len(rest))
		all.WriteString(string(utf16.Decode(rest[:n])))
		rest = rest[n:]
	}
	return all.String()
}
