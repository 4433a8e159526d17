package helixui

import (
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// onHistory changes the history that a client gets of a chat.
func onHistory(change func([]helixui.Message) []helixui.Message) on.Apply {
	return func(o helixui.Options) helixui.Options {
		inner := o.History
		o.History = func(all []helixui.Message) []helixui.Message { return change(slices.Clone(inner(all))) }
		return o
	}
}

// textsOf returns the texts of a message.
func textsOf(m helixui.Message) (texts []string) {
	for _, p := range m.Parts {
		if p.Type() == "text" {
			texts = append(texts, p.Text("text"))
		}
	}
	return texts
}

// equals lists mutants that err where a value equals an earlier one.
func equals() []Mutant {
	return []Mutant{
		{Name: "asked-again-is-a-retry", Requirement: "helix-ui.history.whole", Stateful: true,
			Summary: "A message that says what the user's last one did is taken for a retry of it.",
			Apply: onHistory(func(all []helixui.Message) []helixui.Message {
				var before []string
				return slices.DeleteFunc(all, func(m helixui.Message) bool {
					same := m.Role == "user" && before != nil && slices.Equal(before, textsOf(m))
					if m.Role == "user" {
						before = textsOf(m)
					}
					return same
				})
			})},
		{Name: "thoughts-that-repeat", Requirement: "helix-ui.reasoning.whole", Stateful: true,
			Summary: "A thought that is the one before, once more, is left out.",
			Apply: func(o helixui.Options) helixui.Options {
				inner := o.Play
				o.Play = func(script []helixui.Instruction) []helixui.Instruction {
					before := ""
					return slices.DeleteFunc(slices.Clone(inner(script)), func(a helixui.Instruction) bool {
						if a.Thinking == nil {
							return false
						}
						thought := string(written(a.Thinking))
						same := thought == before
						before = thought
						return same
					})
				}
				return o
			}},
		{Name: "patches-once", Requirement: "helix-ui.mapping.chunks", Stateful: true,
			Summary: "A patch of the state that is the one before, once more, changes nothing, and isn't sent.",
			Apply: on.Chunks(on.ChunkType("state_patch")).Map(func(helixui.Turn) func(helixui.Chunk) []helixui.Chunk {
				before := ""
				return func(c helixui.Chunk) []helixui.Chunk {
					patches := string(written(c["patches"]))
					if patches == before {
						return nil
					}
					before = patches
					return []helixui.Chunk{c}
				}
			})},
		{Name: "customs-once", Requirement: "helix-ui.mapping.chunks", Stateful: true,
			Summary: "A custom chunk that is equal to an earlier one of its turn is taken for a redelivery.",
			Apply: on.Chunks(on.ChunkType("custom")).Map(func(helixui.Turn) func(helixui.Chunk) []helixui.Chunk {
				seen := map[string]bool{}
				return func(c helixui.Chunk) []helixui.Chunk {
					key := string(written([]any{c["eventName"], c["data"]}))
					if seen[key] {
						return nil
					}
					seen[key] = true
					return []helixui.Chunk{c}
				}
			})},
	}
}

// alikes err where a name resembles another one, or was another turn's.
func alikes() []Mutant {
	return []Mutant{
		{Name: "agents-by-their-prefix", Requirement: "helix-ui.mapping.agents",
			Summary: "An agent whose id begins with that of the root is the root.",
			Apply: on.Chunks().EditIn(func(t helixui.Turn, c *helixui.Chunk) {
				if id, _ := (*c)["agentId"].(string); strings.HasPrefix(id, t.Chat) {
					(*c)["agentId"] = t.Chat
				}
			})},
		{Name: "agents-in-any-case", Requirement: "helix-ui.mapping.agents",
			Summary: "An agent whose id is that of the root in another case is the root.",
			Apply: on.Chunks().EditIn(func(t helixui.Turn, c *helixui.Chunk) {
				if id, _ := (*c)["agentId"].(string); strings.EqualFold(id, t.Chat) {
					(*c)["agentId"] = t.Chat
				}
			})},
		{Name: "chats-in-any-case", Requirement: "helix-ui.history.whole", Stateful: true,
			Summary: "The column for the name of a chat compares in any case.",
			Wrap: alter.OnRequests(alter.Any, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
				lower := r.Clone(r.Context())
				lower.URL.Path, lower.URL.RawPath = strings.ToLower(r.URL.Path), strings.ToLower(r.URL.RawPath)
				next.ServeHTTP(w, lower)
			})},
		{Name: "calls-of-earlier-turns", Requirement: "helix-ui.mapping.chunks", Stateful: true,
			Also:    []string{"helix-ui.tools.arguments"},
			Summary: "The input of a call isn't sent where an earlier turn of the chat had a call of that id.",
			Apply: func(o helixui.Options) helixui.Options {
				var calls alter.PerKey[map[string]string]
				return on.Parts(on.Type("tool-input-start", "tool-input-available")).To(func(t helixui.Turn, p helixui.Part) (out []helixui.Part) {
					calls.With(t.Chat, func(turns *map[string]string) {
						if *turns == nil {
							*turns = map[string]string{}
						}
						id := p.Text("toolCallId")
						if turn, known := (*turns)[id]; !known || turn == t.MessageID {
							(*turns)[id], out = t.MessageID, []helixui.Part{p}
						}
					})
					return out
				})(o)
			}},
	}
}
