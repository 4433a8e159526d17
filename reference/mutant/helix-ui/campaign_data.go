package helixui

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// rareTexts err for some texts.
func rareTexts() []Mutant {
	replaced := func(kind string, pairs ...string) on.Apply {
		r := strings.NewReplacer(pairs...)
		return on.Parts(on.Type(kind)).Edit(func(p *helixui.Part) { (*p)["delta"] = r.Replace(p.Text("delta")) })
	}
	return []Mutant{
		{Name: "separators-are-line-feeds", Requirement: "helix-ui.text.whole",
			Summary: "The separators of lines and paragraphs are line feeds once they were sent.",
			Apply:   replaced("text-delta", "\u2028", "\n", "\u2029", "\n")},
		{Name: "no-joiners-in-thoughts", Requirement: "helix-ui.reasoning.whole",
			Summary: "Characters without a width are taken out of thoughts.",
			Apply:   replaced("reasoning-delta", "\u200d", "", "\u200b", "", "\ufeff", "")},
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

// depth returns how many levels a value is nested.
func depth(v any) int {
	most := 0
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			most = max(most, 1+depth(member))
		}
	case []any:
		for _, item := range v {
			most = max(most, 1+depth(item))
		}
	}
	return most
}

// outputs err for some JSON that a tool returns.
func outputs() []Mutant {
	outputs := on.Parts(on.Type("tool-output-available"))
	return []Mutant{
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
		{Name: "outputs-of-32-levels", Requirement: "helix-ui.tools.result",
			Summary: "An output that is nested deeper than 32 levels is told as a text.",
			Apply: outputs.Edit(changed("output", func(v any) any {
				if depth(v) > 32 {
					return string(written(v))
				}
				return v
			}))},
		{Name: "json-in-texts", Requirement: "helix-ui.tools.result",
			Summary: "An output that is a text with JSON in it is told as that JSON.",
			Apply: outputs.Edit(changed("output", func(v any) any {
				if text, is := v.(string); is && json.Valid([]byte(text)) {
					return json.RawMessage(text)
				}
				return v
			}))},
	}
}

// inputs err for some JSON that a tool takes, or that is custom.
func inputs() []Mutant {
	inputs := on.Parts(on.Type("tool-input-available"))
	customs := on.Chunks(on.ChunkType("custom"))
	return []Mutant{
		{Name: "numbers-in-texts", Requirement: "helix-ui.tools.arguments",
			Summary: "A text of an input that looks like a number is one.",
			Apply: inputs.Edit(changed("input", func(v any) any {
				return each(v, func(v any) any {
					text, is := v.(string)
					if n, err := strconv.ParseFloat(text, 64); is && err == nil && !math.IsInf(n, 0) && !math.IsNaN(n) {
						return n
					}
					return v
				})
			}))},
		{Name: "inputs-without-nulls", Requirement: "helix-ui.tools.arguments",
			Summary: "Members of an input that are null are left out.",
			Apply: inputs.Edit(changed("input", func(v any) any {
				return each(v, func(v any) any {
					object, is := v.(map[string]any)
					for name, member := range object {
						if is && member == nil {
							delete(object, name)
						}
					}
					return v
				})
			}))},
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
	}
}

// severalCalls lists mutants that err where there are several calls.
func severalCalls() []Mutant {
	return []Mutant{
		{Name: "outputs-in-the-order-of-calls", Requirement: "helix-ui.tools.result", Stateful: true,
			Summary: "Where calls run side by side, an output is told of the call that has waited longest.",
			Apply: on.Parts(on.Type("tool-input-available", "tool-output-available", "tool-output-error")).EditSequence(func(helixui.Turn) func(*helixui.Part) {
				var waiting []any
				return func(p *helixui.Part) {
					if p.Type() == "tool-input-available" {
						waiting = append(waiting, (*p)["toolCallId"])
						return
					}
					if len(waiting) > 0 {
						(*p)["toolCallId"], waiting = waiting[0], waiting[1:]
					}
				}
			})},
		{Name: "outputs-from-a-cache", Requirement: "helix-ui.tools.result", Stateful: true,
			Summary: "A call with the tool and the input of one before gets its output.",
			Apply: on.Parts(on.Type("tool-input-available", "tool-output-available")).EditSequence(func(helixui.Turn) func(*helixui.Part) {
				asked, known := map[any]string{}, map[string]any{}
				return func(p *helixui.Part) {
					id := (*p)["toolCallId"]
					if p.Type() == "tool-input-available" {
						asked[id] = p.Text("toolName") + string(written((*p)["input"]))
						return
					}
					if before, there := known[asked[id]]; there {
						(*p)["output"] = before
					}
					known[asked[id]] = (*p)["output"]
				}
			})},
		{Name: "a-failure-fails-the-others", Requirement: "helix-ui.tools.result", Stateful: true,
			Summary: "Behind a call that fails, those that run beside it are said to fail too.",
			Apply: on.Chunks(on.ChunkType("tool_start", "tool_end")).EditSequence(func(helixui.Turn) func(*helixui.Chunk) {
				running, failed := map[any]bool{}, map[any]bool{}
				return func(c *helixui.Chunk) {
					id := (*c)["toolCallId"]
					if (*c)["type"] == "tool_start" {
						running[id] = true
						return
					}
					delete(running, id)
					if failed[id] {
						(*c)["error"] = "another call failed"
					} else if (*c)["error"] != nil {
						for other := range running {
							failed[other] = true
						}
					}
				}
			})},
	}
}
