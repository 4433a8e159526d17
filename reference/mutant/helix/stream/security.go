package stream

import (
	"bytes"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// security lists the mutants of security.
func security() []edit.Mutant {
	return []edit.Mutant{
		// These let content become framing.
		{Name: "delta-newline-splits-frame", Requirement: "helix.security.forged-chunk",
			Summary: "The server breaks text into paragraphs, and a blank line in a delta goes out as it is.",
			Also:    []string{"helix.wire.json"},
			Apply: onRaw(func(e store.Event) bool {
				return e.Kind == store.ChunkWritten && alter.Members(e.Chunk.JSON).Text("type") == "text_delta"
			}, `\n\n`, "\n\n")},
		{Name: "cr-splits-frame", Requirement: "helix.security.forged-chunk",
			Summary: "Line feeds in the results of tools are escaped, carriage returns are not.",
			Also:    []string{"helix.wire.json"},
			Apply: onRaw(func(e store.Event) bool {
				return e.Kind == store.ChunkWritten && alter.Members(e.Chunk.JSON).Text("type") == "tool_end"
			}, `\r`, "\r")},
		{Name: "event-name-forges-frame", Requirement: "helix.security.forged-chunk",
			Summary: "The name of a custom event is used as the name of the SSE event, whatever is in it.",
			Also:    []string{"helix.wire.unnamed", "helix.lifecycle.one-terminal", "helix.wire.terminal-id"},
			Apply: on.Frames(on.Of(store.ChunkWritten)).
				Fields(func(b *alter.Block, e store.Event) { b.Event = alter.Members(e.Chunk.JSON).Text("eventName") })},
		{Name: "error-newline-splits-frame", Requirement: "helix.security.forged-error",
			Summary: "The fail frame is made by hand, and the line feeds of its error go out as they are.",
			Also:    []string{"helix.wire.json"},
			Apply:   onRaw(func(e store.Event) bool { return e.Kind == store.StreamFailed }, `\n`, "\n")},

		// Mutants that serve a reader data of another user.
		{Name: "decodes-stream-id-twice", Requirement: "helix.security.stream-id",
			Summary: "A proxy and the server both decode the stream id.",
			Apply: edit.OnStreamID(func(id string) string {
				if again, err := url.PathUnescape(id); err == nil {
					return again
				}
				return id
			})},
		{Name: "joins-stream-id-to-path", Requirement: "helix.security.stream-id",
			Summary: "The stream id is joined to a path, in which two dots lead to another stream.",
			Apply:   edit.OnStreamID(func(id string) string { return path.Join("/", id) })},
		{Name: "folds-stream-id-case", Requirement: "helix.security.isolation",
			Summary: "The store's collation doesn't tell capital letters from small ones.",
			Apply:   edit.OnStreamID(strings.ToLower)},
		{Name: "trims-stream-id", Requirement: "helix.security.isolation",
			Summary: "The store's padded columns don't tell a trailing space from none.",
			Apply:   edit.OnStreamID(func(id string) string { return strings.TrimRight(id, " ") })},
		{Name: "normalises-stream-id", Requirement: "helix.security.isolation",
			Summary: "Stream ids are brought into the composed Unicode form, in which two that differ in bytes are one.",
			Apply:   edit.OnStreamID(composed().Replace)},
		{Name: "no-body-limit", Requirement: "helix.security.body-limit",
			Summary: "The body of a write is read to its end, however far that is.",
			Apply: func(o reference.Options) reference.Options {
				o.MaxBody = 1 << 40
				return o
			}},
		{Name: "echoes-headers-in-error", Requirement: "helix.security.no-secret-echo",
			Summary: "A 400 shows the headers that it doesn't understand, and all others with them.",
			Apply: on.OnCursor(func(stream string, r *http.Request, read on.CursorReader) (helix.Cursor, error) {
				c, err := read(stream, r)
				if err != nil {
					var headers bytes.Buffer
					_ = r.Header.Write(&headers) // a buffer takes everything
					err = &helix.Error{Status: http.StatusBadRequest, Code: "validation_error",
						Message: err.Error() + "; headers:\n" + headers.String()}
				}
				return c, err
			})},
		{Name: "open-door", Requirement: "helix.security.credential",
			Summary: "The credential is asked for where streams are written, and not where they are read.",
			Apply: func(o reference.Options) reference.Options {
				o.ReaderToken = ""
				return o
			}},
	}
}

// onRaw replaces the JSON escape of a control character by the character, in the blocks of some events.
func onRaw(hit func(store.Event) bool, escape, raw string) on.Apply {
	return on.OnBytes(func(reference.Options, helix.Reader) func([]byte, store.Event) []byte {
		return func(whole []byte, e store.Event) []byte {
			if hit(e) {
				return unescaped(whole, escape, raw)
			}
			return whole
		}
	})
}

// unescaped replaces JSON escapes, but not where its backslash is itself escaped.
func unescaped(whole []byte, escape, raw string) []byte {
	return []byte(strings.NewReplacer(`\\`, `\\`, escape, raw).Replace(string(whole)))
}
