package aep

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	on "github.com/streamcert/streamcert/reference/alter/aep"
)

// deepAmounts are mutants in which something large is kept in something that isn't: a list, a name, a column.
func deepAmounts() []Mutant {
	return []Mutant{
		{Name: "lists-of-a-thousand", Requirement: "aep.actions.unchanged",
			Summary: "A list in a payload ends after its thousandth item.",
			Apply: onPayload(func(payload json.RawMessage) json.RawMessage {
				return everyValue(payload, func(v any) any {
					if list, ok := v.([]any); ok {
						return list[:min(1000, len(list))]
					}
					return v
				})
			})},
		{Name: "objects-of-256-members", Requirement: "aep.request.context",
			Summary: "An object in the context has at most 256 members.",
			Apply: on.Turns(func(t *agent.Turn) {
				if t.Context != nil {
					t.Context = everyValue(t.Context, func(v any) any {
						if members, ok := v.(map[string]any); ok {
							names := slices.Sorted(maps.Keys(members))
							for _, name := range names[min(256, len(names)):] {
								delete(members, name)
							}
						}
						return v
					})
				}
			})},
		{Name: "kinds-of-255-bytes", Requirement: "aep.actions.unchanged",
			Summary: "The kind of an action is stored in a column of 255 characters.",
			Apply:   on.Events(on.Kind(aep.Continuation)).Edit(func(e *aep.Event) { e.Asked = shortened(e.Asked, 255) })},
		{Name: "arguments-of-64-kib", Requirement: "aep.tools.arguments",
			Summary: "A text among the arguments of a call ends after 65,535 bytes.",
			Apply: onCallArguments(func(arguments json.RawMessage) json.RawMessage {
				return everyValue(arguments, onTexts(func(text string) string { return shortened(text, 1<<16-1) }))
			})},
		{Name: "payload-texts-of-64-kib", Requirement: "aep.actions.unchanged",
			Summary: "A text in a payload ends after 65,535 bytes.",
			Apply: onPayload(func(payload json.RawMessage) json.RawMessage {
				return everyValue(payload, onTexts(func(text string) string { return shortened(text, 1<<16-1) }))
			})},
		{Name: "summaries-of-32-kib-in-done", Requirement: "aep.done.outcome",
			Summary: "The summary of a call ends in done after 32,767 bytes.",
			Apply:   on.Blocks(aep.ToolResult, func(b *aep.Block) { b.Summary = shortened(b.Summary, 1<<15-1) })},
		{Name: "thoughts-of-16-kib-in-done", Requirement: "aep.done.text",
			Summary: "A thought ends in done after 16 KiB.",
			Apply:   on.Blocks(aep.Thinking, func(b *aep.Block) { b.Text = shortened(b.Text, 1<<14) })},
	}
}

// deepPages are mutants that count messages, or threads, and forget what is beyond.
func deepPages() []Mutant {
	return []Mutant{
		{Name: "hundred-threads-in-memory", Requirement: "aep.threads.history",
			Summary: "A thread in which nothing was said while a hundred others began has lost its messages.",
			Apply:   lastThreads(100)},
		{Name: "full-page-is-the-last", Requirement: "aep.threads.history",
			Summary: "A history is loaded from its newest page to its oldest, and where the last one is full a page of nothing takes its place.",
			Apply: on.History(func(before, _ []agent.Said) []agent.Said {
				if n := len(before); n >= 50 && n%50 == 0 {
					return before[50:]
				}
				return before
			})},
		{Name: "hundred-messages-a-request", Requirement: "aep.request.text-blocks",
			Summary: "Of the messages of a request the agent is handed the last hundred.",
			Apply:   on.Turns(func(t *agent.Turn) { t.Messages = t.Messages[max(0, len(t.Messages)-100):] })},
	}
}

// shortened is a text up to so many bytes, without a part of a character at its end.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}
