package helixui

import (
	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// asTheRoot takes chunks of some types for chunks of the root agent.
func asTheRoot(kinds ...string) on.Apply {
	return on.Chunks(on.ChunkType(kinds...)).Edit(func(c *helixui.Chunk) { delete(*c, "agentId") })
}

// unauthorized lists mutants that err on the identity of an agent: a child that was named before, the root by its name, and
// parts of other agents that aren't text.
func unauthorized() []Mutant {
	return []Mutant{
		{Name: "children-that-are-done-speak", Requirement: "helix-ui.mapping.agents", Stateful: true,
			Summary: "A sub-agent is forgotten when it ends, and what it still says is taken for what the root agent says.",
			Apply: on.Chunks().EditSequence(func(helixui.Turn) func(*helixui.Chunk) {
				done := map[any]bool{}
				return func(c *helixui.Chunk) {
					if (*c)["type"] == "subagent_end" {
						done[(*c)["subSessionId"]] = true
					} else if done[(*c)["agentId"]] {
						delete(*c, "agentId")
					}
				}
			})},
		{Name: "the-root-by-its-name", Requirement: "helix-ui.mapping.chunks",
			Summary: "Events and results that name their agent are taken for those of a sub-agent.",
			Apply: on.Chunks(on.ChunkType("custom", "output", "state_patch", "subagent_start", "subagent_end")).Map(func(t helixui.Turn) func(helixui.Chunk) []helixui.Chunk {
				return func(c helixui.Chunk) []helixui.Chunk {
					if c["agentId"] == t.Chat {
						return nil
					}
					return []helixui.Chunk{c}
				}
			})},
		{Name: "results-of-sub-agents", Requirement: "helix-ui.mapping.agents",
			Summary: "The result of a sub-agent is shown as the result of the message.",
			Apply:   asTheRoot("output")},
	}
}
