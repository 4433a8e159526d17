package campaignonly

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// amounts lists the mutants that a number or a size shows.
func amounts() []edit.Mutant {
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
		// Mutants that lose or misread the last bytes of a value, or those after many others.
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

		// Mutants in which something large is stored in something that isn't: a list, a name, a column.
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

		// Mutants that count messages, or threads, and forget those beyond a number.
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

		// These are mutants that err beyond a number of pieces, blocks or calls.
		{Name: "nine-calls", Requirement: "aep.tools.call", Also: []string{"aep.tools.result-after-call", "aep.done.complete"},
			Summary: "The tenth call of a response isn't shown.",
			Apply:   on.Events(on.Kind(aep.ToolCall).Since(on.Kind(aep.ToolCall, aep.Start).Nth(10))).Drop()},
		{Name: "ten-messages", Requirement: "aep.request.text-blocks",
			Summary: "Of a request the first ten messages reach the agent.",
			Apply: on.Turns(func(t *agent.Turn) {
				t.Messages = t.Messages[:min(10, len(t.Messages))]
			})},

		// Mutants that err where much is sent, or to a slow client.
		{Name: "hundred-block-ids", Requirement: "aep.stages.one-start",
			Summary: "The ids of blocks have two digits.",
			Apply: on.Events().EditSequence(func(aep.Request) func(*aep.Event) {
				return func(e *aep.Event) {
					if n, err := strconv.Atoi(strings.TrimPrefix(e.BlockID, "b")); err == nil {
						e.BlockID = fmt.Sprint("b", n%100)
					}
				}
			})},
		{Name: "sixty-four-blocks-in-done", Requirement: "aep.done.complete",
			Summary: "The content of done has 64 blocks at most.",
			Apply:   on.Content(func(blocks []aep.Block) []aep.Block { return blocks[:min(len(blocks), 64)] })},
		{Name: "arguments-of-16-kib", Requirement: "aep.tools.arguments",
			Summary: "Arguments of a call beyond 16 KiB are replaced by an empty object.",
			Apply: onCallArguments(func(text json.RawMessage) json.RawMessage {
				if len(text) > 16<<10 {
					return json.RawMessage("{}")
				}
				return text
			})},

		// Mutants that merge repeated content of a request.
		{Name: "known-context-isn-t-handed-on", Requirement: "aep.request.context",
			Summary: "A member of the context that the request before had as well isn't handed on again.",
			Apply: alter.WithState(func(last *alter.PerKey[alter.Object]) on.Apply { // by thread
				return on.Asks(func(ask *aep.RequestBody) {
					members := alter.Members(ask.Context)
					if ask.Thread == "" || members == nil {
						return
					}
					before, fresh := last.Swap(ask.Thread, members), alter.Object{}
					for name, value := range members {
						if !bytes.Equal(before[name], value) {
							fresh[name] = value
						}
					}
					ask.Context = alter.Encode(fresh)
				})
			})},

		// Mutants that err where there is more of something than the capacity of a table or a page.
		{Name: "context-of-64-kib", Requirement: "aep.request.context",
			Summary: "A context has a column of 64 KiB, and one that doesn't fit is empty.",
			Apply: on.Asks(func(ask *aep.RequestBody) {
				if len(ask.Context) > 64<<10 {
					ask.Context = nil
				}
			})},
		{Name: "results-of-64-kib", Requirement: "aep.actions.result",
			Summary: "A result has a column of 64 KiB, and one that doesn't fit is null.",
			Apply: onOutcome(func(raw json.RawMessage) json.RawMessage {
				if len(raw) > 64<<10 {
					return json.RawMessage("null")
				}
				return raw
			})},
		{Name: "five-hundred-messages-of-history", Requirement: "aep.threads.history",
			Summary: "The agent is handed the last 500 messages of a thread.",
			Apply:   forgetting(func(i, n int) bool { return i < n-500 })},
		{Name: "hundred-requests-are-remembered", Requirement: "aep.cancel.aborted",
			Summary: "A cancellation finds the last hundred requests.", Apply: alter.WithState(remembersHundred)},

		// Mutants that err where a request has many results.
		{Name: "results-in-batches", Requirement: "aep.actions.all-or-none", Also: []string{"aep.actions.resumed"},
			Summary: "Results are resolved in batches of eight. Where one of a later batch is refused, those before it stay resolved.",
			Apply: on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
				for batch := range slices.Chunk(ids, 8) {
					if err := a.Actions.Resolve(owner, thread, batch); err != nil {
						return err
					}
				}
				return nil
			})},
		{Name: "hundred-actions-of-a-thread", Requirement: "aep.actions.resumed",
			Summary: "Of the actions of a thread the last hundred are known.",
			Apply:   knowsLatest(100)},

		// These are mutants that keep too few actions.
		{Name: "looks-and-then-takes", Requirement: "aep.actions.resolved",
			Summary: "That an action is open is looked up before the lock is taken under which it is resolved.",
			Apply: alter.WithState(func(taking *alter.PerKey[bool]) on.Apply { // by action
				return on.Resolving(func(a *on.Actions, owner, thread string, ids []string) (err error) {
					taking.With(ids[0], func(taken *bool) {
						if !*taken {
							err = a.Actions.Resolve(owner, thread, ids)
							*taken = err == nil
						}
					})
					time.Sleep(2 * time.Millisecond) // the database
					taking.Set(ids[0], false)
					return err
				})
			})},
	}
}

// shortened truncates a text to a number of bytes, without a part of a character at its end.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}

// remembersHundred cancels no request after which a hundred others have started.
func remembersHundred(started *alter.PerKey[int]) func(aep.Options) aep.Options {
	return alter.All(on.Events(on.Kind(aep.Metadata)).EditIn(func(r aep.Request, _ *aep.Event) {
		number := 0
		started.With("", func(n *int) { *n++; number = *n })
		started.Set(r.ID, number)
	}), func(o aep.Options) aep.Options {
		inner := o.Cancelled
		o.Cancelled = func(live []aep.Request, principal, id string) []string {
			if started.Get("")-started.Get(id) >= 100 {
				return nil
			}
			return inner(live, principal, id)
		}
		return o
	})
}

// knowsLatest knows the latest actions of a thread, so many of them.
func knowsLatest(most int) on.Apply {
	return on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
		all := a.OpenedOn(thread)
		for _, id := range ids {
			if i := slices.Index(all, id); i >= 0 && i < len(all)-most {
				return aep.ErrUnknownAction
			}
		}
		return a.Actions.Resolve(owner, thread, ids)
	})
}
