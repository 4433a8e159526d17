package helixui

import (
	"bytes"
	"encoding/json"

	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// rareCounts err beyond a number of parts.
func rareCounts() []Mutant {
	return []Mutant{
		{Name: "every-hundredth-delta", Requirement: "helix-ui.text.whole", Stateful: true,
			Summary: "Every hundredth delta of a turn is lost where a buffer is emptied.",
			Apply:   on.Parts(on.Type("text-delta").Every(100)).Drop()},
		{Name: "sixty-four-thoughts", Requirement: "helix-ui.reasoning.whole", Stateful: true,
			Summary: "Of what the model thinks in a turn the first 64 pieces are shown.",
			Apply:   on.Parts(on.Type("reasoning-delta").From(65)).Drop()},
		{Name: "ten-outputs", Requirement: "helix-ui.tools.result", Stateful: true,
			Summary: "From the eleventh call of a turn on an output is that of the tenth.",
			Apply: on.Parts(on.Type("tool-output-available")).EditSequence(func(helixui.Turn) func(*helixui.Part) {
				n, tenth := 0, any(nil)
				return func(p *helixui.Part) {
					if n++; n == 10 {
						tenth = (*p)["output"]
					}
					if n > 10 {
						(*p)["output"] = tenth
					}
				}
			})},
		{Name: "twenty-steps", Requirement: "helix-ui.mapping.chunks", Stateful: true,
			Summary: "Behind twenty steps a step that is committed isn't finished before the message is.",
			Apply:   on.Chunks(on.ChunkType("step_committed").From(21)).Drop()},
		{Name: "patches-side-by-side", Requirement: "helix-ui.mapping.chunks", Stateful: true,
			Summary: "Of two state patches in a row the second is taken for the first come again.",
			Apply: on.Chunks().Map(func(helixui.Turn) func(helixui.Chunk) []helixui.Chunk {
				before := false
				return func(c helixui.Chunk) []helixui.Chunk {
					patch := c["type"] == "state_patch"
					again := patch && before
					if before = patch && !again; again {
						return nil
					}
					return []helixui.Chunk{c}
				}
			})},
		{Name: "third-error-ends-the-run", Requirement: "helix-ui.mapping.chunks", Stateful: true,
			Summary: "The third error that the agent outlives is taken for its end.",
			Apply: on.Chunks(on.ChunkType("error").Nth(3)).Edit(func(c *helixui.Chunk) {
				(*c)["recoverable"] = false
			})},
	}
}

// written is a value as JSON.
func written(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // it was read
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// decoded is a value as encoding/json decodes it.
func decoded(v any) any {
	var out any
	_ = json.Unmarshal(written(v), &out)
	return out
}

// truncated returns the beginning of a text, in complete characters.
func truncated(text string, most int) string {
	if len(text) > most {
		text = string(bytes.ToValidUTF8([]byte(text[:most]), nil))
	}
	return text
}

// changed gives a member another value, computed from the old one.
func changed(member string, change func(any) any) func(*helixui.Part) {
	return func(p *helixui.Part) {
		if v, there := (*p)[member]; there {
			(*p)[member] = change(decoded(v))
		}
	}
}

// sizes err where something is large or long.
func sizes() []Mutant {
	return []Mutant{
		{Name: "deltas-of-64-kib", Requirement: "helix-ui.text.whole",
			Summary: "A delta is read up to 64 KiB, and the rest of it is thrown away.",
			Apply: on.Parts(on.Type("text-delta")).Edit(func(p *helixui.Part) {
				(*p)["delta"] = truncated(p.Text("delta"), 64<<10)
			})},
		{Name: "outputs-of-64-kib", Requirement: "helix-ui.tools.result",
			Summary: "An output beyond 64 KiB is told as one that was cut.",
			Apply: on.Parts(on.Type("tool-output-available")).Edit(func(p *helixui.Part) {
				if len(written((*p)["output"])) > 64<<10 {
					(*p)["output"] = "(too long)"
				}
			})},
		{Name: "lines-of-1-mib", Requirement: "helix-ui.tools.result",
			Summary: "A gateway leaves out events of a MiB and more.",
			Apply: on.Frames(on.Event("tool-output-available")).Bytes(func(whole []byte, _ helixui.Event) []byte {
				if len(whole) >= 1<<20 {
					return nil
				}
				return whole
			})},
		{Name: "call-ids-of-100-characters", Requirement: "helix-ui.mapping.chunks",
			Summary: "The column for the id of a call has 100 characters, so that two long ones are one.",
			Also:    []string{"helix-ui.tools.once", "helix-ui.tools.output-once", "helix-ui.tools.closed"},
			Apply: on.Parts().Edit(func(p *helixui.Part) {
				if id := p.Text("toolCallId"); id != "" {
					(*p)["toolCallId"] = truncated(id, 100)
				}
			})},
		{Name: "tool-names-of-64-characters", Requirement: "helix-ui.tools.arguments", Also: []string{"helix-ui.mapping.chunks"},
			Summary: "The name of a tool has 64 characters, as a provider has it.",
			Apply: on.Parts().Edit(func(p *helixui.Part) {
				if name := p.Text("toolName"); name != "" {
					(*p)["toolName"] = truncated(name, 64)
				}
			})},
	}
}

// agents err where other agents than the root say something.
func agents() []Mutant {
	return []Mutant{
		{Name: "sub-agents-call-tools", Requirement: "helix-ui.mapping.agents",
			Summary: "Calls of sub-agents are shown as calls of the root agent.",
			Apply: on.Chunks(on.ChunkType("tool_start", "tool_end")).Edit(func(c *helixui.Chunk) {
				delete(*c, "agentId")
			})},
		{Name: "the-latest-sub-agent-ends", Requirement: "helix-ui.mapping.chunks", Stateful: true,
			Summary: "The end of a sub-agent is told of the one that began last.",
			Apply: on.Chunks(on.ChunkType("subagent_end")).EditBy(on.ChunkType("subagent_start"), func(c *helixui.Chunk, last helixui.Chunk) {
				(*c)["callId"] = last["callId"]
			})},
	}
}
