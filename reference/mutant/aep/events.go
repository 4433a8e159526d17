package aep

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// events lists the mutants of events.
func events() []edit.Mutant {
	return []edit.Mutant{
		// These get the shape of events wrong.
		{Name: "event-called-type", Requirement: "aep.events.object", Also: []string{"aep.wire.same-name", "aep.tools.result"},
			Summary: "The outcome of a tool is sent under the name that another protocol has for the member event.",
			Apply:   on.Frames(on.Kind(aep.ToolResult)).Rename("event", "type")},
		{Name: "number-as-message-id", Requirement: "aep.events.members", Stateful: true,
			Summary: "From the second block of a message on, its id is the key in the database, a number.",
			Also:    []string{"aep.events.message-id", "aep.events.same-message", "aep.done.complete"},
			Apply:   on.Frames(on.Staged(), on.LaterBlocks()).Set("messageId", "42")},
		{Name: "usage-is-a-number", Requirement: "aep.events.members",
			Summary: "The usage of done is a sum of tokens.",
			Apply:   on.Frames(on.Kind(aep.Done)).Set("usage", "42")},
		{Name: "null-usage", Requirement: "aep.events.nulls",
			Summary: "Nothing is counted, so the usage of done is null.",
			Apply:   on.Frames(on.Kind(aep.Done)).Set("usage", "null")},
		{Name: "null-message-id", Requirement: "aep.events.nulls", Stateful: true,
			Summary: "Once the first block of a message is stored, the variable for its id is null.",
			Also:    []string{"aep.events.message-id", "aep.done.complete", "aep.stages.index-from-zero"},
			Apply:   on.Frames(on.Staged(), on.LaterBlocks()).Set("messageId", "null")},
		{Name: "half-block-index", Requirement: "aep.events.integers", Stateful: true,
			Summary: "A block that comes after another is put half-way to the next, to leave room.",
			Also:    []string{"aep.stages.block-index", "aep.stages.index-from-zero"},
			Apply: on.Frames(on.Stage(aep.Start), on.LaterBlocks()).
				SetTo("blockIndex", func(e aep.Event) any { return json.RawMessage(strconv.Itoa(e.BlockIndex) + ".5") })},
		{Name: "endless-usage", Requirement: "aep.events.integers",
			Summary: "A quota that has no end is written as a number beyond every double.",
			Apply:   on.Frames(on.Kind(aep.Done)).Set("usage", `{"quota":1e999}`)},

		// These leave out ids, or name another request or message than the one that they belong to.
		{Name: "later-blocks-without-request-id", Requirement: "aep.events.request-id", Stateful: true,
			Summary: "Only the events up to the first block say which request they answer, and the last one.",
			Apply:   on.Frames(on.Staged(), on.LaterBlocks()).Remove("requestId")},
		{Name: "terminal-of-another-request", Requirement: "aep.events.same-request", Stateful: true,
			Summary: "The terminal event on a thread's later requests has the requestId of the thread's first.",
			Apply: alter.WithState(func(first *alter.PerKey[string]) on.Apply { // by thread
				return on.Events(on.Kind(aep.Metadata).Or(on.Terminal())).EditIn(func(r aep.Request, e *aep.Event) {
					first.With(r.Thread, func(id *string) {
						if *id == "" {
							*id = r.ID
						}
						if e.Kind.Terminal() {
							e.RequestID = *id
						}
					})
				})
			})},
		{Name: "tools-make-request-ids", Requirement: "aep.events.same-request",
			Summary: "Tools run in a service of their own, which puts its own requestId on their outcome.",
			Apply:   on.Events(on.Kind(aep.ToolResult)).Edit(func(e *aep.Event) { e.RequestID = "tool-" + e.RequestID })},
		{Name: "constant-request-id", Requirement: "aep.events.unique-request", Stateful: true,
			Summary: "The requestId is made when the server starts, so every later request has it too.",
			Apply:   on.IDsFor(aep.RequestID).Same()},
		{Name: "done-without-message-id", Requirement: "aep.events.message-id", Stateful: true,
			Summary: "A message of more than one block is done without its id.",
			Apply:   on.Frames(on.Kind(aep.Done), on.LaterBlocks()).Remove("messageId")},
		{Name: "done-names-new-message", Requirement: "aep.events.same-message",
			Summary: "The message is stored when it is done, and only then gets the id that done tells.",
			Apply:   on.Events(on.Kind(aep.Done)).Edit(func(e *aep.Event) { e.MessageID = "stored-" + e.MessageID })},

		// These get timestamps wrong.
		{Name: "later-timestamps-in-seconds", Requirement: "aep.events.timestamp", Stateful: true,
			Summary: "From the second block of a response on, times are counted in seconds.",
			Apply:   on.Frames(on.LaterBlocks()).SetTo("timestamp", func(e aep.Event) any { return e.Timestamp.Unix() })},
		{Name: "done-without-timestamp", Requirement: "aep.events.timestamp",
			Summary: "The event of the end is made without a time.",
			Apply:   on.Frames(on.Kind(aep.Done)).Remove("timestamp")},
		{Name: "local-timestamp", Requirement: "aep.events.timestamp-offset", Stateful: true,
			Summary: "From the second block of a response on, a formatter without a zone is at work.",
			Apply: on.Frames(on.LaterBlocks()).
				SetTo("timestamp", func(e aep.Event) any { return e.Timestamp.UTC().Format("2006-01-02T15:04:05.000") })},
		{Name: "clock-jumps-back", Requirement: "aep.events.clock",
			Summary: "Every third event is stamped by a machine whose clock is a second late.",
			Apply: on.Events(on.Any().Every(3)).
				Edit(func(e *aep.Event) { e.Timestamp = e.Timestamp.Add(-time.Second) })},
	}
}
