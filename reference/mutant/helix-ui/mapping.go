package helixui

import (
	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// mapping lists mutants that map chunks to other parts than the table of the spec.
func mapping() []Mutant {
	return []Mutant{
		{Name: "custom-events-are-left-out", Requirement: "helix-ui.mapping.chunks",
			Summary: "What tools emit has no part of its own, and is dropped.",
			Apply:   on.Chunks(on.ChunkType("custom")).Drop()},
		{Name: "every-error-ends-the-message", Requirement: "helix-ui.mapping.chunks",
			Summary: "An error after which the agent goes on is an error part, at which clients give up.",
			Apply: on.Chunks(on.ChunkType("error")).Edit(func(c *helixui.Chunk) {
				(*c)["recoverable"] = false
			})},
		{Name: "patches-are-kept", Requirement: "helix-ui.mapping.transient",
			Summary: "State patches stay in the message, and come again with its history.",
			Apply:   on.Parts(on.Type("data-state")).Edit(set("transient", false))},
		{Name: "requests-for-unknown-calls-are-dropped", Requirement: "helix-ui.mapping.approval-first",
			Summary: "A request for approval is joined to the tool_start of its call, or dropped.",
			Apply:   on.Chunks().Map(knownCalls)},
		{Name: "everybody-speaks", Requirement: "helix-ui.mapping.agents",
			Summary: "What a sub-agent says is text of the root agent.",
			Apply: on.Chunks(on.ChunkType("text_delta")).Edit(func(c *helixui.Chunk) {
				delete(*c, "agentId")
			})},
	}
}

// knownCalls drops requests for the approval of calls without a tool_start.
func knownCalls(helixui.Turn) func(helixui.Chunk) []helixui.Chunk {
	known := map[any]bool{}
	return func(c helixui.Chunk) []helixui.Chunk {
		switch id := c["toolCallId"]; c["type"] {
		case "tool_start":
			known[id] = true
		case "tool_approval_request":
			if !known[id] {
				return nil
			}
		}
		return []helixui.Chunk{c}
	}
}
