package helixui

import (
	"regexp"

	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// notInNames matches the characters that no provider accepts in the name of a tool.
var notInNames = regexp.MustCompile(`[^a-zA-Z0-9_-]`)

// members lists mutants that err with names, reasons and lists that are long or unusual, and with optional members.
func members() []Mutant {
	return []Mutant{
		{Name: "tool-names-are-cleaned", Requirement: "helix-ui.tools.arguments",
			Summary: "Characters that no provider takes are replaced in the name of a tool.",
			Apply: on.Parts(on.Type("tool-input-start", "tool-input-available")).Edit(func(p *helixui.Part) {
				(*p)["toolName"] = notInNames.ReplaceAllString(p.Text("toolName"), "_")
			})},
		{Name: "lists-of-a-hundred", Requirement: "helix-ui.tools.result",
			Summary: "Of a list in an output a hundred items are sent.",
			Apply: on.Parts(on.Type("tool-output-available")).Edit(changed("output", func(v any) any {
				return each(v, func(v any) any {
					if list, is := v.([]any); is {
						return list[:min(100, len(list))]
					}
					return v
				})
			}))},
		{Name: "reasons-of-100-characters", Requirement: "helix-ui.mapping.chunks",
			Summary: "The reason of an interruption is cut at 100 characters.",
			Apply: on.Parts(on.Type("abort")).Edit(func(p *helixui.Part) {
				if (*p)["reason"] != nil {
					(*p)["reason"] = truncated(p.Text("reason"), 100)
				}
			})},
		{Name: "event-names-of-64-characters", Requirement: "helix-ui.mapping.chunks",
			Summary: "The name of a custom event has 64 characters at most.",
			Apply: on.Chunks(on.ChunkType("custom")).Edit(func(c *helixui.Chunk) {
				name, _ := (*c)["eventName"].(string)
				(*c)["eventName"] = truncated(name, 64)
			})},
		{Name: "errors-have-two-members", Requirement: "helix-ui.mapping.chunks",
			Summary: "Of an error that passes its text is sent, and that it can be recovered.",
			Apply: on.Chunks(on.ChunkType("error")).Edit(func(c *helixui.Chunk) {
				*c = helixui.Chunk{"type": "error", "agentId": (*c)["agentId"], "error": (*c)["error"], "recoverable": (*c)["recoverable"]}
			})},
	}
}
