package aep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
)

// wire lists the variants of wire.
func wire() []Variant {
	replacing := func(old, new string) around {
		return streams().Body(func(p []byte) []byte { return bytes.ReplaceAll(p, []byte(old), []byte(new)) })
	}

	return []Variant{
		// These are other spellings of the same JSON.
		{
			Name: "members-sorted", Freedom: "text of an event",
			Summary: "Members come in the order of the alphabet, and nothing is escaped that only HTML needs.",
			Apply:   on.Frames().JSON(sorted),
		}, {
			Name: "json-white-space", Freedom: "text of an event",
			Summary: "Spaces and tabs stand between the tokens of an event.",
			Apply:   on.Frames().JSON(alter.Spaced)}, {
			Name: "unicode-escapes", Freedom: "text of an event",
			Summary: "Everything beyond ASCII is an escape, as from a serialiser that trusts no transport.",
			Apply:   on.Frames().JSON(alter.Escaped)}, {
			Name: "further-members", Freedom: "text of an event",
			Summary: "Events carry members of a later version.",
			Apply: on.Frames().JSON(func(text []byte) []byte {
				return append([]byte(`{"v":2,"x-trace":{"id":"née","parent":null},`), text[1:]...)
			}),
		}, {
			Name: "data-over-lines", Freedom: "framing of an event", Warns: []string{"aep.wire.single-data-line"},
			Summary: "Events are indented, each line in a field of its own.",
			Apply:   on.Frames().Indent()},

		// These are other forms of the same event.
		{Name: "crlf", Freedom: "framing of an event", Summary: "Lines end with CR and LF.", Wrap: replacing("\n", "\r\n")},
		{Name: "cr-alone", Freedom: "framing of an event", Summary: "Lines end with CR alone.", Wrap: replacing("\n", "\r")},
		{Name: "no-space-after-colon", Freedom: "framing of an event", Summary: "No space follows the colon of a field.",
			Apply: on.Frames().Unspaced()},
		{Name: "data-before-event", Freedom: "framing of an event", Summary: "The name of an event follows its data.",
			Apply: on.Frames().Bytes(func(block []byte, _ aep.Event) []byte {
				name, data, _ := bytes.Cut(block, []byte("\n"))
				return slices.Concat(bytes.TrimSuffix(data, []byte("\n")), name, []byte("\n\n"))
			})},
		{Name: "comments", Freedom: "framing of an event", Summary: "Comments stand before every event and in it.",
			Apply: on.Frames().Bytes(func(block []byte, _ aep.Event) []byte {
				return append([]byte(": before\n\n:\n"), bytes.Replace(block, []byte("\n"), []byte("\n:within\n"), 1)...)
			})},
		{Name: "retry", Freedom: "framing of an event",
			Summary: "Every event says after how long to come back.", Apply: on.Frames().Before("retry: 3000\n")},
		{Name: "unknown-fields", Freedom: "framing of an event", Apply: on.Frames().Before("trace: 00-af\nbare\n"),
			Summary: "Events have fields that the standard tells readers to ignore, with a colon and without."},
		{Name: "blank-lines", Freedom: "framing of an event", Summary: "Blank lines surround every event.",
			Apply: alter.All(on.Frames().Before("\n\n"), on.Frames().Behind("\n"))},
		{Name: "ids", Freedom: "aep.wire.ids",
			Summary: "Every event has an id, though there is nothing to resume.", Apply: on.Frames().Before("id: 17\n")},
		{Name: "byte-order-mark", Freedom: "Q-16", Warns: []string{"aep.wire.no-bom"},
			Summary: "The body begins with a byte order mark.",
			Apply:   on.Frames(on.Kind(aep.Metadata)).Before("\ufeff")},
		{Name: "events-of-further-kinds", Freedom: "events of further kinds", Apply: on.Frames(on.Kind(aep.Metadata).Not()).Bytes(furtherKinds),
			Summary: "Events of a later version stand between metadata and the terminal event."},

		// These are other heads and other ways to carry the same bytes.
		{Name: "header-case", Freedom: "aep.wire.content-type",
			Summary: "Names of headers are in lower case, and the media type is not.",
			Wrap:    on.Heads(alter.InLowerCase)},
		{Name: "charset", Freedom: "aep.wire.content-type", Summary: "The content type names the character set.",
			Wrap: on.Head("Content-Type", "text/event-stream;charset=UTF-8")},
		{Name: "no-store", Freedom: "aep.wire.cache-control",
			Summary: "The head forbids caches to store, and other directives stand beside.",
			Wrap:    on.Head("Cache-Control", "private, No-Store, max-age=0")},
		{Name: "keep-alive", Freedom: "C-A-12",
			Summary: "The head says that the connection is kept, and what frameworks add.",
			Wrap: on.Heads(func(h http.Header) {
				h.Set("Connection", "keep-alive")
				h.Set("Server", "a server")
				h.Set("X-Request-Id", "7d3c")
				h.Add("Set-Cookie", "session=1; HttpOnly")
			})},
		{Name: "connection-close", Freedom: "C-A-12", Warns: []string{"aep.wire.connection"},
			Summary: "A stream ends with its connection.",
			Wrap:    on.Head("Connection", "close")},
		{Name: "http2", Freedom: "C-A-12", HTTP2: true, Summary: "Every request comes over HTTP/2."},
		{Name: "byte-by-byte", Freedom: "aep.wire.live", Slow: true, Summary: "Streams are sent byte by byte, so that every line, character and line end is cut.",
			Wrap: streams().Send(alter.InPieces(1))},
		{Name: "in-odd-pieces", Freedom: "aep.wire.live",
			Summary: "Streams are sent in pieces of seven bytes.", Wrap: streams().Send(alter.InPieces(7))},
		{Name: "frequent-heartbeats", Freedom: "Q-17", Summary: "Comments come every few milliseconds of silence.",
			Apply: func(o aep.Options) aep.Options { o.Heartbeat = often; return o }},
		{Name: "refuses-cursors", Freedom: "a `Last-Event-ID`", Warns: []string{"aep.wire.no-cursor"},
			Summary: "A request that wants to resume is refused, because there is nothing to resume.",
			Wrap: alter.Answering(func(r *http.Request) bool { return r.Header.Get("Last-Event-ID") != "" }, http.StatusBadRequest,
				"application/json", refusal("cursor_not_supported", "nothing can be resumed", false))},
	}
}

// sorted writes the members of every object in order.
func sorted(text []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || bytes.Contains(bytes.ToLower(text), []byte(`\ud`)) {
		return text // a lone surrogate has no text
	}
	return alter.Encode(v)
}

// furtherKinds puts an event of an unknown kind before every event but the first.
func furtherKinds(block []byte, e aep.Event) []byte {
	more := fmt.Appendf(nil, "event: progress\n"+
		"data: {\"event\":\"progress\",\"requestId\":%s,\"timestamp\":\"%s\",\"stage\":4,\"at\":[0.5]}\n\n",
		alter.Encode(e.RequestID), e.Timestamp.UTC().Format(aep.TimeFormat))
	return append(more, block...)
}
