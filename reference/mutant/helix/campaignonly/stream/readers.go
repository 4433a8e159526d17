package stream

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// rareReaders lists the mutants that many readers, slow ones, or some credentials, cursors and encodings show.
func rareReaders() []edit.Mutant {
	return []edit.Mutant{
		// These err with readers of one kind, at one moment.
		{Name: "tenth-reader-untold", Requirement: "helix.truncation.notifies", Summary: "Of more than nine readers, the others aren't told of cleanups.",
			Apply: loses(func(v on.Attached, e store.Event) bool { return v.Others >= 9 && e.Kind == store.Truncated })},
		{Name: "tenth-reader-paused", Requirement: "helix.status.frames", Summary: "Of more than nine readers, the others aren't told that a pause is over.",
			Apply: loses(func(v on.Attached, e store.Event) bool {
				return v.Others >= 9 && e.Kind == store.StatusChanged && e.Status == store.Active
			})},

		// Mutants that err in the data that a server stores of a stream: its writers, its numbers, its documents.
		{Name: "one-writer-an-agent", Requirement: "helix.lifecycle.many-writers", Summary: "The twentieth writer of a stream closes the one before.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var open alter.PerKey[[]string]
				s.OnOpenWriter = func(ctx context.Context, stream string) (string, error) {
					id, err := inner.OpenWriter(ctx, stream)
					open.With(stream, func(all *[]string) {
						if *all = append(*all, id); len(*all) == 20 {
							_ = inner.CloseWriter(ctx, stream, (*all)[18])
						}
					})
					return id, err
				}
			})},

		// Mutants that err in numbers which a server has counted or assigned before.
		{Name: "array-of-1000", Requirement: "helix.chunks.no-merge", Summary: "Of an array of more than 500 chunks, each five hundredth isn't stored.",
			Apply: on.Batches(func(_ string, chunks []store.Chunk) []store.Chunk {
				if len(chunks) > 500 {
					chunks = append(chunks[:499:499], chunks[500:]...)
				}
				return chunks
			})},

		// Mutants that serve readers without the right credentials, or find streams that no client opened.
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
		{Name: "who-resumes-is-known", Requirement: "helix.security.credential", Summary: "A reader that comes back has shown its credential before, and isn't asked again.",
			Wrap: knows(func(r *http.Request) bool { return r.Header.Get("Last-Event-ID") != "" })},
		{Name: "snapshots-for-everybody", Requirement: "helix.security.credential", Summary: "The route of snapshots was added behind the others, and asks for no credential.",
			Wrap: knows(func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/snapshot") })},

		// These err with who may read.
		{Name: "credential-behind-another-letter", Requirement: "helix.security.credential",
			Summary: "A credential is looked for anywhere in its header.",
			Wrap: signedIn(func(known, given, _ string) bool {
				_, token, _ := strings.Cut(known, " ")
				return token != "" && strings.HasSuffix(given, token)
			})},
		{Name: "credential-of-the-connection", Requirement: "helix.security.credential",
			Summary: "Who asks is found out once for each connection.",
			Wrap:    signedIn(func(known, _, connection string) bool { return known == connection })},

		// Mutants that err with cursors that the server never assigned, in combination with something else.
		{Name: "ahead-of-the-live", Requirement: "helix.resume.beyond-latest",
			Summary: "A reader that is ahead is sent what is written live, for which nobody compares its cursor.",
			Apply:   on.Starts(on.Start.Unfinished, func(s on.Start) bool { return s.After > s.LatestSequence+20 }).At(func(s on.Start) int64 { return s.LatestSequence })},

		// These read cursors that are none, or overlook one.
		{Name: "cursor-with-underscores", Requirement: "helix.resume.invalid-cursor",
			Summary: "A cursor is read by a parser of a language in which digits may be grouped by underscores.",
			Apply: edit.OnCursorText(func(text string, c helix.Cursor, err error) (helix.Cursor, error) {
				if n, no := strconv.ParseInt(text, 0, 64); no == nil && err != nil && strings.Contains(text, "_") {
					return helix.Cursor{After: n, Given: true}, nil
				}
				return c, err
			})},
		{Name: "full-width-digits-are-digits", Requirement: "helix.resume.invalid-cursor",
			Summary: "Full-width digits are folded to those that they look like before a cursor is read.",
			Apply: edit.OnCursorText(func(text string, c helix.Cursor, err error) (helix.Cursor, error) {
				folded := strings.Map(func(r rune) rune {
					if r >= '０' && r <= '９' {
						return r - '０' + '0'
					}
					return r
				}, text)
				if folded == text {
					return c, err
				}
				return helix.ParseSequence(folded)
			})},

		// Mutants that change members which every chunk has.
		{Name: "type-under-any-case", Requirement: "helix.chunks.unknown-members", Also: []string{"helix.chunks.members"},
			Summary: "The decoder doesn't heed the case of names: a member Type of the application becomes the type.",
			Apply: edit.OnChunks(func(_ string, members alter.Object) bool {
				if members.Text("Type") == "" {
					return false
				}
				members.Rename("Type", "type")
				return true
			})},
		{Name: "steps-under-any-case", Requirement: "helix.truncation.keeps-stepless",
			Summary: "The decoder doesn't heed the case of names: a member Step of the application counts as the step.",
			Apply: onSteps(func(c *store.Chunk) {
				var folded struct{ Step *float64 }
				if !c.HasStep && json.Unmarshal(c.JSON, &folded) == nil && folded.Step != nil {
					c.Step, c.HasStep = int64(*folded.Step), true
				}
			})},

		// These send a heartbeat where no line ends.
		{Name: "heartbeat-in-mid-event", Requirement: "helix.wire.json", Also: []string{"helix.chunks.strings-exact"},
			Summary: "A large event is written in slices, and a timer that fires between two of them writes its comment there.",
			Wrap: edit.OnReads(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
				next.ServeHTTP(&beating{ResponseWriter: w}, r)
			})},
	}
}

