package aep

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
)

func events() []Mutant {
	return slices.Concat(eventMembers(), eventIDs(), eventRequests(), eventMessages(), eventTimes())
}

// eventMembers get the shape of events wrong.
func eventMembers() []Mutant {
	return []Mutant{{
		Name: "event-called-type", Requirement: "aep.events.object",
		Summary: "The outcome of a tool is sent under the name that another protocol has for the member event.",
		Also:    []string{"aep.wire.same-name", "aep.tools.result"},
		Apply: onMembers(always(is(aep.ToolResult)), func(members object, _ aep.Event) {
			members["type"] = members["event"]
			delete(members, "event")
		}),
	}, {
		Name: "greeting-without-event", Requirement: "aep.events.object",
		Summary: "An event of the connection, which doesn't name itself, follows the metadata.",
		Also:    []string{"aep.wire.same-name"},
		Apply: seams.OnBytes(func(r aep.Request) func([]byte, aep.Event) []byte {
			return func(whole []byte, e aep.Event) []byte {
				if e.Kind != aep.Metadata {
					return whole
				}
				return append(whole, "event: connected\ndata: {\"requestId\":\""+r.ID+"\",\"timestamp\":\""+
					e.Timestamp.UTC().Format(aep.TimeFormat)+"\"}\n\n"...)
			}
		}),
	}, {
		Name: "number-as-message-id", Requirement: "aep.events.members", Stateful: true,
		Summary: "From the second block of a message on, its id is the key in the database, a number.",
		Also:    []string{"aep.events.message-id", "aep.events.same-message", "aep.done.complete"},
		Apply:   with(fromSecond(func(e aep.Event) bool { return e.Kind.Staged() }), "messageId", "42"),
	}, {
		Name: "usage-is-a-number", Requirement: "aep.events.members",
		Summary: "The usage of done is a sum of tokens.",
		Apply:   with(always(is(aep.Done)), "usage", "42"),
	}, {
		Name: "null-usage", Requirement: "aep.events.nulls",
		Summary: "Nothing is counted, so the usage of done is null.",
		Apply:   with(always(is(aep.Done)), "usage", "null"),
	}, {
		Name: "null-message-id", Requirement: "aep.events.nulls", Stateful: true,
		Summary: "Once the first block of a message is stored, the variable for its id is null.",
		Also:    []string{"aep.events.message-id", "aep.done.complete", "aep.stages.index-from-zero"},
		Apply:   with(fromSecond(func(e aep.Event) bool { return e.Kind.Staged() }), "messageId", "null"),
	}, {
		Name: "half-block-index", Requirement: "aep.events.integers", Stateful: true,
		Summary: "A block that comes after another is put half-way to the next, to leave room.",
		Also:    []string{"aep.stages.block-index", "aep.stages.index-from-zero"},
		Apply: onMembers(fromSecond(stageIs(aep.Start)), func(members object, e aep.Event) {
			members["blockIndex"] = json.RawMessage(strconv.Itoa(e.BlockIndex) + ".5")
		}),
	}, {
		Name: "endless-usage", Requirement: "aep.events.integers",
		Summary: "A quota that has no end is written as a number beyond every double.",
		Apply:   with(always(is(aep.Done)), "usage", `{"quota":1e999}`),
	}}
}

// eventIDs leave out the ids of requests.
func eventIDs() []Mutant {
	return []Mutant{{
		Name: "text-without-request-id", Requirement: "aep.events.request-id",
		Summary: "The ids of text deltas are left out to save bytes.",
		Apply: onMembers(always(is(aep.Text, aep.Delta)), func(members object, _ aep.Event) {
			delete(members, "requestId")
		}),
	}, {
		Name: "later-blocks-without-request-id", Requirement: "aep.events.request-id", Stateful: true,
		Summary: "Only the events up to the first block say which request they answer, and the last one.",
		Apply:   without(fromSecond(func(e aep.Event) bool { return e.Kind.Staged() }), "requestId"),
	}}
}

