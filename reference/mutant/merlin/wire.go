package merlin

import (
	"net/http"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// wire lists the mutants of wire.
func wire() []Mutant {
	set := func(name, value string) on.Apply {
		return on.Heads(func(h http.Header) { h.Set(name, value) })
	}
	without := func(name string) on.Apply { return on.Heads(func(h http.Header) { h.Del(name) }) }

	return []Mutant{
		{Name: "answers-plain-text", Requirement: "merlin.wire.content-type", Summary: "The framework's default media type is left as it is.",
			Apply: set("Content-Type", "text/plain; charset=utf-8")},
		{Name: "answers-created", Requirement: "merlin.wire.content-type", Also: []string{"merlin.wire.blank-line", "merlin.wire.body-closes", "merlin.wire.cache-control"}, Summary: "A message was created, so the status is 201.",
			Wrap: alter.AnswersTo(alter.Any).When(alter.IsStream).As(http.StatusCreated)},
		{Name: "may-be-cached", Requirement: "merlin.wire.cache-control", Summary: "Nobody says anything to caches.", Apply: without("Cache-Control")},
		{Name: "closes-connections", Requirement: "merlin.wire.connection", Summary: "Each stream ends with its connection.", Apply: set("Connection", "close")},
		{Name: "no-origins", Requirement: "merlin.wire.cors-origin", Summary: "Pages of other origins weren't thought of.", Apply: without("Access-Control-Allow-Origin")},
		{Name: "no-headers", Requirement: "merlin.wire.cors-headers", Summary: "Pages may send no header of their own.", Apply: without("Access-Control-Allow-Headers")},

		{Name: "done-of-the-model", Requirement: "merlin.wire.json", Also: []string{"merlin.chunks.content", "merlin.chunks.text", "merlin.progress.members"}, Summary: "The end of the model is passed on as it is.",
			Apply: on.Frames(on.Named(merlin.End)).Before("data: [DONE]\n\n")},
		{Name: "quotes-without-escapes", Requirement: "merlin.wire.json", Summary: "Texts are put into the data without escapes.",

			Apply: on.Frames(on.Named(merlin.Message)).Replace(`\"`, `"`)},
		{Name: "lists-of-messages", Requirement: "merlin.wire.object", Also: []string{"merlin.wire.blank-line", "merlin.wire.body-closes", "merlin.wire.cache-control"}, Summary: "Messages are sent as a list of one, so that there may be more some day.",

			Apply: on.Frames(on.Named(merlin.Message)).JSON(func(text []byte) []byte {
				return append(append([]byte("["), text...), ']')
			})},
		{Name: "data-for-people", Requirement: "merlin.wire.single-data-line", Summary: "Events are printed for people, indented.",
			Apply: on.Frames().Indent()},
		{Name: "end-without-blank-line", Requirement: "merlin.wire.blank-line", Also: []string{"merlin.wire.end-last", "merlin.wire.names", "merlin.wire.payload"}, Summary: "Events are joined by blank lines instead of followed by them.",

			Apply: on.Frames(on.Named(merlin.End)).Unterminated()},
		{Name: "latin1", Requirement: "merlin.wire.utf8", Also: []string{"merlin.upstream.characters", "merlin.upstream.cut", "merlin.wire.object"}, Summary: "Letters that Latin-1 has are written as one byte.",
			Apply: on.Frames().Latin1()},
		{Name: "byte-order-mark-first", Requirement: "merlin.wire.no-bom", Summary: "The body begins with a byte order mark.",
			Apply: on.Frames(on.Any().Nth(1)).Before("\ufeff")},
		{Name: "wrapped-messages", Requirement: "merlin.wire.unwrapped", Also: []string{"merlin.wire.blank-line", "merlin.wire.body-closes", "merlin.wire.cache-control"}, Summary: "What wraps a message inside of the server isn't taken off.",

			Apply: on.Frames(on.Named(merlin.Message)).JSON(func(text []byte) []byte {
				return append(append([]byte(`{"data":`), text...), '}')
			})},
		{Name: "bare-steps", Requirement: "merlin.wire.payload", Also: []string{"merlin.progress.created", "merlin.progress.default-version", "merlin.progress.members"}, Summary: "The payload of progress is called data.",
			Apply: on.Frames(on.Named(merlin.Progress)).Rename("payload", "data")},
		{Name: "names-of-the-vendor", Requirement: "merlin.wire.names", Also: []string{"merlin.slices.init"}, Summary: "An event says which build of the server streams.",
			Apply: on.Frames(on.Any().Nth(1)).Before("event: build\ndata: {\"v\":1}\n\n")},
		{Name: "raw-line-ends", Requirement: "merlin.wire.forged", Also: []string{"merlin.wire.json", "merlin.wire.nothing-after", "merlin.wire.single-data-line"}, Summary: "Line feeds of a text go out as they are.",
			Apply: on.Frames(on.Named(merlin.Message)).Replace(`\n`, "\n")},
		{Name: "all-at-once", Requirement: "merlin.wire.live", Also: []string{"merlin.failure.stopped", "merlin.failure.stopped-end", "merlin.slices.complete"}, Summary: "Everything is sent together at the end.",
			Apply: on.Events(on.Named(merlin.End).Not()).HoldUntil(on.Named(merlin.End))},

		{Name: "no-end", Requirement: "merlin.wire.end-last", Also: []string{"merlin.chunks.no-init", "merlin.wire.names", "merlin.wire.payload"}, Summary: "The body closes, which was thought to say enough.",

			Apply: on.Events(on.Named(merlin.End)).Drop()},
		{Name: "stays-open", Requirement: "merlin.wire.body-closes", Also: []string{"merlin.wire.blank-line", "merlin.wire.cache-control", "merlin.wire.connection"}, Summary: "Nobody closes the response behind the end.",
			Wrap: alter.LeftOpen(alter.Any)},
		{Name: "two-ends", Requirement: "merlin.wire.nothing-after", Summary: "The streamer and its caller both send the end.",
			Apply: on.Events(on.Named(merlin.End)).Repeat()},
		{Name: "says-goodbye", Requirement: "merlin.wire.nothing-after", Also: []string{"merlin.wire.blank-line", "merlin.wire.body-closes", "merlin.wire.cache-control"}, Summary: "A message behind the end says that it was one.",
			Apply: on.Events(on.Named(merlin.End)).Follow(func(*merlin.RunState, merlin.Event) []merlin.Event {
				return []merlin.Event{{Name: merlin.Message, Data: on.Object{"content": "", "type": "text", "text": ".", "index": 0}}}
			})},
		{Name: "end-says-finished", Requirement: "merlin.wire.end-data", Summary: "The end has a word of its own.", Apply: on.Events(on.Named(merlin.End)).Edit(on.Set("type", "FINISHED"))},
	}
}
