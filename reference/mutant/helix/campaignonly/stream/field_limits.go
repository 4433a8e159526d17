package stream

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// fieldLimits err where a column or a table is too small.
func fieldLimits() []edit.Mutant {
	return []edit.Mutant{
		{Name: "failures-of-64-kib", Requirement: "helix.lifecycle.fail",
			Summary: "Of the text that a stream fails with, 65,536 bytes are sent.",
			Apply: edit.OnEvents(func(_ on.Attached, e store.Event) []store.Event {
				e.Error = e.Error[:min(len(e.Error), 64<<10)] // of ASCII
				return []store.Event{e}
			})},
		{Name: "steps-of-single-precision", Requirement: "helix.truncation.keeps", Also: []string{"helix.truncation.removes"},
			Summary: "A step is kept in a column of single precision.",
			Apply: on.Batches(func(_ string, chunks []store.Chunk) []store.Chunk {
				for i, c := range chunks {
					chunks[i].Step = int64(float32(c.Step))
				}
				return chunks
			})},
		{Name: "state-of-64-members", Requirement: "helix.snapshot.exact", Also: []string{"helix.snapshot.complete"},
			Summary: "The state of a snapshot has 64 members at most.",
			Apply: on.Snapshot(func(s *helix.Snapshot) {
				state := alter.Members(s.State)
				for name := range state {
					if len(state) > 64 {
						delete(state, name)
					}
				}
				if state != nil {
					s.State = alter.Encode(state)
				}
			})},
	}
}

// parserLimits err with a field that is empty, with the order of parameters, and with long lists and names.
func parserLimits() []edit.Mutant {
	return []edit.Mutant{
		{Name: "failure-without-a-text", Requirement: "helix.lifecycle.fail", Also: []string{"helix.wire.fail-frame"},
			Summary: "A fail frame has no error where its text is empty.",
			Apply: on.OnBytes(func(helix.Options, helix.Reader) func([]byte, store.Event) []byte {
				return func(whole []byte, e store.Event) []byte {
					if e.Kind == store.StreamFailed {
						return bytes.Replace(whole, []byte(`,"error":""`), nil, 1)
					}
					return whole
				}
			})},
		{Name: "cursor-is-the-first-parameter", Requirement: "helix.resume.query", Also: []string{"helix.resume.complete"},
			Summary: "The cursor is cut out of the query, where it is looked for at the beginning.",
			Apply: on.OnCursor(func(stream string, r *http.Request, read on.CursorReader) (helix.Cursor, error) {
				if r.Header.Get("Last-Event-ID") == "" && !strings.HasPrefix(r.URL.RawQuery, "from") {
					return helix.Cursor{}, nil
				}
				return read(stream, r)
			})},
		{Name: "lists-of-1000-items", Requirement: "helix.chunks.any-value",
			Summary: "The archive keeps 1,000 items of a list.",
			Apply: rewrites(on.Attached.Stored, func(v any) any {
				if list, ok := v.([]any); ok && len(list) > 1000 {
					return list[:1000]
				}
				return v
			})},
		{Name: "names-of-255-bytes", Requirement: "helix.chunks.any-value",
			Summary: "The archive keeps 255 bytes of the name of a member.",
			Apply: rewrites(on.Attached.Stored, func(v any) any {
				members, _ := v.(map[string]any)
				for name, member := range members {
					if len(name) > 255 {
						delete(members, name)
						members[name[:255]] = member
					}
				}
				return v
			})},
	}
}