// eventRequests name another request than the one that they answer.
func eventRequests() []Mutant {
	return []Mutant{{
		Name: "terminal-of-another-request", Requirement: "aep.events.same-request", Stateful: true,
		Summary: "The terminal event on a thread's later requests has the requestId of the thread's first.",
		Apply: onServer(func(first *locked[map[string]string]) apply {
			return onEvents(func(r aep.Request) func(*aep.Event) {
				var id string
				first.do(func(ids *map[string]string) {
					if *ids == nil {
						*ids = map[string]string{}
					}
					if (*ids)[r.Thread] == "" {
						(*ids)[r.Thread] = r.ID
					}
					id = (*ids)[r.Thread]
				})
				return func(e *aep.Event) {
					if e.Kind.Terminal() {
						e.RequestID = id
					}
				}
			})
		}),
	}, {
		Name: "tools-make-request-ids", Requirement: "aep.events.same-request",
		Summary: "Tools run in a service of their own, which puts its own requestId on their outcome.",
		Apply: seams.OnEach(func(e *aep.Event) {
			if e.Kind == aep.ToolResult {
				e.RequestID = "tool-" + e.RequestID
			}
		}),
	}, {
		Name: "constant-request-id", Requirement: "aep.events.unique-request", Stateful: true,
		Summary: "The requestId is made when the server starts, so every later request has it too.",
		Apply: onIDs(func() func(aep.IDKind, string) string {
			var first locked[string]
			return func(kind aep.IDKind, id string) string {
				if kind != aep.RequestID {
					return id
				}
				first.do(func(s *string) {
					if *s == "" {
						*s = id
					}
					id = *s
				})
				return id
			}
		}),
	}}
}

// eventMessages get the ids of messages wrong.
func eventMessages() []Mutant {
	return []Mutant{{
		Name: "deltas-without-message-id", Requirement: "aep.events.message-id",
		Summary: "Only starts and stops say which message they belong to.",
		Also:    []string{"aep.stages.start-first", "aep.done.complete", "aep.done.text"},
		Apply:   without(always(stageIs(aep.Delta)), "messageId"),
	}, {
		Name: "done-without-message-id", Requirement: "aep.events.message-id", Stateful: true,
		Summary: "A message of more than one block is done without its id.",
		Apply:   without(fromSecond(is(aep.Done)), "messageId"),
	}, {
		Name: "done-names-new-message", Requirement: "aep.events.same-message",
		Summary: "The message is stored when it is done, and only then gets the id that done tells.",
		Apply: seams.OnEach(func(e *aep.Event) {
			if e.Kind == aep.Done {
				e.MessageID = "stored-" + e.MessageID
			}
		}),
	}}
}

// eventTimes get timestamps wrong.
func eventTimes() []Mutant {
	return []Mutant{{
		Name: "timestamp-in-milliseconds", Requirement: "aep.events.timestamp",
		Summary: "Metadata has its time in milliseconds since 1970.",
		Apply: onMembers(always(is(aep.Metadata)), func(members object, e aep.Event) {
			members["timestamp"] = alter.Encode(e.Timestamp.UnixMilli())
		}),
	}, {
		Name: "later-timestamps-in-seconds", Requirement: "aep.events.timestamp", Stateful: true,
		Summary: "From the second block of a response on, times are counted in seconds.",
		Apply: onMembers(fromSecond(func(aep.Event) bool { return true }), func(members object, e aep.Event) {
			members["timestamp"] = alter.Encode(e.Timestamp.Unix())
		}),
	}, {
		Name: "done-without-timestamp", Requirement: "aep.events.timestamp",
		Summary: "The event of the end is made without a time.",
		Apply:   without(always(is(aep.Done)), "timestamp"),
	}, {
		Name: "local-timestamp", Requirement: "aep.events.timestamp-offset", Stateful: true,
		Summary: "From the second block of a response on, a formatter without a zone is at work.",
		Apply: onMembers(fromSecond(func(aep.Event) bool { return true }), func(members object, e aep.Event) {
			members["timestamp"] = alter.Encode(e.Timestamp.UTC().Format("2006-01-02T15:04:05.000"))
		}),
	}, {
		Name: "clock-jumps-back", Requirement: "aep.events.clock",
		Summary: "Every third event is stamped by a machine whose clock is a second late.",
		Apply: onEvents(func(aep.Request) func(*aep.Event) {
			n := 0
			return func(e *aep.Event) {
				if n++; n%3 == 0 {
					e.Timestamp = e.Timestamp.Add(-time.Second)
				}
			}
		}),
	}}
}
