package helixui

import (
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// names err with names of events.
func names() []Mutant {
	customs := on.Chunks(on.ChunkType("custom"))
	return []Mutant{
		{Name: "events-in-lower-case", Requirement: "helix-ui.mapping.chunks",
			Summary: "The name of an event is written in lower case, as names of headers are.",
			Apply: customs.Edit(func(c *helixui.Chunk) {
				if name, is := (*c)["eventName"].(string); is {
					(*c)["eventName"] = strings.ToLower(name)
				}
			})},
		{Name: "events-of-a-name-once", Requirement: "helix-ui.mapping.chunks", Stateful: true,
			Summary: "An event that has the name of one before it in the turn is taken for the same one.",
			Apply: customs.Map(func(helixui.Turn) func(helixui.Chunk) []helixui.Chunk {
				sent := map[any]bool{}
				return func(c helixui.Chunk) []helixui.Chunk {
					if sent[c["eventName"]] {
						return nil
					}
					sent[c["eventName"]] = true
					return []helixui.Chunk{c}
				}
			})},
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
		{Name: "event-names-are-trimmed", Requirement: "helix-ui.mapping.chunks",
			Summary: "White space around the name of an event is cut off.",
			Apply: customs.Edit(func(c *helixui.Chunk) {
				if name, is := (*c)["eventName"].(string); is {
					(*c)["eventName"] = strings.TrimSpace(name)
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

// emptyContent lists mutants that err with empty content.
func emptyContent() []Mutant {
	return []Mutant{
		{Name: "empty-inputs-are-null", Requirement: "helix-ui.tools.arguments",
			Summary: "A tool that is called without arguments is said to have no input.",
			Apply: on.Parts(on.Type("tool-input-available")).Edit(changed("input", func(v any) any {
				if object, is := v.(map[string]any); is && len(object) == 0 {
					return nil
				}
				return v
			}))},
		{Name: "failures-without-words-succeed", Requirement: "helix-ui.tools.failure",
			Summary: "A call whose error has no words is told as one that returned.",
			Apply: on.Chunks(on.ChunkType("tool_end")).Edit(func(c *helixui.Chunk) {
				if (*c)["error"] == "" {
					delete(*c, "error")
				}
			})},
	}
}
