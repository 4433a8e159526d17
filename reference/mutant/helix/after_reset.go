package helix

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// campaignOnlyNextLives take something from one life of a stream into the next.
func campaignOnlyNextLives() []Mutant {
	return []Mutant{
		{Name: "nothing-left-is-remembered", Requirement: "helix.truncation.reset-sequence", Stateful: true,
			Summary: "That a cursor had nothing left is cached, and after a reset the answer is 204 still.",
			Also:    []string{"helix.resume.complete"},
			Apply:   remembersNothingLeft},
		{Name: "initial-states-merge", Requirement: "helix.snapshot.complete", Stateful: true,
			Summary: "An initial state that is set again is merged with the one before.",
			Also:    []string{"helix.snapshot.exact"},
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var states alter.Ledger[alter.Object]
				s.OnSetInitial = func(ctx context.Context, stream string, state json.RawMessage) error {
					if members := alter.Members(state); members != nil {
						states.With(stream, func(kept *alter.Object) {
							for name, value := range *kept {
								if !members.Has(name) {
									members[name] = value
								}
							}
							*kept = members
						})
						state = alter.Encode(members)
					}
					return inner.SetInitial(ctx, stream, state)
				}
			})},
		{Name: "state-after-a-reset-ignored", Requirement: "helix.snapshot.complete", Stateful: true,
			Summary: "A state that is set once a stream was reset is accepted and not looked at.",
			Also:    []string{"helix.snapshot.exact"},
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var reset alter.Ledger[bool]
				s.OnReset = func(ctx context.Context, stream string) error {
					reset.Set(stream, true)
					return inner.Reset(ctx, stream)
				}
				s.OnSetInitial = func(ctx context.Context, stream string, state json.RawMessage) error {
					if reset.Get(stream) {
						return nil
					}
					return inner.SetInitial(ctx, stream, state)
				}
			})},
	}
}

// campaignOnlyFormerEnds are mutants that take the end of one life of a stream into the next.
func campaignOnlyFormerEnds() []Mutant {
	return []Mutant{
		{Name: "code-of-the-failure-before", Requirement: "helix.errors.fail-code", Stateful: true,
			Summary: "A failure without a code has the code of the one before the reset, whose column nobody empties.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var codes alter.Ledger[string]
				s.OnFail = func(ctx context.Context, stream, message, code string) error {
					codes.With(stream, func(kept *string) {
						code = cmp.Or(code, *kept)
						*kept = code
					})
					return inner.Fail(ctx, stream, message, code)
				}
			})},
		{Name: "former-end-is-the-latest", Requirement: "helix.resume.complete", Stateful: true,
			Summary: "A cursor that had nothing left is taken for the latest place, also after a reset.",
			Also:    []string{"helix.truncation.reset-sequence"},
			Apply:   endsAreLatest},
		{Name: "restart-forgets-state-before-chunks", Requirement: "helix.durable.snapshot", Stateful: true,
			Summary: "The state that a stream begins with is written with its first chunk, and a restart before that forgets it.",
			Apply: on.AfterRestart(func(inner store.Store, s *on.Store, found on.Found) {
				s.OnRead = func(ctx context.Context, stream string, after store.Mark) (store.Log, error) {
					was, before := found(ctx, stream)
					log, err := inner.Read(ctx, stream, after)
					if before && was.LatestSequence == 0 {
						log.Initial = nil
					}
					return log, err
				}
			})},
	}
}

// remembersNothingLeft answers a cursor that had nothing left the same again.
func remembersNothingLeft(o reference.Options) reference.Options {
	var complete alter.Ledger[bool]
	return on.OnAttachment(func(ctx context.Context, s store.Store, r helix.Reader,
		attach on.Attachment) (store.Subscription, error) {
		requested := fmt.Sprint(r.Cursor.After, " ", r.Stream)
		if complete.Get(requested) {
			return nil, store.ErrComplete
		}
		sub, err := attach(ctx, s, r)
		if errors.Is(err, store.ErrComplete) {
			complete.Set(requested, true)
		}
		return sub, err
	})(o)
}

// endsAreLatest serves a cursor that had nothing left with what comes next.
func endsAreLatest(o reference.Options) reference.Options {
	var complete alter.Ledger[bool]
	return on.OnAttachment(func(ctx context.Context, s store.Store, r helix.Reader,
		attach on.Attachment) (store.Subscription, error) {
		requested := fmt.Sprint(r.Cursor.After, " ", r.Stream)
		if info, err := s.Info(ctx, r.Stream); err == nil && complete.Get(requested) {
			r.Cursor.After = max(r.Cursor.After, info.LatestSequence)
		}
		sub, err := attach(ctx, s, r)
		if errors.Is(err, store.ErrComplete) {
			complete.Set(requested, true)
		}
		return sub, err
	})(o)
}
