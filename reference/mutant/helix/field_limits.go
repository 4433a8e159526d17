package helix

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/store"
)

const kib64 = 64 << 10

// fieldLimits err where a column of the usual size ends, in what agents do and in how a stream fails.
func fieldLimits() []Mutant {
	long := func(member string) func(runtime.Chunk) bool {
		return func(c runtime.Chunk) bool { return len(rawMember(c, member)) > kib64 }
	}
	return []Mutant{
		{Name: "results-of-64-kib", Requirement: "helix.tools.result",
			Summary: "A result of more than 64 KiB is reported as null.",
			Apply:   on.Written(on.Type("tool_end"), on.Is("success", true), on.If(long("result"))).Set("result", nil)},
		{Name: "outputs-of-64-kib", Requirement: "helix.output.unchanged",
			Summary: "An output of more than 64 KiB is null.",
			Apply:   on.Written(on.Type("output"), on.If(long("output"))).Set("output", nil)},
		{Name: "thoughts-of-64-kib", Requirement: "helix.thinking.content",
			Summary: "Of a block of reasoning, 65,536 bytes are kept.",
			Apply:   on.Written(on.Type("thinking")).With(func(c runtime.Chunk) { c["content"] = disconnect(on.Text(c, "content")) })},
		{Name: "errors-of-64-kib", Requirement: "helix.tools.result",
			Summary: "Of the error of a tool, 65,536 bytes are kept.",
			Apply: on.Written(on.Type("tool_end"), on.Is("success", false)).With(func(c runtime.Chunk) {
				c["error"] = disconnect(on.Text(c, "error"))
			})},
		{Name: "failures-of-64-kib", Requirement: "helix.lifecycle.fail",
			Summary: "Of the text that a stream fails with, 65,536 bytes are sent.",
			Apply: onEvents(func(_ on.Visit, e store.Event) []store.Event {
				e.Error = disconnect(e.Error)
				return []store.Event{e}
			})},
	}
}

// campaignOnlyNothings err where there is nothing, or next to nothing.
func campaignOnlyNothings() []Mutant {
	return []Mutant{
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
		schemasByTitle(),
		{Name: "null-fits-every-schema", Requirement: "helix.output.schema",
			Summary: "An output is checked that isn't null.",
			Wrap: onOutputSchema(func(schema json.RawMessage) json.RawMessage {
				return alter.Encode(map[string]any{"anyOf": []any{schema, map[string]any{"enum": []any{nil}}}})
			})},
		{Name: "steps-of-single-precision", Requirement: "helix.truncation.keeps", Also: []string{"helix.truncation.removes"},
			Summary: "A step is kept in a column of single precision.",
			Apply: on.Batches(func(_ string, chunks []store.Chunk) []store.Chunk {
				for i, c := range chunks {
					chunks[i].Step = int64(float32(c.Step))
				}
				return chunks
			})},
	}
}

// schemasByTitle compiles the schemas of one title once.
func schemasByTitle() Mutant {
	var compiled alter.Ledger[json.RawMessage]
	return Mutant{Name: "schemas-are-cached-by-title", Requirement: "helix.output.schema",
		Summary: "An output is compared with the first schema of its title.",
		Wrap: onOutputSchema(func(schema json.RawMessage) json.RawMessage {
			title := alter.Members(schema).Text("title")
			if title == "" {
				return schema
			}
			compiled.With(title, func(first *json.RawMessage) {
				if *first == nil {
					*first = schema
				}
				schema = *first
			})
			return schema
		})}
}

// disconnect keeps 64 KiB of a text of ASCII.
func disconnect(text string) string { return text[:min(len(text), kib64)] }

// campaignOnlyTables err where a table, a key or a parser has less room than it needs.
func campaignOnlyTables() []Mutant {
	return []Mutant{
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
		{Name: "checkpoints-by-the-minute", Requirement: "helix.checkpoints.unique",
			Summary: "The id of a checkpoint is made of the session, the step and the minute, which a session that went back meets again.",
			Apply: on.OnIDs(func(_ runtime.IDs, i *on.IDs) {
				i.OnCheckpoint = func(session string, stepCount int, at time.Time) string {
					return fmt.Sprintf("cpv1-%s-s%d-t%d", session, stepCount, at.Truncate(time.Minute).UnixMilli())
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
			Apply: rewrites(replayed, func(v any) any {
				if list, ok := v.([]any); ok && len(list) > 1000 {
					return list[:1000]
				}
				return v
			})},
		{Name: "names-of-255-bytes", Requirement: "helix.chunks.any-value",
			Summary: "The archive keeps 255 bytes of the name of a member.",
			Apply: rewrites(replayed, func(v any) any {
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
