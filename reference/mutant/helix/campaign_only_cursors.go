package helix

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// campaignOnlyOddCursors err with cursors that nobody gave out, where something else comes along.
func campaignOnlyOddCursors() []Mutant {
	return []Mutant{
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
			Apply:   on.Starts(on.Start.Unfinished, func(s on.Start) bool { return s.After > s.LatestSequence+20 }).At(latest)},
		{Name: "ahead-of-a-pause", Requirement: "helix.status.frames",
			Summary: "A reader that is ahead is woken by a chunk or by the end, and by no change of the status.",
			Apply: on.Events(func(v on.Visit) func(store.Event) bool {
				return func(e store.Event) bool { return e.Kind == store.StatusChanged && v.Cursor.After > v.LatestSequence }
			}).Drop()},
		{Name: "padded-of-three-characters", Requirement: "helix.resume.padded-cursor",
			Summary: "Of a cursor with zeros before it, three characters are read.",
			Apply: onCursorText(func(text string, c helix.Cursor, err error) (helix.Cursor, error) {
				if digits := strings.TrimLeft(text, "0"); err != nil && strings.HasPrefix(text, "0") && strings.Trim(digits, "0123456789") == "" {
					return helix.ParseSequence(cmp.Or(strings.TrimLeft(text[:min(len(text), 3)], "0"), "0"))
				}
				return c, err
			})},
	}
}

// campaignOnlyDeletions err with a stream whose id was another one's before.
func campaignOnlyDeletions() []Mutant {
	return []Mutant{
		{Name: "info-of-the-deleted", Requirement: "helix.status.info-unknown",
			Summary: "StreamInfo comes from a cache that no deletion empties.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var seen alter.Ledger[store.Info]
				s.OnInfo = func(ctx context.Context, stream string) (store.Info, error) {
					i, err := inner.Info(ctx, stream)
					if old := seen.Get(stream); err != nil && old.LatestSequence > 0 {
						return old, nil
					}
					seen.Set(stream, i)
					return i, err
				}
			})},
		{Name: "reads-the-deleted", Requirement: "helix.http.unknown-stream",
			Summary: "Whoever reads a stream that was deleted makes it anew.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var seen alter.Ledger[bool]
				s.Before(on.Calls{OpenWriter: func(stream string) { seen.Set(stream, true) }})
				s.OnSubscribe = func(ctx context.Context, stream string, after int64) (store.Subscription, error) {
					sub, err := inner.Subscribe(ctx, stream, after)
					if errors.Is(err, store.ErrUnknownStream) && seen.Get(stream) {
						if _, err = inner.OpenWriter(ctx, stream); err == nil {
							return inner.Subscribe(ctx, stream, after)
						}
					}
					return sub, err
				}
			})},
	}
}

// campaignOnlySuccessors do, too, where another one of the name was made.
func campaignOnlySuccessors() []Mutant {
	return []Mutant{
		{Name: "chunks-of-the-deleted", Requirement: "helix.security.isolation",
			Summary: "The archive keeps the first chunk of a stream that was deleted, and the next one of its name begins with it.",
			Apply: func(o reference.Options) reference.Options {
				var first, ghost alter.Ledger[store.Event]
				return alter.All(on.OnStore(func(inner store.Store, s *on.Store) {
					onAppended(func(stream string, written []store.Event) {
						first.With(stream, func(e *store.Event) {
							if e.Sequence == 0 && len(written) > 0 {
								*e = written[0]
							}
						})
					})(inner, s)
					s.OnOpenWriter = func(ctx context.Context, stream string) (string, error) {
						if _, err := inner.Info(ctx, stream); err != nil {
							ghost.Set(stream, first.Get(stream))
							first.Set(stream, store.Event{})
						}
						return inner.OpenWriter(ctx, stream)
					}
				}), on.OnVisit(func(v on.Visit, s store.Subscription) store.Subscription {
					if e := ghost.Get(v.Stream); v.Fresh() && e.Sequence > 0 {
						return on.Preceded(s, e)
					}
					return nil
				}))(o)
			}},
	}
}

// campaignOnlyOddNames mix up ids that are long, or hold the same characters.
func campaignOnlyOddNames() []Mutant {
	return []Mutant{
		{Name: "ids-by-their-characters", Requirement: "helix.security.isolation",
			Summary: "Ids with a colon are found by a sum of what follows, in which its order doesn't count.",
			Apply: onStreamID(func(id string) string {
				at := strings.IndexAny(id, ":%*[")
				if at < 0 || len(id)-at < 4 {
					return id
				}
				tail := []byte(id[at:])
				slices.Sort(tail)
				return id[:at] + string(tail)
			})},
	}
}
