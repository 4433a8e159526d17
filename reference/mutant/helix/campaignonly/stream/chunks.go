package stream

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// rareChunks lists the mutants that some chunks, types and values show.
func rareChunks() []edit.Mutant {
	return []edit.Mutant{
		// These take what they should refuse, or answer where nothing is left.
		{Name: "recoverable-as-a-text", Requirement: "helix.chunks.invalid-refused", Also: []string{"helix.chunks.all-or-nothing"},
			Summary: "An error chunk is taken whose recoverable is a text.",
			Apply:   edit.ValidateMended(edit.Fill("recoverable", "true", func(v json.RawMessage) bool { return len(v) > 0 && v[0] == '"' }))},
		{Name: "only-the-first-operation-is-checked", Requirement: "helix.chunks.invalid-refused", Also: []string{"helix.chunks.members", "helix.chunks.all-or-nothing"},
			Summary: "A change of the state is taken whose first operation is sound, whatever stands behind it.",
			Apply: func(o reference.Options) reference.Options {
				validate := o.Validate
				o.Validate = func(chunk []byte) error {
					members, n := alter.Members(chunk), 0
					if members.Text("type") == "state_patch" {
						members.Keep("patches", func(alter.Object) bool { n++; return n == 1 })
						chunk = alter.Encode(members)
					}
					return validate(chunk)
				}
				return o
			}},
		{Name: "unknown-type-is-not-looked-at", Requirement: "helix.chunks.agent-id",
			Also:    []string{"helix.chunks.agent-type", "helix.chunks.timestamp"},
			Summary: "A chunk of a type that the server doesn't know is relayed as it is, also without an agent.",
			Apply: func(o reference.Options) reference.Options {
				validate := o.Validate
				o.Validate = func(chunk []byte) error {
					if alter.Members(chunk).Text("type") == "hologram" {
						return nil
					}
					return validate(chunk)
				}
				return o
			}},

		// These err where a kind of data meets a kind of reader, or a moment.
		{Name: "sequence-of-its-own", Requirement: "helix.chunks.unknown-members", Summary: "A member called sequence is the server's own: it says there which one the chunk has, and a chunk that has one loses its delta.",
			Apply: altered(func(on.Attached, store.Event) bool { return true }, func(_ string, m alter.Object) bool {
				if m["sequence"] == nil {
					return false
				}
				m["delta"] = json.RawMessage(`""`)
				return true
			})},

		// These err beyond some number of chunks.
		{Name: "sorts-as-text-from-1000", Requirement: "helix.resume.complete",
			Summary: "On a resume, sequences are compared as text, so that 1000 comes before 999.",
			Apply: loses(func(v on.Attached, e store.Event) bool {
				return onResume(v, e) && e.Sequence >= 1000 && strconv.FormatInt(e.Sequence, 10) < strconv.FormatInt(v.Cursor.After, 10) && v.Cursor.After > 900
			})},

		// These err with large chunks or many of one call.
		{Name: "resume-drops-half-a-mebibyte", Requirement: "helix.resume.complete",
			Summary: "On a resume, a chunk of 512 KiB and more doesn't fit the answer of the store.",
			Apply:   loses(func(v on.Attached, e store.Event) bool { return onResume(v, e) && len(e.Chunk.JSON) > 512<<10 })},

		// These take a chunk for another one that is like it.
		{Name: "equal-from-another-writer", Requirement: "helix.chunks.no-merge", Also: []string{"helix.snapshot.exact", "helix.status.count"},
			Summary: "What a writer says that another one has just said is taken for a call that was made again, and gets the answer to that.",
			Apply:   on.OnStore(answeredBefore)},

		// Mutants that misread the content of a client's request because of its spelling.
		{Name: "raw-line-separators-end-a-line", Requirement: "helix.wire.json", Also: []string{"helix.wire.single-data-line", "helix.chunks.object"},
			Summary: "Data is split into lines by a library that takes U+2028 for the end of one.",
			Apply: on.OnBytes(func(helix.Options, helix.Reader) func([]byte, store.Event) []byte {
				return func(whole []byte, _ store.Event) []byte {
					return bytes.ReplaceAll(whole, []byte("\u2028"), []byte("\ndata: "))
				}
			})},

		// Mutants that take a client's request, or its sender, for another.
		{Name: "chunks-called-like-frames", Requirement: "helix.chunks.no-merge", Summary: "Who resumes gets no chunk whose type is the name of a frame.",
			Also: []string{"helix.chunks.unknown-type", "helix.resume.complete"},
			Apply: loses(func(v on.Attached, e store.Event) bool {
				return onResume(v, e) && slices.Contains([]string{"end", "status", "fail", "truncated", "chunk"}, edit.TypeOf(e))
			})},
		{Name: "empty-arrays-hold-nothing", Requirement: "helix.chunks.object", Also: []string{"helix.status.count", "helix.chunks.no-merge"},
			Summary: "The first item of an array is stored before the others, also where there is none.",
			Apply: on.Batches(func(_ string, chunks []store.Chunk) []store.Chunk {
				if len(chunks) == 0 {
					chunks = []store.Chunk{{JSON: json.RawMessage("null")}}
				}
				return chunks
			})},

		// These change some strings.
		{Name: "late-failure-is-trimmed", Requirement: "helix.lifecycle.fail",
			Summary: "Who comes after the failure gets its text without the spaces around it.",
			Apply: edit.OnEvents(func(v on.Attached, e store.Event) []store.Event {
				if e.Kind == store.StreamFailed && v.Finished() {
					e.Error = strings.TrimSpace(e.Error)
				}
				return []store.Event{e}
			})},

		// These err where a column or a table is too small.
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

		// These err with a field that is empty, with the order of parameters, and with long lists and names.
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
	}
}

// answeredBefore answers a write that equals the one before it, of another writer, as that was answered.
func answeredBefore(inner store.Store, s *on.Store) {
	type answer struct {
		writer, emitted string
		sequences       []int64
	}
	var last alter.PerKey[answer]
	s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
		emitted := ""
		for _, c := range chunks {
			emitted += string(c.JSON) + "\n"
		}
		if before := last.Get(stream); before.emitted == emitted && before.writer != writer && len(chunks) == len(before.sequences) {
			return before.sequences, nil
		}
		sequences, err := inner.Append(ctx, stream, writer, chunks)
		if err == nil {
			last.Set(stream, answer{writer, emitted, sequences})
		}
		return sequences, err
	}
}

// altered changes the members of the chunks that some readers get.
func altered(hit func(v on.Attached, e store.Event) bool, change func(kind string, m alter.Object) bool) on.Apply {
	return edit.OnEvents(func(v on.Attached, e store.Event) []store.Event {
		if e.Kind == store.ChunkWritten && hit(v, e) {
			e.Chunk.JSON = edit.Chunk(e.Chunk.JSON, change)
		}
		return []store.Event{e}
	})
}

var ()
