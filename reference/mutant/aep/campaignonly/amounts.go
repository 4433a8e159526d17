package campaignonly

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// ends lists mutants that lose or misread the last bytes of a value, or those after many others.
func ends() []edit.Mutant {
	kept := func(change func(text string) string) on.Apply {
		return on.OnThreads(func(inner aep.Threads, t *on.Threads) {
			t.OnSay = func(id string, more []agent.Message) []agent.Message {
				more = slices.Clone(more)
				for i, one := range more {
					if one.Who == agent.ByAgent {
						more[i].Text = change(one.Text)
					}
				}
				return inner.Say(id, more)
			}
		})
	}
	return []edit.Mutant{
		{Name: "answers-are-kept-trimmed", Requirement: "aep.threads.history",
			Summary: "The thread has answers without the white space at their end.",
			Apply:   kept(func(text string) string { return strings.TrimRight(text, " \n\t") })},
		{Name: "full-buffers-wait", Requirement: "aep.wire.live",
			Summary: "An event that doesn't fit into a buffer of 4 KiB is sent together with the next one.",
			Apply: on.OnBytes(func(aep.Request) func([]byte, aep.Event) []byte {
				var withheld []byte
				return func(complete []byte, e aep.Event) []byte {
					waits := len(complete) > 4<<10 && !e.Kind.Terminal()
					withheld = append(withheld, complete...)
					if waits {
						return nil
					}
					complete, withheld = withheld, nil
					return complete
				}
			})},
		{Name: "answers-of-256-kib", Requirement: "aep.threads.history",
			Summary: "The thread has a column of 256 KiB for an answer.",
			Apply:   kept(func(text string) string { return shortened(text, 1<<18) })},
		{Name: "failure-after-500-events-is-an-end", Requirement: "aep.errors.agent", Also: []string{"aep.errors.tool", "aep.errors.in-stream", "aep.errors.internal"},
			Summary: "An answer of more than 500 events is sent by another worker, which takes every end for a good one.",
			Apply: on.Events(on.Kind(aep.Failed), on.Any().From(501)).Map(func(r aep.Request) func(aep.Event) []aep.Event {
				return func(e aep.Event) []aep.Event { return []aep.Event{on.Done(r, e)} }
			})},
		{Name: "result-without-a-thread-is-anybodys", Requirement: "aep.actions.other-thread",
			Summary: "A result that comes without a thread is looked for in all threads of its user.",
			Apply: on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
				for _, one := range a.Opened() {
					if thread == "" && one.Owner == owner && slices.Contains(ids, one.ID) {
						thread = one.Thread
					}
				}
				return a.Actions.Resolve(owner, thread, ids)
			})},
	}
}

// amounts lists mutants in which something large is stored in something that isn't: a list, a name, a column.
func amounts() []edit.Mutant {
	return []edit.Mutant{
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
			Apply:   on.Events(on.Kind(aep.Continuation)).Edit(func(e *aep.Event) { e.ActionKind = shortened(e.ActionKind, 255) })},
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

// pages lists mutants that count messages, or threads, and forget those beyond a number.
func pages() []edit.Mutant {
	return []edit.Mutant{
		{Name: "hundred-threads-in-memory", Requirement: "aep.threads.history",
			Summary: "A thread in which nothing was said while a hundred others began has lost its messages.",
			Apply:   edit.LastThreads(100)},
		{Name: "full-page-is-the-last", Requirement: "aep.threads.history",
			Summary: "A history is loaded from its newest page to its oldest, and where the last one is full a page of nothing takes its place.",
			Apply: on.History(func(before, _ []agent.Message) []agent.Message {
				if n := len(before); n >= 50 && n%50 == 0 {
					return before[50:]
				}
				return before
			})},
		{Name: "hundred-turns-of-history", Requirement: "aep.threads.history",
			Summary: "The agent is handed what was said in the last hundred requests of a thread.",
			Apply: on.History(func(before, _ []agent.Message) []agent.Message {
				turns, last := 0, ""
				for i := len(before) - 1; i >= 0; i-- {
					if before[i].Request != last {
						turns, last = turns+1, before[i].Request
					}
					if turns > 100 {
						return before[i+1:]
					}
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