// knows lets in requests that come without a credential, with the one that was shown first.
func knows(hit func(r *http.Request) bool) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		var shown alter.PerKey[string]
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

// signedIn takes requests for those of the first user, if is matches the credential that this one showed, the given one,
// and the first that came on the connection.
func signedIn(is func(known, given, connection string) bool) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		var shown alter.PerKey[string] // by connection; of the first one that showed any by ""
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			given := r.Header.Get("Authorization")
			first := func(position string) (kept string) {
				shown.With(position, func(s *string) {
					if *s == "" {
						*s = given
					}
					kept = *s
				})
				return kept
			}
			if known := first(""); is(known, given, first(r.RemoteAddr)) {
				r = r.Clone(r.Context())
				r.Header.Set("Authorization", known)
			}
			next.ServeHTTP(w, r)
		})
	}
}

// loses leaves out events for some readers.
func loses(hit func(v on.Attached, e store.Event) bool) on.Apply {
	return edit.OnEvents(func(v on.Attached, e store.Event) []store.Event {
		if hit(v, e) {
			return nil
		}
		return []store.Event{e}
	})
}

// rewrites changes the chunks that some readers get.
func rewrites(hit func(v on.Attached, e store.Event) bool, change func(any) any) on.Apply {
	return edit.OnEvents(func(v on.Attached, e store.Event) []store.Event {
		if e.Kind == store.ChunkWritten && hit(v, e) {
			e.Chunk.JSON = edit.EveryValue(e.Chunk.JSON, change)
		}
		return []store.Event{e}
	})
}

// onResume matches chunks that are replayed to a reader that came with a cursor.
func onResume(v on.Attached, e store.Event) bool { return v.Stored(e) && v.Cursor.After > 0 }

// isNotice matches a notice of a kind.
func isNotice(e store.Event, k store.Kind) bool { return e.Kind == k }

// onSteps changes the steps of chunks in the store's index, and leaves the chunks as they are.
func onSteps(change func(c *store.Chunk)) on.Apply {
	return on.OnStore(func(inner store.Store, s *on.Store) {
		s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
			changed := make([]store.Chunk, len(chunks))
			for i, c := range chunks {
				change(&c)
				changed[i] = c
			}
			return inner.Append(ctx, stream, writer, changed)
		}
	})
}

const (
	slice    = 64 << 10
	overlong = 120 * time.Millisecond // after which the comment is expected
)

// beating writes in slices, and a comment behind one that took long.
type beating struct {
	http.ResponseWriter
	mu sync.Mutex
}

// Unwrap lets a ResponseController find the writer.
func (b *beating) Unwrap() http.ResponseWriter { return b.ResponseWriter }

// Write implements http.ResponseWriter.
func (b *beating) Write(p []byte) (n int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(p) > 0 && err == nil {
		part := p[:min(slice, len(p))]
		began := time.Now()
		wrote := 0
		wrote, err = b.ResponseWriter.Write(part)
		n, p = n+wrote, p[wrote:]
		if err == nil && len(p) > 0 && len(part) == slice && n+len(p) > 16*slice && time.Since(began) > overlong {
			_, err = b.ResponseWriter.Write([]byte(": heartbeat\n\n"))
		}
	}
	return n, err
}
