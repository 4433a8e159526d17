package stream

import (
	"context"
	"errors"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// deletions err with a stream whose id was another one's before.
func deletions() []edit.Mutant {
	return []edit.Mutant{
		{Name: "info-of-the-deleted", Requirement: "helix.status.info-unknown",
			Summary: "StreamInfo comes from a cache that no deletion empties.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var seen alter.PerKey[store.Info]
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
				var seen alter.PerKey[bool]
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

// successors err with a stream of whose id another one was made after the deletion.
func successors() []edit.Mutant {
	return []edit.Mutant{
		{Name: "chunks-of-the-deleted", Requirement: "helix.security.isolation",
			Summary: "The archive keeps the first chunk of a stream that was deleted, and the next one of its name begins with it.",
			Apply: func(o reference.Options) reference.Options {
				var first, ghost alter.PerKey[store.Event]
				return alter.All(on.OnStore(func(inner store.Store, s *on.Store) {
					edit.OnAppended(func(stream string, written []store.Event) {
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
				}), on.OnAttached(func(v on.Attached, s store.Subscription) store.Subscription {
					if e := ghost.Get(v.Stream); v.Fresh() && e.Sequence > 0 {
						return on.Preceded(s, e)
					}
					return nil
				}))(o)
			}},
	}
}
