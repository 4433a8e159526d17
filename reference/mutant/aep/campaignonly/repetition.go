package campaignonly

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// equalInputs lists mutants that merge equal inputs.
func equalInputs() []edit.Mutant {
	return []edit.Mutant{
		{Name: "said-again-is-sent-again", Requirement: "aep.threads.history",
			Summary: "A message that says what the user said last on the thread is taken for the same one, sent again.",
			Apply: alter.WithState(func(last *alter.PerKey[string]) on.Apply { // by thread
				return on.Storing(func(thread string, emitted []agent.Message) []agent.Message {
					return slices.DeleteFunc(emitted, func(one agent.Message) bool {
						return !edit.IsAnswer(one) && last.Swap(thread, one.Text) == one.Text
					})
				})
			})},
		{Name: "asked-again-forgets-the-answer", Requirement: "aep.threads.history",
			Summary: "Who asks what was just answered wants another answer, and the agent isn't shown the one that there is.",
			Apply: on.OnThreads(func(inner aep.Threads, t *on.Threads) {
				t.OnSay = func(id string, more []agent.Message) []agent.Message {
					before := inner.Say(id, more)
					if n := len(before) - 2; n >= 0 && len(more) == 1 && !edit.IsAnswer(more[0]) && before[n].Text == more[0].Text {
						return before[:n]
					}
					return before
				}
			})},
		{Name: "answered-again-is-kept-once", Requirement: "aep.threads.history",
			Summary: "An answer that stands in the thread already is kept once.",
			Apply: on.OnThreads(func(inner aep.Threads, t *on.Threads) {
				t.OnSay = func(id string, more []agent.Message) []agent.Message {
					before := inner.Say(id, nil)
					return inner.Say(id, slices.DeleteFunc(slices.Clone(more), func(one agent.Message) bool {
						return one.Who == agent.ByAgent && slices.ContainsFunc(before, func(old agent.Message) bool { return old.Who == one.Who && old.Text == one.Text })
					}))
				}
			})},
		{Name: "messages-of-a-request-are-a-set", Requirement: "aep.request.text-blocks",
			Summary: "Of two messages of a request that say the same the agent is handed one.",
			Apply: on.Turns(func(t *agent.Turn) {
				var kept []string
				for _, text := range t.Messages {
					if !slices.Contains(kept, text) {
						kept = append(kept, text)
					}
				}
				t.Messages = kept
			})},
	}
}

// repeating lists mutants that merge repeated content of a request.
func repeating() []edit.Mutant {
	return []edit.Mutant{
		{Name: "blocks-of-a-message-are-a-set", Requirement: "aep.request.text-blocks",
			Summary: "A block of a message that says what the one before it says is left out.",
			Apply: on.Asks(func(ask *aep.RequestBody) {
				for i := range ask.Messages {
					ask.Messages[i].Blocks = slices.Compact(slices.Clone(ask.Messages[i].Blocks))
				}
			})},
		{Name: "known-context-isn-t-handed-on", Requirement: "aep.request.context",
			Summary: "A member of the context that the request before had as well isn't handed on again.",
			Apply: alter.WithState(func(last *alter.PerKey[alter.Object]) on.Apply { // by thread
				return on.Asks(func(ask *aep.RequestBody) {
					members := alter.Members(ask.Context)
					if ask.Thread == "" || members == nil {
						return
					}
					before, fresh := last.Swap(ask.Thread, members), alter.Object{}
					for name, value := range members {
						if !bytes.Equal(before[name], value) {
							fresh[name] = value
						}
					}
					ask.Context = alter.Encode(fresh)
				})
			})},
		{Name: "same-request-is-answered-from-a-cache", Requirement: "aep.threads.history",
			Summary: "A request that is the one before it, byte for byte, isn't heard: its agent knows only what that one knew.",
			Apply:   deafToRepetition},
	}
}

// deafToRepetition keeps nothing of a request that repeats the one before it.
func deafToRepetition(o aep.Options) aep.Options {
	var last alter.PerKey[string] // by thread
	var deaf alter.PerKey[bool]
	o = on.OnDecode(func(body []byte, decode func([]byte) (aep.RequestBody, error)) (aep.RequestBody, error) {
		ask, err := decode(body)
		if err == nil && ask.Thread != "" && last.Swap(ask.Thread, string(body)) == string(body) {
			deaf.Set(ask.Thread, true)
		}
		return ask, err
	})(o)
	return on.Storing(func(thread string, emitted []agent.Message) []agent.Message {
		if len(emitted) > 0 && !edit.IsAnswer(emitted[0]) && deaf.Swap(thread, false) {
			return nil
		}
		return emitted
	})(o)
}

// equalOutputs lists mutants that merge equal outputs of an agent.
func equalOutputs() []edit.Mutant {
	return []edit.Mutant{
		{Name: "same-call-is-shown-once", Requirement: "aep.tools.call",
			Summary: "A call of a tool with the same arguments as the call before is taken for a retry, and isn't shown.",
			Apply: on.OnDeltas(func() func(agent.Delta) []agent.Delta {
				var withheld []agent.Delta
				before := ""
				return func(d agent.Delta) []agent.Delta {
					if d.Kind < agent.Call || d.Kind > agent.Outcome {
						return []agent.Delta{d}
					}
					if withheld = append(withheld, d); d.Kind != agent.Outcome {
						return nil
					}
					complete, out := "", withheld
					for _, h := range withheld {
						complete += h.Tool + h.Piece
					}
					if withheld = nil; complete == before {
						return nil
					}
					before = complete
					return out
				}
			})},
	}
}

// alike lists mutants that confuse similar values.
func alike() []edit.Mutant {
	return []edit.Mutant{
		{Name: "asked-twice-is-asked-once", Requirement: "aep.actions.unchanged",
			Summary: "An agent that asks for the same twice in a response asks once.",
			Apply: on.OnDeltas(func() func(agent.Delta) []agent.Delta {
				seen := map[string]bool{}
				return func(d agent.Delta) []agent.Delta {
					if key := d.ActionKind + string(d.Payload); d.Kind == agent.Action {
						if seen[key] {
							return nil
						}
						seen[key] = true
					}
					return []agent.Delta{d}
				}
			})},
		{Name: "results-alike-are-one", Requirement: "aep.actions.result",
			Summary: "Of results that hold the same the agent is handed the first.",
			Apply: on.Turns(func(t *agent.Turn) {
				seen := map[string]bool{}
				t.Results = slices.DeleteFunc(slices.Clone(t.Results), func(raw json.RawMessage) bool {
					members := alter.Members(raw)
					key := string(members["result"]) + string(members["error"])
					again := seen[key]
					seen[key] = true
					return again
				})
			})},
		{Name: "pieces-alike-are-one", Requirement: "aep.content.text",
			Summary: "Of three pieces in a row that are alike the third is taken for one that was sent again.",
			Apply: on.OnDeltas(func() func(agent.Delta) []agent.Delta {
				last, n := "", 0
				return func(d agent.Delta) []agent.Delta {
					if d.Kind != agent.Text || d.Piece != last {
						last, n = d.Piece, 0
						return []agent.Delta{d}
					}
					if n++; n == 2 {
						return nil
					}
					return []agent.Delta{d}
				}
			})},
	}
}
