package merlin

import (
	"bytes"
	"net/http"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/merlin"
	"github.com/streamcert/streamcert/reference/merlin"
)

// wire are other spellings of the same events.
func wire() []Variant {
	return []Variant{
		{Name: "crlf", Freedom: "framing of an event", Summary: "Lines end with CR and LF.", Apply: on.Frames().Replace("\n", "\r\n")},
		{Name: "no-space-after-colon", Freedom: "framing of an event", Summary: "No space follows the colon of a field.",
			Apply: on.Frames().Unspaced()},
		{Name: "comments", Freedom: "framing of an event", Summary: "Comments stand before every event and in it.",
			Apply: on.Frames().Bytes(func(block []byte, _ merlin.Event) []byte {
				return append([]byte(": before\n\n:\n"), bytes.Replace(block, []byte("\n"), []byte("\n:within\n"), 1)...)
			})},
		{Name: "ids", Freedom: "framing of an event", Summary: "Events have an id, though there is nothing to resume.", Apply: on.Frames().Before("id: 17\n")},
		{Name: "unnamed-messages", Freedom: "framing of an event", Summary: "A message has no event field: the standard calls it one without.",
			Apply: on.Frames(on.Named(merlin.Message)).Name("")},
		{Name: "data-over-lines", Freedom: "framing of an event", Warns: []string{"merlin.wire.single-data-line"}, Summary: "Events are indented, each line in a field of its own.",
			Apply: on.Frames().Indent()},
		{Name: "further-members", Freedom: "further members", Summary: "Events carry members of a later version.",
			Apply: on.Frames().JSON(func(text []byte) []byte {
				rest := bytes.TrimPrefix(text, []byte("{"))
				if bytes.Equal(rest, []byte("}")) {
					return []byte(`{"v":2}`)
				}
				return append([]byte(`{"v":2,"x-trace":{"parent":null},`), rest...)
			})},
		{Name: "json-white-space", Freedom: "text of an event", Summary: "Spaces and tabs stand between the tokens of an event.",
			Apply: on.Frames().JSON(alter.Spaced)},
		{Name: "unicode-escapes", Freedom: "text of an event", Summary: "Everything beyond ASCII is an escape, as from a serialiser that trusts no transport.", Apply: on.Frames().JSON(alter.Escaped)},
		{Name: "events-of-further-names", Freedom: "events of further names", Warns: []string{"merlin.wire.names"}, Summary: "Events of a later version stand before the end.",
			Apply: on.Frames(on.Named(merlin.End)).Before("event: error\ndata: {\"message\":\"nothing\"}\n\n")},
		{Name: "no-store", Freedom: "caching", Summary: "The head forbids caches to store, and other directives stand beside.",
			Apply: on.Heads(func(h http.Header) { h.Set("Cache-Control", "private, No-Store, max-age=0") })},
		{Name: "origins-when-asked", Freedom: "pages of other origins", Summary: "Only a request that says of which page it is learns that pages of every origin may read.",
			Wrap: alter.AnswersTo(func(r *http.Request) bool { return r.Header.Get("Origin") == "" }).Header(func(h http.Header) {
				h.Del("Access-Control-Allow-Origin")
				h.Del("Access-Control-Allow-Headers")
			})},
		{Name: "byte-by-byte", Freedom: "the body on its way", Summary: "Streams are sent in pieces of a byte.", Slow: true,
			Wrap: alter.AnswersTo(alter.Any).When(alter.IsStream).Send(alter.InPieces(1))},
	}
}
