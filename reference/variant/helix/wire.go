package helix

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// wire lists the variants of wire.
func wire() []Variant {
	return []Variant{
		// These are other spellings of the same JSON.
		{Name: "member-order", Freedom: "text of a frame",
			Summary: "Members come in another order, as from a map; the type of a frame comes last.",
			Apply:   on.Frames().JSON(backwards)},
		{Name: "json-white-space", Freedom: "text of a frame",
			Summary: "Spaces and tabs stand between the tokens of a frame.",
			Apply: on.Frames().JSON(func(frame []byte) []byte {
				return eachToken(frame, func(dst, token []byte) []byte {
					return append(append(append(dst, " \t"...), token...), ' ')
				})
			})},
		{Name: "unicode-escapes", Freedom: "text of a frame",
			Summary: "Everything but letters and digits of ASCII is an escape, as from a serialiser that trusts no transport.",
			Apply:   on.Frames().JSON(func(frame []byte) []byte { return eachString(frame, escaped) })},
		{Name: "raw-characters", Freedom: "text of a frame",
			Summary: "Nothing is escaped that JSON lets stand, line separators of Unicode included.",
			Apply:   on.Frames().JSON(func(frame []byte) []byte { return eachString(frame, raw) })},
		{Name: "numbers-with-fractions", Freedom: "decision 9",
			Summary: "Every integer is written with a point and a zero.",
			Apply:   on.Frames().JSON(func(frame []byte) []byte { return eachNumber(frame, withPoint) })},
		{Name: "numbers-as-doubles", Freedom: "decision 9",
			Summary: "Numbers go through a double, as in a server whose language has no other.",
			Apply:   on.Frames().JSON(func(frame []byte) []byte { return eachNumber(frame, asDouble) })},
		{Name: "unknown-members", Freedom: "text of a frame",
			Summary: "Frames carry members of a later version.",
			Apply: on.Frames().JSON(func(frame []byte) []byte {
				return append([]byte(`{"v":2,"x-trace":{"id":"née","parent":null},`), frame[1:]...)
			})},
		{Name: "end-members", Freedom: "helix.wire.end-frame",
			Summary: "An end frame names its stream and the time.",
			Apply: on.Frames(on.Of(store.StreamEnded)).JSON(func(frame []byte) []byte {
				return append(bytes.TrimSuffix(slices.Clone(frame), []byte("}")),
					`,"streamId":"a-stream","timestamp":1702329600000}`...)
			})},

		// These are other forms of the same event.
		{Name: "crlf", Freedom: "an event",
			Summary: "Lines end with CR and LF.",
			Wrap:    streams().Body(func(p []byte) []byte { return bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n")) })},
		{Name: "cr-alone", Freedom: "an event",
			Summary: "Lines end with CR alone, so that a reader that waits for an LF waits for ever.",
			Wrap:    streams().Body(func(p []byte) []byte { return bytes.ReplaceAll(p, []byte("\n"), []byte("\r")) })},
		{Name: "no-space-after-colon", Freedom: "an event",
			Summary: "No space stands between a field and its value.",
			Apply:   on.Frames().Unspaced()},
		{Name: "comments", Freedom: "an event",
			Summary: "Comments stand before and inside of every event, one of them empty.",
			Apply: on.Frames().Bytes(func(block []byte, _ store.Event) []byte {
				return slices.Concat([]byte(": data: {}\n\n:id: 9\n"),
					bytes.Replace(block, []byte(dataField), []byte(":\ndata: "), 1))
			})},
		{Name: "retry", Freedom: "Q-25",
			Summary: "Events name the delay before a reconnection.",
			Apply:   on.Frames().Before("retry: 1500\n")},
		{Name: "event-message", Freedom: "helix.wire.unnamed",
			Summary: "Events are named message, which is what unnamed ones are.",
			Apply:   on.Frames().Before("event: message\n")},
		{Name: "event-named", Freedom: "C-H-35", Warns: []string{"helix.wire.unnamed"},
			Summary: "Events are named by the type of their frame.",
			Apply:   on.Frames().Fields(func(b *alter.Block, e store.Event) { b.Event = frameType(e.Kind) })},
		{Name: "multi-line-data", Freedom: "an event", Warns: []string{"helix.wire.single-data-line"},
			Summary: "Frames are printed prettily, over several lines of data.",
			Apply:   on.Frames().Indent()},

		// These are other fields of the same event.
		{Name: "unknown-fields", Freedom: "an event",
			Summary: "Events have fields that the standard tells readers to ignore, with a colon and without.",
			Apply:   on.Frames().Before("trace: 00-af\nbare\n")},
		{Name: "id-last", Freedom: "an event",
			Summary: "The id of an event follows its data.",
			Apply: on.Frames().Bytes(func(block []byte, _ store.Event) []byte {
				id, data, ok := bytes.Cut(block, []byte("\n"))
				if !ok || !bytes.HasPrefix(id, []byte("id: ")) {
					return block
				}
				return slices.Concat(bytes.TrimSuffix(data, []byte("\n")), id, []byte("\n\n"))
			})},
		{Name: "blank-lines", Freedom: "an event",
			Summary: "Blank lines surround every event.",
			Apply:   alter.All(on.Frames().Before("\n\n"), on.Frames().Behind("\n"))},
		{Name: "byte-order-mark", Freedom: "Q-16", Warns: []string{"helix.wire.no-bom"},
			Summary: "The body begins with a byte order mark.",
			Wrap: streams().Edit(func(w *alter.Response, _ *http.Request, status int) int {
				mark := []byte("\xef\xbb\xbf")
				w.Body = func(p []byte) []byte {
					p, mark = append(mark, p...), nil
					return p
				}
				return status
			})},
		{Name: "unknown-frames", Freedom: "helix.wire.frame-type",
			Summary: "Frames of a later version stand between those of this one.",
			Apply:   on.Frames().Before("data: {\"type\":\"ping\",\"at\":1}\n\n")},
		{Name: "status-repeats-id", Freedom: "helix.status.no-id",
			Summary: "Status frames repeat the last id.",
			Apply:   repeating(store.StatusChanged)},
		{Name: "truncated-repeats-id", Freedom: "helix.truncation.not-numbered",
			Summary: "Truncated frames repeat the last id.",
			Apply:   repeating(store.Truncated)},
	}
}

// repeating adds the last id of the response to notices of one kind.
func repeating(kind store.Kind) apply {
	return on.Frames().BytesIn(func(helix.Reader) func([]byte, store.Event) []byte {
		last := int64(0)
		return func(block []byte, e store.Event) []byte {
			last = max(last, e.Sequence)
			if e.Kind != kind || last == 0 {
				return block
			}
			return append(strconv.AppendInt([]byte("id: "), last, 10), append([]byte("\n"), block...)...)
		}
	})
}

func frameType(k store.Kind) string {
	return map[store.Kind]string{
		store.ChunkWritten: "chunk", store.StreamEnded: "end", store.StreamFailed: "fail",
		store.StatusChanged: "status", store.Truncated: "truncated",
	}[k]
}
