package helixui

import (
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/helix-ui"
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// content lists the mutants of content.
func content() []Mutant {
	asText := func(p *helixui.Part) {
		(*p)["type"] = "text-" + strings.TrimPrefix(p.Type(), "reasoning-")
	}

	return []Mutant{
		// These get text parts wrong.
		{Name: "text-without-start", Requirement: "helix-ui.text.opened", Also: []string{"helix-ui.mapping.chunks", "helix-ui.steps.tool-turn"},
			Summary: "A text begins with its first delta.",
			Apply:   on.Parts(on.Type("text-start")).Drop()},
		{Name: "delta-after-end", Requirement: "helix-ui.text.opened", Stateful: true,
			Summary: "The end of a text overtakes its last delta.",
			Apply:   on.Parts(on.Type("text-delta")).Delay(on.Type("text-end"))},
		{Name: "text-stays-open", Requirement: "helix-ui.text.closed", Also: []string{"helix-ui.text.step", "helix-ui.mapping.chunks"},
			Summary: "A text is never said to be over.",
			Apply:   on.Parts(on.Type("text-end")).Drop()},
		{Name: "start-per-delta", Requirement: "helix-ui.text.unique",
			Summary: "The start of a text is sent again with its second delta.",
			Apply: on.Parts(on.Type("text-delta").Nth(2)).To(func(_ helixui.Turn, p helixui.Part) []helixui.Part {
				return []helixui.Part{{"type": "text-start", "id": p["id"]}, p}
			})},
		{Name: "text-ends-behind-its-step", Requirement: "helix-ui.text.step",
			Summary: "The step is finished first, and then the text in it.",
			Apply:   on.Parts(on.Type("text-end")).Delay(on.Type("finish-step"))},
		{Name: "loses-a-delta", Requirement: "helix-ui.text.whole", Stateful: true,
			Summary: "The third delta of a turn is lost between two buffers.",
			Apply:   on.Parts(on.Type("text-delta").Nth(3)).Drop()},
		{Name: "texts-at-once", Requirement: "helix-ui.text.live",
			Summary: "The deltas of a text are sent when it is over.",
			Apply:   on.Parts(on.Type("text-delta")).HoldUntil(on.Type("text-end"))},

		// Mutants whose reasoning parts are wrong.
		{Name: "reasoning-without-start", Requirement: "helix-ui.reasoning.opened", Also: []string{"helix-ui.mapping.chunks"},
			Summary: "A thought begins with its first delta.",
			Apply:   on.Parts(on.Type("reasoning-start")).Drop()},
		{Name: "reasoning-stays-open", Requirement: "helix-ui.reasoning.closed",
			Summary: "A thought is never said to be over.",
			Also:    []string{"helix-ui.reasoning.step", "helix-ui.mapping.chunks"},
			Apply:   on.Parts(on.Type("reasoning-end")).Drop()},
		{Name: "reasoning-start-per-delta", Requirement: "helix-ui.reasoning.unique",
			Summary: "The start of a thought is sent again with its second delta.",
			Apply: on.Parts(on.Type("reasoning-delta").Nth(2)).To(func(_ helixui.Turn, p helixui.Part) []helixui.Part {
				return []helixui.Part{{"type": "reasoning-start", "id": p["id"]}, p}
			})},
		{Name: "reasoning-ends-behind-its-step", Requirement: "helix-ui.reasoning.step",
			Summary: "A thought that ends a step is ended behind it.",
			Apply:   on.Parts(on.Type("reasoning-end")).Delay(on.Type("finish-step"))},
		{Name: "trims-thoughts", Requirement: "helix-ui.reasoning.whole",
			Summary: "White space around a delta of a thought is lost.",
			Apply:   on.Parts(on.Type("reasoning-delta")).Edit(trimmed)},
		{Name: "thoughts-as-texts", Requirement: "helix-ui.reasoning.apart",
			Summary: "What the model thinks is shown as what it says.",
			Also:    []string{"helix-ui.mapping.chunks"},
			Apply:   on.Parts(on.Type("reasoning-start", "reasoning-delta", "reasoning-end")).Edit(asText)},
	}
}

// trimmed takes the white space off a delta.
func trimmed(p *helixui.Part) { (*p)["delta"] = strings.TrimSpace(p.Text("delta")) }
