package helixui

import (
	"bytes"

	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// renamed gives a member of a part another name.
func renamed(from, to string) func(*helixui.Part) {
	return func(p *helixui.Part) {
		if v, there := (*p)[from]; there {
			delete(*p, from)
			(*p)[to] = v
		}
	}
}

// set gives a member of a part another value.
func set(name string, value any) func(*helixui.Part) {
	return func(p *helixui.Part) { (*p)[name] = value }
}

// parts get the form of parts wrong.
func parts() []Mutant {
	return []Mutant{
		{Name: "quotes-without-escapes", Requirement: "helix-ui.parts.object",
			Summary: "The data is put together from strings, and quotes in a text stay as they are.",
			Apply: on.Frames(on.Event("text-delta")).Bytes(func(whole []byte, _ helixui.Event) []byte {
				return bytes.ReplaceAll(whole, []byte(`\"`), []byte(`"`))
			})},
		{Name: "deltas-without-id", Requirement: "helix-ui.parts.members",
			Summary: "A delta says what it adds, and not to which part.",
			Apply:   on.Frames(on.Event("text-delta", "reasoning-delta")).Remove("id")},
		{Name: "outputs-named-results", Requirement: "helix-ui.parts.members",
			Summary: "What a tool returns stands under result, as in an older version.",
			Also:    []string{"helix-ui.tools.result", "helix-ui.mapping.chunks"},
			Apply:   on.Parts(on.Type("tool-output-available")).Edit(renamed("output", "result"))},
		{Name: "reasons-of-the-provider", Requirement: "helix-ui.parts.optional",
			Summary: "The finish reason is the provider's own word.",
			Also:    []string{"helix-ui.flow.reason"},
			Apply:   on.Parts(on.Type("finish")).Edit(set("finishReason", "end_turn"))},
		{Name: "data-beside-the-type", Requirement: "helix-ui.parts.data",
			Summary: "The value of a data part stands under value.",
			Also:    []string{"helix-ui.mapping.chunks"},
			Apply: on.Parts().Edit(func(p *helixui.Part) {
				if len(p.Type()) > 5 && p.Type()[:5] == "data-" {
					renamed("data", "value")(p)
				}
			})},
		{Name: "parts-of-its-own", Requirement: "helix-ui.parts.known",
			Summary: "A ping is sent as a part.",
			Apply: on.Parts(on.Type("start")).Follow(func(helixui.Turn, helixui.Part) []helixui.Part {
				return []helixui.Part{{"type": "ping"}}
			})},
	}
}
