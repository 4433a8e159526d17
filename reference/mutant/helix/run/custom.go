package run

import (
	"bytes"
	"encoding/json"
	"slices"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

func runCustom() []edit.Mutant {
	return slices.Concat(customData(), customDelayed())
}

// customData change the data of events.
func customData() []edit.Mutant {
	onData := func(change func(data json.RawMessage) any) on.Apply {
		return on.Written(on.Type("custom")).With(func(c runtime.Chunk) { c["data"] = change(edit.RawMember(c, "data")) })
	}
	return []edit.Mutant{
		{Name: "event-data-as-text", Requirement: "helix.custom.unchanged",
			Summary: "The data of an event is the text of its JSON.",
			Apply:   onData(func(data json.RawMessage) any { return string(data) })},
		{Name: "event-data-wrapped", Requirement: "helix.custom.unchanged",
			Summary: "Data that is no object becomes the member value of one.",
			Apply: onData(func(data json.RawMessage) any {
				if bytes.HasPrefix(data, []byte("{")) {
					return data
				}
				return map[string]json.RawMessage{"value": data}
			})},
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
	}
}

// customDelayed delay events, or let them be overtaken.
func customDelayed() []edit.Mutant {
	return []edit.Mutant{
		{Name: "event-waits-for-call", Requirement: "helix.custom.in-place", Stateful: true,
			Summary: "An event that is emitted while a tool works is sent when that has ended.",
			Also:    []string{"helix.runs.clock"},
			Apply:   on.Written(on.Type("custom").Within(on.Type("tool_start"), on.Type("tool_end"))).HoldBehind(on.Type("tool_end"))},
		{Name: "later-events-overtaken", Requirement: "helix.custom.in-place", Stateful: true,
			Summary: "From the second event on, one is overtaken by the chunk that follows it.",
			Also:    []string{"helix.runs.clock"},
			Apply:   on.Written(on.Type("custom").From(2)).Delay(on.Any())},
		{Name: "events-at-end-of-step", Requirement: "helix.custom.in-place",
			Summary: "Events are collected and sent when the step is over.",
			Also:    []string{"helix.runs.clock"},
			Apply:   on.Written(on.Type("custom")).HoldUntil(content().Not())},
	}
}

// content matches the content of an agent's message.
func content() on.Writing {
	return on.If(func(c runtime.Chunk) bool { return isContentKind(c.Type()) })
}

// isContentKind reports whether chunks of a type are content of an agent's message.
func isContentKind(kind string) bool {
	return slices.Contains([]string{"text_delta", "thinking", "tool_start", "tool_end", "custom", "error", "output"}, kind)
}
