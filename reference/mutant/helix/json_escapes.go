package helix

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

var (
	escapedPair = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}`)
	exponent    = regexp.MustCompile(`("timestamp":[0-9.]+)[eE][+-]?[0-9]+`)
)

// jsonEscapes take what a client says for another thing than it is, by how it is written.
func jsonEscapes() []Mutant {
	return []Mutant{
		{Name: "halves-of-escaped-pairs", Requirement: "helix.chunks.strings-exact", Summary: "Each escape in a text is read by itself, also where two of them are one character.",
			Apply: onStored(func(chunk []byte) []byte {
				return escapedPair.ReplaceAll(chunk, []byte(`\ufffd\ufffd`))
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

// onStored changes what is stored of each chunk.
func onStored(change func(chunk []byte) []byte) apply {
	return on.Batches(func(_ string, chunks []store.Chunk) []store.Chunk {
		changed := make([]store.Chunk, len(chunks))
		for i, c := range chunks {
			c.JSON = change(c.JSON)
			changed[i] = c
		}
		return changed
	})
}

// campaignOnlyMistaken take what a client says, or who says it, for another.
func campaignOnlyMistaken() []Mutant {
	return []Mutant{
		{Name: "chunks-called-like-frames", Requirement: "helix.chunks.no-merge", Summary: "Who resumes gets no chunk whose type is the name of a frame.",
			Also: []string{"helix.chunks.unknown-type", "helix.resume.complete"},
			Apply: loses(func(v on.Visit, e store.Event) bool {
				return onResume(v, e) && slices.Contains([]string{"end", "status", "fail", "truncated", "chunk"}, kindOf(e))
			})},
		{Name: "done-in-brackets", Requirement: "helix.chunks.no-merge", Also: []string{"helix.lifecycle.late-reader", "helix.lifecycle.finished-replay", "helix.resume.complete"},
			Summary: "A delta that another protocol ends with isn't kept for later.",
			Apply: loses(func(v on.Visit, e store.Event) bool {
				return replayed(v, e) && alter.Members(e.Chunk.JSON).Text("delta") == "[DONE]"
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

// campaignOnlyStrangers let in, or find, whom nobody knows.
func campaignOnlyStrangers() []Mutant {
	return []Mutant{
		{Name: "ids-without-the-space-before", Requirement: "helix.security.isolation", Summary: "Spaces before an id are trimmed.",
			Also: []string{"helix.status.count", "helix.status.latest"},
			Apply: func(o reference.Options) reference.Options {
				read := o.StreamID
				o.StreamID = func(segment string) (string, error) {
					id, err := read(segment)
					return strings.TrimLeft(id, " "), err
				}
				return o
			}},
		{Name: "info-of-what-objects-inherit", Requirement: "helix.status.info-unknown",
			Summary: "Streams are members of a plain object, which has some that nobody made.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				s.OnInfo = func(ctx context.Context, stream string) (store.Info, error) {
					info, err := inner.Info(ctx, stream)
					if err != nil && slices.Contains([]string{"constructor", "__proto__", "toString", "hasOwnProperty"}, stream) {
						return store.Info{Status: store.Active}, nil
					}
					return info, err
				}
			})},
		{Name: "who-resumes-is-known", Requirement: "helix.security.credential", Summary: "A reader that comes back has shown its credential before, and isn't asked again.",
			Wrap: knows(func(r *http.Request) bool { return r.Header.Get("Last-Event-ID") != "" })},
		{Name: "snapshots-for-everybody", Requirement: "helix.security.credential", Summary: "The route of snapshots was added behind the others, and asks for no credential.",
			Wrap: knows(func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/snapshot") })},
	}
}

// knows lets in requests that come without a credential, with the one that was shown first.
func knows(hit func(r *http.Request) bool) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		var shown alter.Ledger[string]
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			given := r.Header.Get("Authorization")
			shown.With("", func(first *string) {
				switch {
				case *first == "":
					*first = given
				case given == "" && hit(r):
					r = r.Clone(r.Context())
					r.Header.Set("Authorization", *first)
				}
			})
			next.ServeHTTP(w, r)
		})
	}
}

// For how long calls that come at once are taken for one: a removal takes longer than a look.
const (
	removing = 20 * time.Millisecond
	looking  = 3 * time.Millisecond
)

// campaignOnlyTogether take calls that come at once for one.
func campaignOnlyTogether() []Mutant {
	return []Mutant{
		{Name: "cleanups-at-once-are-one", Requirement: "helix.truncation.removes", Summary: "A cleanup that comes while another one is at work is answered with it.",
			Also: []string{"helix.truncation.count-after", "helix.status.count"},
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var working sync.Map // streams
				s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
					if _, busy := working.LoadOrStore(stream, true); busy {
						return nil
					}
					defer working.Delete(stream)
					time.Sleep(removing)
					return inner.Cleanup(ctx, stream, step)
				}
			})},
		{Name: "snapshots-at-once-are-one", Requirement: "helix.snapshot.sequence", Summary: "Snapshots of a stream that are asked for at once share an answer, with partial content or without.",
			Also: []string{"helix.snapshot.exact", "helix.snapshot.saved-first", "helix.snapshot.partial"},
			Apply: func(o reference.Options) reference.Options {
				var working sync.Map // what was taken, by stream
				return on.OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
					s, err := take(ctx, r.Partial)
					if err != nil {
						return s, err
					}
					if first, busy := working.LoadOrStore(r.Stream, s); busy {
						return first.(helix.Snapshot), nil
					}
					defer working.Delete(r.Stream)
					time.Sleep(looking)
					return s, nil
				})(o)
			}},
	}
}
