package campaignonly

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

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

// wrappings lists mutants that take a value of an application for a part of the protocol, because it resembles one.
func wrappings() []edit.Mutant {
	return []edit.Mutant{
		{Name: "payload-of-a-payload", Requirement: "aep.actions.unchanged",
			Summary: "A payload whose only member is called payload is taken for one that was wrapped twice.", Apply: onPayload(unwrapped("payload"))},
		{Name: "result-of-a-result", Requirement: "aep.actions.result",
			Summary: "A result whose only member is called result or value is taken for one that was wrapped twice.", Apply: onOutcome(unwrapped("result", "value"))},
		{Name: "arguments-of-arguments", Requirement: "aep.tools.arguments",
			Summary: "Arguments whose only member is called arguments or input are taken for a slip of the model, and taken out of it.",
			Apply: edit.OnArguments(1, func(args alter.Object) {
				inner := alter.Members(unwrapped("arguments", "input")(alter.Encode(args)))
				for name := range args {
					delete(args, name)
				}
				for name, v := range inner {
					args[name] = v
				}
			})},
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
		{Name: "context-stays-as-it-was", Requirement: "aep.request.context",
			Summary: "A member of the context keeps the value with which it came to its thread first.",
			Apply: alter.WithState(func(first *alter.PerKey[json.RawMessage]) on.Apply { // by thread and name
				return on.Asks(func(ask *aep.RequestBody) {
					members := alter.Members(ask.Context)
					for name, v := range members {
						first.With(ask.Thread+" "+name, func(kept *json.RawMessage) {
							if *kept == nil {
								*kept = v
							}
							members[name] = *kept
						})
					}
					if ask.Thread != "" && members != nil {
						ask.Context = alter.Encode(members)
					}
				})
			})},
		{Name: "errors-without-words", Requirement: "aep.actions.result",
			Summary: "An error of a result that has no words is taken for none.",
			Apply: on.Results(func(result alter.Object) {
				if string(result["error"]) == `""` {
					delete(result, "error")
				}
			})},
	}
}

// echoes lists mutants that leave out content that equals content of another kind.
func echoes() []edit.Mutant {
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
	}
}
