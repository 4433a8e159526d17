package aep

import (
	"bytes"
	"net/http"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// wire lists the mutants of wire.
func wire() []edit.Mutant {
	atOnce := on.Kind(aep.Metadata).Or(on.Terminal())

	hasCursor := func(r *http.Request) bool { return r.Header.Get("Last-Event-ID") != "" }

	return []edit.Mutant{
		// These get the data of events or their names wrong.
		{Name: "says-done-as-others-do", Requirement: "aep.wire.json",
			Summary: "The body closes with data: [DONE], as other services do it.",
			Also:    []string{"aep.flow.terminal-last", "aep.wire.named"},
			Apply:   on.Frames(on.Terminal()).Behind("data: [DONE]\n\n")},
		{Name: "start-and-delta-in-one-event", Requirement: "aep.wire.json", Stateful: true,
			Summary: "From the second block on, the start and the first delta share an event, one value after the other.",
			Also:    []string{"aep.stages.start-first", "aep.done.complete", "aep.content.text"},
			Apply:   joinsValues},
		{Name: "pretty-printed", Requirement: "aep.wire.single-data-line",
			Summary: "Events are printed for people, indented.",
			Apply:   on.Frames().Indent()},
		{Name: "last-event-without-blank-line", Requirement: "aep.wire.blank-line",
			Summary: "Events are joined by blank lines instead of followed by them.",
			Also:    []string{"aep.flow.terminal"},
			Apply:   on.Frames(on.Terminal()).Unterminated()},
		{Name: "unnamed-after-the-first-block", Requirement: "aep.wire.named", Stateful: true,
			Summary: "Events lose their event field when the second block of a response begins.",
			Also:    []string{"aep.wire.same-name"},
			Apply:   on.Frames(on.LaterBlocks()).Name("")},
		{Name: "results-named-calls", Requirement: "aep.wire.same-name",
			Summary: "The event field of an outcome says tool_call.",
			Apply:   on.Frames(on.Kind(aep.ToolResult)).Name("tool_call")},

		// Mutants that encode the body wrongly, or delay events.
		{Name: "latin1-body", Requirement: "aep.wire.utf8",
			Summary: "Letters that Latin-1 has are written as one byte.",
			Also:    []string{"aep.content.text"},
			Apply:   on.Frames().Latin1()},
		{Name: "leading-bom", Requirement: "aep.wire.no-bom",
			Summary: "The body begins with a byte order mark.",
			Apply:   on.Frames(on.Kind(aep.Metadata)).Before("\ufeff")},
		{Name: "all-at-once", Requirement: "aep.wire.live",
			Summary: "The events of an answer are sent together when the agent is done, metadata excepted.",
			Apply:   on.Events(atOnce.Not()).HoldUntil(on.Terminal())},
		{Name: "no-heartbeat", Requirement: "aep.wire.heartbeat",
			Summary: "Nothing is sent while the agent is silent.",
			Apply: func(o aep.Options) aep.Options {
				o.Heartbeat = -1
				return o
			}},
		{Name: "one-heartbeat", Requirement: "aep.wire.heartbeat", Stateful: true,
			Summary: "The timer of the heartbeat is never set again, so there is one comment and no other.",
			Wrap: on.Streams(func(w *alter.Response, _ *http.Request) {
				comments := 0
				w.Body = func(p []byte) []byte {
					if bytes.HasPrefix(p, []byte(":")) {
						if comments++; comments > 1 {
							return nil
						}
					}
					return p
				}
			})},

		// These get the response around the events wrong, or make something of a cursor.
		{Name: "refuses-cursors", Requirement: "aep.wire.no-cursor",
			Summary: "A request with a Last-Event-ID is refused, because there is nothing to resume.",
			Wrap:    alter.Answering(hasCursor, http.StatusConflict, "", "")},
		{Name: "json-content-type", Requirement: "aep.wire.content-type",
			Summary: "The framework's default content type is left on the stream.",
			Wrap:    on.Head("Content-Type", "application/json")},
		{Name: "cacheable-stream", Requirement: "aep.wire.cache-control",
			Summary: "A stream may be cached for a minute, as all answers of the service.",
			Wrap:    on.Head("Cache-Control", "private, max-age=60")},
		{Name: "closes-connections", Requirement: "aep.wire.connection",
			Summary: "A stream ends with its connection.",
			Wrap:    on.Head("Connection", "close")},
	}
}

// joinsValues delays the start of a later block, to send it with the next event.
func joinsValues(o aep.Options) aep.Options {
	return on.OnBytes(func(aep.Request) func([]byte, aep.Event) []byte {
		starts, withheld := 0, ""
		return func(complete []byte, e aep.Event) []byte {
			b := alter.ParseBlock(complete)
			if e.Stage == aep.Start {
				if starts++; starts > 1 {
					withheld = b.Data[0]
					return nil
				}
			}
			b.Data[0] = withheld + b.Data[0]
			withheld = ""
			return b.Append(nil)
		}
	})(o)
}
