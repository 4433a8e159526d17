package stream

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

var (
	escapedSurrogates = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}`)
	exponent          = regexp.MustCompile(`("timestamp":[0-9.]+)[eE][+-]?[0-9]+`)
)

// jsonEscapes lists mutants that misread the content of a client's request because of its spelling.
func jsonEscapes() []edit.Mutant {
	return []edit.Mutant{
		{Name: "halves-of-escaped-pairs", Requirement: "helix.chunks.strings-exact", Summary: "Each escape in a text is read by itself, also where two of them are one character.",
			Apply: onStored(func(chunk []byte) []byte {
				return escapedSurrogates.ReplaceAll(chunk, []byte(`\ufffd\ufffd`))
			})},
		{Name: "escaped-slashes-keep-their-escape", Requirement: "helix.chunks.strings-exact", Summary: "The escape of a slash isn't known, and its backslash stays.",
			Also:  []string{"helix.chunks.types", "helix.snapshot.exact"},
			Apply: onStored(func(chunk []byte) []byte { return bytes.ReplaceAll(chunk, []byte(`\/`), []byte(`\\/`)) })},
		{Name: "raw-line-separators-end-a-line", Requirement: "helix.wire.json", Also: []string{"helix.wire.single-data-line", "helix.chunks.object"},
			Summary: "Data is split into lines by a library that takes U+2028 for the end of one.",
			Apply: on.OnBytes(func(helix.Options, helix.Reader) func([]byte, store.Event) []byte {
				return func(whole []byte, _ store.Event) []byte {
					return bytes.ReplaceAll(whole, []byte("\u2028"), []byte("\ndata: "))
				}
			})},
		{Name: "exponents-are-cut-off", Requirement: "helix.chunks.types", Also: []string{"helix.chunks.any-value", "helix.chunks.integers-exact"},
			Summary: "Of a timestamp that is written with an exponent, what stands before it is read.",
			Apply:   onStored(func(chunk []byte) []byte { return exponent.ReplaceAll(chunk, []byte("$1")) })},
	}
}

// onStored changes the stored bytes of each chunk.
func onStored(change func(chunk []byte) []byte) on.Apply {
	return on.Batches(func(_ string, chunks []store.Chunk) []store.Chunk {
		changed := make([]store.Chunk, len(chunks))
		for i, c := range chunks {
			c.JSON = change(c.JSON)
			changed[i] = c
		}
		return changed
	})
}

// mistaken lists mutants that take a client's request, or its sender, for another.
func mistaken() []edit.Mutant {
	return []edit.Mutant{
		{Name: "chunks-called-like-frames", Requirement: "helix.chunks.no-merge", Summary: "Who resumes gets no chunk whose type is the name of a frame.",
			Also: []string{"helix.chunks.unknown-type", "helix.resume.complete"},
			Apply: loses(func(v on.Attached, e store.Event) bool {
				return onResume(v, e) && slices.Contains([]string{"end", "status", "fail", "truncated", "chunk"}, edit.TypeOf(e))
			})},
		{Name: "done-in-brackets", Requirement: "helix.chunks.no-merge", Also: []string{"helix.lifecycle.late-reader", "helix.lifecycle.finished-replay", "helix.resume.complete"},
			Summary: "A delta that another protocol ends with isn't kept for later.",
			Apply: loses(func(v on.Attached, e store.Event) bool {
				return v.Stored(e) && alter.Members(e.Chunk.JSON).Text("delta") == "[DONE]"
			})},
		{Name: "empty-arrays-hold-nothing", Requirement: "helix.chunks.object", Also: []string{"helix.status.count", "helix.chunks.no-merge"},
			Summary: "The first item of an array is stored before the others, also where there is none.",
			Apply: on.Batches(func(_ string, chunks []store.Chunk) []store.Chunk {
				if len(chunks) == 0 {
					chunks = []store.Chunk{{JSON: json.RawMessage("null")}}
				}
				return chunks
			})},
		{Name: "outputs-are-read", Requirement: "helix.lifecycle.final-output", Summary: "An output that is a text of JSON is sent as what it says.",
			Apply: on.Output(func(_ string, output *json.RawMessage) {
				var text string
				if json.Unmarshal(*output, &text) == nil && strings.HasPrefix(text, "{") && json.Valid([]byte(text)) {
					*output = json.RawMessage(text)
				}
			})},
		{Name: "tool-names-in-lower-case", Requirement: "helix.snapshot.exact", Summary: "A snapshot finds a call by the name of its tool in lower case, and shows that.",
			Apply: on.Snapshot(func(s *helix.Snapshot) {
				s.Messages = slices.Clone(s.Messages)
				for i := range s.Messages {
					for j := range s.Messages[i].Parts {
						part := &s.Messages[i].Parts[j]
						part.ToolName = strings.ToLower(part.ToolName)
					}
				}
			})},
	}
}
