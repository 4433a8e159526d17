package stream

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
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// nextEpochs lists mutants that keep something of a stream after a reset.
func nextEpochs() []edit.Mutant {
	return []edit.Mutant{
		{Name: "nothing-left-is-remembered", Requirement: "helix.truncation.reset-sequence", Stateful: true,
			Summary: "That a cursor had nothing left is cached, and after a reset the answer is 204 still.",
			Also:    []string{"helix.resume.complete"},
			Apply:   remembersNothingLeft},
		{Name: "initial-states-merge", Requirement: "helix.snapshot.complete", Stateful: true,
			Summary: "An initial state that is set again is merged with the one before.",
			Also:    []string{"helix.snapshot.exact"},
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var states alter.PerKey[alter.Object]
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
				var reset alter.PerKey[bool]
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

// formerEnds lists mutants that keep the end of a stream after a reset.
func formerEnds() []edit.Mutant {
	return []edit.Mutant{
		{Name: "code-of-the-failure-before", Requirement: "helix.errors.fail-code", Stateful: true,
			Summary: "A failure without a code has the code of the one before the reset, whose column nobody empties.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var codes alter.PerKey[string]
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
	var complete alter.PerKey[bool]
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

// endsAreLatest moves a cursor that was once answered as complete to the latest sequence.
func endsAreLatest(o reference.Options) reference.Options {
	var complete alter.PerKey[bool]
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

// afterReset lists mutants that err in the second epoch of a stream, after a reset.
func afterReset() []edit.Mutant {
	return []edit.Mutant{
		{Name: "second-reset-keeps", Requirement: "helix.truncation.reset-empties",
			Summary: "A stream is reset once; later resets tell readers and remove nothing.",
			Apply: onReset(func(ctx context.Context, m *store.Memory, n int, stream string) error {
				if i, err := m.Info(ctx, stream); n > 1 && err == nil && i.Terminal == 0 {
					return edit.NotifyTruncated(ctx, m, stream, 0)
				}
				return m.Reset(ctx, stream)
			})},
		{Name: "second-reset-restarts-numbers", Requirement: "helix.truncation.reset-sequence",
			Summary: "A second reset empties the row that held the highest number.",
			Apply: func(o reference.Options) reference.Options {
				var resets alter.PerKey[int]
				return on.OnMemory(func(m *store.Memory, s *on.Store) {
					s.Before(on.Calls{Reset: func(stream string) { alter.Count(&resets, stream) }})
					m.Number = func(p store.Position) int64 {
						if resets.Get(p.Stream) > 1 {
							return p.LastStored + 1
						}
						return p.Highest + 1
					}
				})(o)
			}},
		{Name: "end-of-first-life", Requirement: "helix.lifecycle.final-output",
			Summary: "The output of a stream is written once, and a reset doesn't clear it.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var outputs alter.PerKey[json.RawMessage]
				s.OnEnd = func(ctx context.Context, stream string, output json.RawMessage) error {
					if first := outputs.Get(stream); first != nil {
						output = first
					}
					if output != nil {
						outputs.Set(stream, output)
					}
					return inner.End(ctx, stream, output)
				}
			})},
		{Name: "failed-once-fails-again", Requirement: "helix.lifecycle.fail",
			Summary: "The text of a failure stays in its column when the stream is reset.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var texts alter.PerKey[string]
				s.OnFail = func(ctx context.Context, stream, message, code string) error {
					texts.With(stream, func(t *string) {
						if *t == "" {
							*t = message
						}
						message = *t
					})
					return inner.Fail(ctx, stream, message, code)
				}
			})},
	}
}

// afterResetFurther continues afterReset.
func afterResetFurther() []edit.Mutant {
	return []edit.Mutant{
		{Name: "reset-in-pause-stays-paused", Requirement: "helix.truncation.reset-reopens",
			Summary: "A reset of a paused stream leaves it paused.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				s.OnReset = func(ctx context.Context, stream string) error {
					before, err := inner.Info(ctx, stream)
					if err == nil {
						err = inner.Reset(ctx, stream)
					}
					if err == nil && before.Status == store.Paused {
						err = inner.SetStatus(ctx, stream, store.Paused)
					}
					return err
				}
			})},
	}
}

// onReset resets streams in another way; n counts the resets of each.
func onReset(do func(ctx context.Context, m *store.Memory, n int, stream string) error) on.Apply {
	return on.OnMemory(func(m *store.Memory, s *on.Store) {
		var calls alter.PerKey[int]
		s.OnReset = func(ctx context.Context, stream string) error { return do(ctx, m, alter.Count(&calls, stream), stream) }
	})
}
