package helixui

import (
	"encoding/json"
	"slices"

	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// envelopes lists mutants that err with values that resemble envelopes of values.
func envelopes() []Mutant {
	return []Mutant{
		{Name: "results-with-an-error-fail", Requirement: "helix-ui.tools.result",
			Summary: "What a tool returns is told as a failure where it has a member error.",
			Apply: on.Parts(on.Type("tool-output-available")).Edit(func(p *helixui.Part) {
				if object, is := decoded((*p)["output"]).(map[string]any); is && object["error"] != nil {
					*p = helixui.Part{"type": "tool-output-error", "toolCallId": (*p)["toolCallId"], "errorText": "the tool failed"}
				}
			})},
		{Name: "results-are-unwrapped", Requirement: "helix-ui.tools.result",
			Summary: "Of what a tool returns its value is told where it has that and nothing else.",
			Apply: on.Parts(on.Type("tool-output-available")).Edit(changed("output", func(v any) any {
				if object, is := v.(map[string]any); is && len(object) == 1 && object["value"] != nil {
					return object["value"]
				}
				return v
			}))},
		{Name: "steps-are-left-out-everywhere", Requirement: "helix-ui.mapping.chunks",
			Summary: "The members that all chunks have are left out of what a sub-agent found, too.",
			Apply: on.Parts(on.Type("data-subagent")).Edit(changed("data", func(v any) any {
				return each(v, func(v any) any {
					if object, is := v.(map[string]any); is {
						delete(object, "step")
						delete(object, "timestamp")
					}
					return v
				})
			}))},
	}
}

// doubles lists mutants that err with repeated values, or with falsy ones.
func doubles() []Mutant {
	return []Mutant{
		{Name: "counts-of-none", Requirement: "helix-ui.mapping.chunks",
			Summary: "A count that is 0 is left out of what is told of a run.",
			Apply: on.Chunks(on.ChunkType("run_resumed", "stream_resync")).Edit(func(c *helixui.Chunk) {
				for name, v := range *c {
					if string(written(v)) == "0" {
						delete(*c, name)
					}
				}
			})},
		{Name: "results-are-read-twice", Requirement: "helix-ui.mapping.chunks",
			Summary: "A result that is a text with an object in JSON is sent as the object.",
			Apply: on.Parts(on.Type("data-output")).Edit(changed("data", func(v any) any {
				if text, is := v.(string); is && len(text) > 2 && text[0] == '{' {
					return decoded(json.RawMessage(text))
				}
				return v
			}))},
		{Name: "patches-of-a-path-are-one", Requirement: "helix-ui.mapping.chunks",
			Summary: "Of the operations of a patch the last one of each path is sent.",
			Apply: on.Parts(on.Type("data-state")).Edit(changed("data", func(v any) any {
				operations, is := v.([]any)
				if !is { // of an event of that name
					return v
				}
				out := []any{}
				for _, o := range operations {
					operation, _ := o.(map[string]any)
					out = slices.DeleteFunc(out, func(other any) bool { before, _ := other.(map[string]any); return before["path"] == operation["path"] })
					out = append(out, o)
				}
				return out
			}))},
	}
}
