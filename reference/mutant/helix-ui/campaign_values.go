package helixui

import (
	"encoding/json"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// rareValues lists the mutants that some names, sizes, texts or equal values show.
func rareValues() []Mutant {
	outputs := on.Parts(on.Type("tool-output-available"))

	customs := on.Chunks(on.ChunkType("custom"))

	return []Mutant{
		// These err for some texts.
		{Name: "same-delta-again", Requirement: "helix-ui.text.whole", Stateful: true,
			Summary: "A third delta in a row that says the same is taken for one that was sent again.",
			Apply: on.Parts(on.Type("text-delta")).Map(func(helixui.Turn) func(helixui.Part) []helixui.Part {
				last, n := "", 0
				return func(p helixui.Part) []helixui.Part {
					if n++; p.Text("delta") != last {
						last, n = p.Text("delta"), 1
					}
					if n >= 3 {
						return nil
					}
					return []helixui.Part{p}
				}
			})},

		// These err for some JSON that a tool returns.
		{Name: "no-output-is-empty", Requirement: "helix-ui.tools.result",
			Summary: "A tool that returns null is said to return an empty object.",
			Apply: outputs.Edit(changed("output", func(v any) any {
				if v == nil {
					return map[string]any{}
				}
				return v
			}))},
		{Name: "nul-ends-an-output", Requirement: "helix-ui.tools.result",
			Summary: "A text of an output ends at a NUL, as one of C does.",
			Apply: outputs.Edit(changed("output", func(v any) any {
				return each(v, func(v any) any {
					if text, is := v.(string); is {
						v, _, _ = strings.Cut(text, "\x00")
					}
					return v
				})
			}))},
		{Name: "outputs-that-are-false", Requirement: "helix-ui.tools.result",
			Summary: "An output that is false, 0 or empty is said to be null.",
			Apply: outputs.Edit(changed("output", func(v any) any {
				if v == false || v == 0.0 || v == "" {
					return nil
				}
				return v
			}))},

		// These err for some JSON that a tool takes, or that is custom.
		{Name: "members-without-a-name", Requirement: "helix-ui.mapping.chunks",
			Summary: "A member of custom data whose name is empty is left out.",
			Apply: customs.Edit(func(c *helixui.Chunk) {
				(*c)["data"] = each(decoded((*c)["data"]), func(v any) any {
					if object, is := v.(map[string]any); is {
						delete(object, "")
					}
					return v
				})
			})},
		{Name: "large-numbers-are-texts", Requirement: "helix-ui.mapping.chunks",
			Summary: "A number of custom data beyond 32 bits is written as a text.",
			Apply: customs.Edit(func(c *helixui.Chunk) {
				(*c)["data"] = each(decoded((*c)["data"]), func(v any) any {
					if n, is := v.(float64); is && math.Abs(n) > 1<<32 {
						return strconv.FormatFloat(n, 'g', -1, 64)
					}
					return v
				})
			})},

		// Mutants that err with empty content.
		{Name: "failures-without-words-succeed", Requirement: "helix-ui.tools.failure",
			Summary: "A call whose error has no words is told as one that returned.",
			Apply: on.Chunks(on.ChunkType("tool_end")).Edit(func(c *helixui.Chunk) {
				if (*c)["error"] == "" {
					delete(*c, "error")
				}
			})},

		// Mutants that err where a value equals an earlier one.
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

		// These err where a name resembles another one, or was another turn's.
		{Name: "agents-in-any-case", Requirement: "helix-ui.mapping.agents",
			Summary: "An agent whose id is that of the root in another case is the root.",
			Apply: on.Chunks().EditIn(func(t helixui.Turn, c *helixui.Chunk) {
				if id, _ := (*c)["agentId"].(string); strings.EqualFold(id, t.Chat) {
					(*c)["agentId"] = t.Chat
				}
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

		// These err where a chat, a text or an absence is long.
		{Name: "history-of-twenty", Requirement: "helix-ui.history.whole", Stateful: true,
			Summary: "The history is the window of twenty messages that the model gets.",
			Apply: onHistory(func(all []helixui.Message) []helixui.Message {
				return all[max(0, len(all)-20):]
			})},
		{Name: "blocks-of-8-kib", Requirement: "helix-ui.text.whole",
			Summary: "A delta is decoded in blocks of 8 KiB, each by itself.",
			Apply: on.Parts(on.Type("text-delta")).Edit(func(p *helixui.Part) {
				text, out := p.Text("delta"), ""
				for len(text) > 0 {
					n := min(len(text), 8<<10)
					out += strings.ToValidUTF8(text[:n], string(utf8.RuneError))
					text = text[n:]
				}
				(*p)["delta"] = out
			})},
		{Name: "history-of-fifty", Requirement: "helix-ui.history.whole", Stateful: true,
			Summary: "The history is a page of fifty messages.",
			Apply: onHistory(func(all []helixui.Message) []helixui.Message {
				return all[:min(50, len(all))]
			})},
		{Name: "user-texts-of-32-kib", Requirement: "helix-ui.history.whole",
			Summary: "What the user says is kept up to 32 KiB.",
			Apply:   onUserTexts(func(_ int, text string) string { return truncated(text, 32<<10) })},
		{Name: "empty-metadata-is-none", Requirement: "helix-ui.metadata.start",
			Summary: "Metadata without members isn't sent.",
			Apply: on.Parts(on.Type("start", "finish")).Edit(func(p *helixui.Part) {
				if m, is := (*p)["messageMetadata"].(map[string]any); is && len(m) == 0 {
					delete(*p, "messageMetadata")
				}
			})},
		{Name: "metadata-of-32-kib", Requirement: "helix-ui.metadata.finish",
			Summary: "Metadata of more than 32 KiB is left out of a finish.",
			Apply: on.Parts(on.Type("finish")).Edit(func(p *helixui.Part) {
				if len(written((*p)["messageMetadata"])) > 32<<10 {
					delete(*p, "messageMetadata")
				}
			})},
		unreadTurns(),

		// Mutants that err with repeated values, or with falsy ones.
		{Name: "results-are-read-twice", Requirement: "helix-ui.mapping.chunks",
			Summary: "A result that is a text with an object in JSON is sent as the object.",
			Apply: on.Parts(on.Type("data-output")).Edit(changed("data", func(v any) any {
				if text, is := v.(string); is && len(text) > 2 && text[0] == '{' {
					return decoded(json.RawMessage(text))
				}
				return v
			}))},
	}
}

// each changes every value in a value, the innermost first.
func each(v any, change func(any) any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, member := range v {
			out[name] = each(member, change)
		}
		return change(out)
	case []any:
		out := []any{}
		for _, item := range v {
			out = append(out, each(item, change))
		}
		return change(out)
	}
	return change(v)
}

// names err with names of events.
func names() []Mutant {
	customs := on.Chunks(on.ChunkType("custom"))
	return []Mutant{
		{Name: "names-that-are-taken", Requirement: "helix-ui.mapping.chunks",
			Summary: "An event that is named as data of the protocol's own isn't sent, lest it be taken for that.",
			Apply: on.Chunks(on.ChunkType("custom")).Map(func(helixui.Turn) func(helixui.Chunk) []helixui.Chunk {
				return func(c helixui.Chunk) []helixui.Chunk {
					switch c["eventName"] {
					case "error", "output", "run", "subagent", "state", "resync":
						return nil
					}
					return []helixui.Chunk{c}
				}
			})},
		{Name: "event-names-of-data", Requirement: "helix-ui.mapping.chunks",
			Summary: "The name of an event that begins as the types of its parts do isn't given that beginning again.",
			Apply: customs.Edit(func(c *helixui.Chunk) {
				if name, is := (*c)["eventName"].(string); is {
					(*c)["eventName"] = strings.TrimPrefix(name, "data-")
				}
			})},
	}
}

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

// onUserTexts changes the texts of the user's messages, each by its index in its message.
func onUserTexts(change func(n int, text string) string) on.Apply {
	return onHistory(func(all []helixui.Message) []helixui.Message {
		for i, m := range all {
			if m.Role != "user" {
				continue
			}
			all[i].Parts = slices.Clone(m.Parts)
			for n, p := range m.Parts {
				if p.Type() == "text" {
					all[i].Parts[n] = maps.Clone(p)
					all[i].Parts[n]["text"] = change(n, p.Text("text"))
				}
			}
		}
		return all
	})
}

// unreadTurns loses the output of a turn while it has no reader.
func unreadTurns() Mutant {
	var readers, unread alter.PerKey[int]
	return Mutant{Name: "unread-turns-have-128-parts", Requirement: "helix-ui.resume.goes-on", Stateful: true,
		Also:    []string{"helix-ui.text.whole"},
		Summary: "While nobody reads a turn, the queue of its parts has room for 128.",
		Apply: on.Parts(on.Type("text-delta", "reasoning-delta")).To(func(t helixui.Turn, p helixui.Part) []helixui.Part {
			if readers.Get(t.Chat) > 0 {
				unread.Set(t.Chat, 0)
			} else if alter.Count(&unread, t.Chat) > 128 {
				return nil
			}
			return []helixui.Part{p}
		}),
		Wrap: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				chat, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/chat/"), "/")
				if rest == "" || rest == "stream" {
					readers.With(chat, func(n *int) { *n++ })
					defer readers.With(chat, func(n *int) { *n-- })
				}
				next.ServeHTTP(w, r)
			})
		}}
}
