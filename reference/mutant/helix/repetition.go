package helix

import (
	"context"
	"encoding/json"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// onReset resets streams in another way; n counts the resets of each.
func onReset(do func(ctx context.Context, m *store.Memory, n int, stream string) error) apply {
	return on.OnMemory(func(m *store.Memory, s *on.Store) {
		var calls alter.Ledger[int]
		s.OnReset = func(ctx context.Context, stream string) error { return do(ctx, m, alter.Count(&calls, stream), stream) }
	})
}

// repetitions err when something happens again.
func repetitions() []Mutant {
	return []Mutant{
		{Name: "third-cleanup-untold", Requirement: "helix.truncation.notifies",
			Summary: "A connection has room for two notices of a cleanup.",
			Apply: on.Events(func(on.Visit) func(store.Event) bool {
				n := 0
				return func(e store.Event) bool {
					if told(e, store.Truncated) {
						n++
					}
					return told(e, store.Truncated) && n > 2
				}
			}).Drop()},
		{Name: "third-cleanup-removes-stepless", Requirement: "helix.truncation.keeps-stepless",
			Summary: "From the third cleanup on, chunks without a step count as of a late one.",
			Apply: func(o reference.Options) reference.Options {
				var cleanups alter.Ledger[int]
				return alter.All(on.Before(on.Calls{
					Cleanup: func(stream string, _ int64) { alter.Count(&cleanups, stream) },
				}), loses(func(v on.Visit, e store.Event) bool {
					return replayed(v, e) && !e.Chunk.HasStep && cleanups.Get(v.Stream) > 2
				}))(o)
			}},
		{Name: "count-forgets-second-cleanup", Requirement: "helix.truncation.count-after",
			Summary: "chunkCount is brought up to date by the first cleanup only.",
			Apply: func(o reference.Options) reference.Options {
				var cleanups, gone alter.Ledger[int]
				return alter.All(on.OnStore(func(inner store.Store, s *on.Store) {
					s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
						before, err := inner.Info(ctx, stream)
						if err == nil {
							err = inner.Cleanup(ctx, stream, step)
						}
						if after, failed := inner.Info(ctx, stream); err == nil && failed == nil && alter.Count(&cleanups, stream) > 1 {
							gone.With(stream, func(n *int) { *n += int(before.ChunkCount - after.ChunkCount) })
						}
						return err
					}
				}), on.Info(func(stream string, i *store.Info) { i.ChunkCount += int64(gone.Get(stream)) }))(o)
			}},
	}
}

// repetitionsMore do, too.
func repetitionsMore() []Mutant {
	return []Mutant{
		{Name: "third-return-untold", Requirement: "helix.status.frames",
			Summary: "From the third pause of a stream on, nobody hears of its end.",
			Apply: func(o reference.Options) reference.Options {
				var pauses alter.Ledger[int]
				return alter.All(on.Before(on.Calls{
					SetStatus: func(stream string, status store.Status) {
						if status == store.Paused {
							alter.Count(&pauses, stream)
						}
					},
				}), loses(func(v on.Visit, e store.Event) bool {
					return told(e, store.StatusChanged) && e.Status == store.Active && pauses.Get(v.Stream) > 2
				}))(o)
			}},
	}
}

// afterReset err in the second life of a stream, after a reset.
func afterReset() []Mutant {
	return []Mutant{
		{Name: "second-reset-keeps", Requirement: "helix.truncation.reset-empties",
			Summary: "A stream is reset once; later resets tell readers and remove nothing.",
			Apply: onReset(func(ctx context.Context, m *store.Memory, n int, stream string) error {
				if i, err := m.Info(ctx, stream); n > 1 && err == nil && i.Terminal == 0 {
					return notifyTruncated(ctx, m, stream, 0)
				}
				return m.Reset(ctx, stream)
			})},
		{Name: "second-reset-restarts-numbers", Requirement: "helix.truncation.reset-sequence",
			Summary: "A second reset empties the row that held the highest number.",
			Apply: func(o reference.Options) reference.Options {
				var resets alter.Ledger[int]
				return on.OnMemory(func(m *store.Memory, s *on.Store) {
					s.Before(on.Calls{Reset: func(stream string) { alter.Count(&resets, stream) }})
					m.Number = func(p store.Position) int64 {
						if resets.Get(p.Stream) > 1 {
							return p.Kept + 1
						}
						return p.Highest + 1
					}
				})(o)
			}},
	}
}

// afterResetMore do, too.
func afterResetMore() []Mutant {
	return []Mutant{
		{Name: "end-of-first-life", Requirement: "helix.lifecycle.final-output",
			Summary: "The output of a stream is written once, and a reset doesn't clear it.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var outputs alter.Ledger[json.RawMessage]
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
				var texts alter.Ledger[string]
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

// afterResetFurther do, too.
func afterResetFurther() []Mutant {
	return []Mutant{
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
