package stream

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// invalidCursors lists mutants that err with cursors that the server never assigned, in combination with something else.
func invalidCursors() []edit.Mutant {
	return []edit.Mutant{
		{Name: "bad-cursor-in-a-pause", Requirement: "helix.resume.invalid-cursor",
			Summary: "While a stream is paused, a cursor that can't be read is none.",
			Apply: func(o reference.Options) reference.Options {
				inner := o
				o.Cursor = func(stream string, r *http.Request) (helix.Cursor, error) {
					c, err := inner.Cursor(stream, r)
					if i, failed := inner.Store.Info(r.Context(), stream); err != nil && failed == nil && i.Status == store.Paused {
						return helix.Cursor{}, nil
					}
					return c, err
				}
				return o
			}},
		{Name: "large-cursor-after-a-cleanup", Requirement: "helix.resume.large-cursor",
			Summary: "On a stream that was cleaned up, a cursor that a double doesn't hold is none.",
			Apply: on.Starts(func(s on.Start) bool { return s.After > 1<<53 && s.ChunkCount < s.LatestSequence }).
				At(func(on.Start) int64 { return 0 })},
		{Name: "ahead-of-the-live", Requirement: "helix.resume.beyond-latest",
			Summary: "A reader that is ahead is sent what is written live, for which nobody compares its cursor.",
			Apply:   on.Starts(on.Start.Unfinished, func(s on.Start) bool { return s.After > s.LatestSequence+20 }).At(func(s on.Start) int64 { return s.LatestSequence })},
		{Name: "ahead-of-a-pause", Requirement: "helix.status.frames",
			Summary: "A reader that is ahead is woken by a chunk or by the end, and by no change of the status.",
			Apply: on.Events(func(v on.Attached) func(store.Event) bool {
				return func(e store.Event) bool { return e.Kind == store.StatusChanged && v.Cursor.After > v.LatestSequence }
			}).Drop()},
		{Name: "padded-of-three-characters", Requirement: "helix.resume.padded-cursor",
			Summary: "Of a cursor with zeros before it, three characters are read.",
			Apply: edit.OnCursorText(func(text string, c helix.Cursor, err error) (helix.Cursor, error) {
				if digits := strings.TrimLeft(text, "0"); err != nil && strings.HasPrefix(text, "0") && strings.Trim(digits, "0123456789") == "" {
					return helix.ParseSequence(cmp.Or(strings.TrimLeft(text[:min(len(text), 3)], "0"), "0"))
				}
				return c, err
			})},
	}
}

// cursors serve some cursors wrongly.
func cursors() []edit.Mutant {
	return []edit.Mutant{
		{Name: "both-compares-digits", Requirement: "helix.resume.header-wins",
			Summary: "Of header and query the one counts that is greater as text.",
			Apply: edit.OnCursor(func(header, query *string, c helix.Cursor, err error) (helix.Cursor, error) {
				if err == nil && header != nil && query != nil && len(*header) > 1 {
					return helix.ParseSequence(min(*header, *query))
				}
				return c, err
			})},
		{Name: "query-of-two-digits", Requirement: "helix.resume.query",
			Summary: "The query is read by a pattern that takes two digits.",
			Apply: edit.OnCursor(func(header, query *string, c helix.Cursor, err error) (helix.Cursor, error) {
				if err == nil && header == nil && query != nil && len(*query) > 2 {
					return helix.ParseSequence(strings.TrimLeft((*query)[:2], "0"))
				}
				return c, err
			})},
		{Name: "old-life-answers-204", Requirement: "helix.resume.removed-cursor",
			Summary: "A cursor from before a reset is answered as if the reader had everything.",
			Apply: func(o reference.Options) reference.Options {
				var ends alter.PerKey[int64]
				o = on.OnStore(func(inner store.Store, s *on.Store) {
					s.OnReset = func(ctx context.Context, stream string) error {
						if i, err := inner.Info(ctx, stream); err == nil {
							ends.Set(stream, i.LatestSequence)
						}
						return inner.Reset(ctx, stream)
					}
				})(o)
				return on.OnStart(func(c helix.Cursor, _ store.Info, stream string) (int64, error) {
					if c.After > 0 && c.After <= ends.Get(stream) {
						return 0, store.ErrComplete
					}
					return c.After, nil
				})(o)
			}},
		{Name: "tail-of-removed-end", Requirement: "helix.resume.finished-tail",
			Summary: "Where the last chunk was removed, a reader that had it is answered 204 at the end.",
			Apply: on.Starts(on.Start.Finished, func(s on.Start) bool {
				return s.After == s.Terminal-1 && s.ChunkCount < s.LatestSequence
			}).Refuse(store.ErrComplete)},
	}
}

// cursorForms read cursors that are none, or overlook one.
func cursorForms() []edit.Mutant {
	return []edit.Mutant{
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
	}
}
