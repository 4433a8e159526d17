package run

import (
	"encoding/json"
	"slices"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

func runCustom() []edit.Mutant {
	onData := func(change func(data json.RawMessage) any) on.Apply {
		return on.Written(on.Type("custom")).With(func(c runtime.Chunk) { c["data"] = change(edit.RawMember(c, "data")) })
	}
	return []edit.Mutant{
		// Mutants that change the data of events.
		{Name: "event-data-falsy-dropped", Requirement: "helix.custom.unchanged",
			Summary: "Data that is false, 0 or an empty text is taken for none.",
			Apply: onData(func(data json.RawMessage) any {
				switch string(data) {
				case "0", "false", `""`:
					return nil
				}
				return data
			})},
		{Name: "event-data-by-name", Requirement: "helix.custom.unchanged", Stateful: true,
			Summary: "An event carries the data that the first one of its name had.",
			Apply:   on.Written(on.Type("custom")).Stick("data", "eventName")},

		// Mutants that delay events, or let them be overtaken.
		{Name: "event-waits-for-call", Requirement: "helix.custom.in-place", Stateful: true, Also: []string{"helix.runs.clock"},
			Summary: "An event that is emitted while a tool works is sent when that has ended.",
			Apply:   on.Written(on.Type("custom").Within(on.Type("tool_start"), on.Type("tool_end"))).HoldBehind(on.Type("tool_end"))},
		{Name: "later-events-overtaken", Requirement: "helix.custom.in-place", Stateful: true, Also: []string{"helix.runs.clock"},
			Summary: "From the second event on, one is overtaken by the chunk that follows it.",
			Apply:   on.Written(on.Type("custom").From(2)).Delay(on.Any())},
	}
}

// isContentKind reports whether chunks of a type are content of an agent's message.
func isContentKind(kind string) bool {
	return slices.Contains([]string{"text_delta", "thinking", "tool_start", "tool_end", "custom", "error", "output"}, kind)
}
