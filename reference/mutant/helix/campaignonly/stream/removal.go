package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// removal lists the mutants that show after a cleanup, a reset or a pause.
func removal() []edit.Mutant {
	return []edit.Mutant{
		// Mutants that lose notices that coincide with something else.
		{Name: "twentieth-status", Requirement: "helix.status.frames", Summary: "A connection is sent twenty status frames.",
			Apply: on.Events(func(on.Attached) func(store.Event) bool {
				n := 0
				return func(e store.Event) bool {
					if e.Kind == store.StatusChanged {
						n++
					}
					return e.Kind == store.StatusChanged && n > 20
				}
			}).Drop()},

		// Mutants that notify readers of another operation than the one that was done.
		{Name: "thirty-third-cleanup", Requirement: "helix.truncation.step", Summary: "Steps of the cleanups of a stream are kept in 32 places, and the next one names the first.",
			Apply: func(o reference.Options) reference.Options {
				var steps alter.PerKey[[]int64]
				return alter.All(on.Before(on.Calls{
					Cleanup: func(stream string, step int64) { steps.With(stream, func(all *[]int64) { *all = append(*all, step) }) },
				}), edit.OnEvents(func(v on.Attached, e store.Event) []store.Event {
					if all := steps.Get(v.Stream); e.Kind == store.Truncated && len(all) > 32 {
						e.AtStep = all[0]
					}
					return []store.Event{e}
				}))(o)
			}},

		// Mutants that err after many epochs of a stream.
		{Name: "tenth-life-fails", Requirement: "helix.lifecycle.fail", Summary: "From the tenth end of a stream on, readers get the text of the ninth.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var texts alter.PerKey[[]string]
				s.OnFail = func(ctx context.Context, stream, message, code string) error {
					texts.With(stream, func(all *[]string) {
						if *all = append(*all, message); len(*all) > 9 {
							message = (*all)[8]
						}
					})
					return inner.Fail(ctx, stream, message, code)
				}
			})},

		// These serve readers wrongly where something was removed.
		{Name: "resumed-on-an-emptied-stream", Requirement: "helix.resume.removed-cursor",
			Summary: "Who resumes on a stream from which everything was removed misses what is written first.",
			Apply: on.Events(func(v on.Attached) func(store.Event) bool {
				first := v.Cursor.After > 0 && v.ChunkCount == 0
				return func(e store.Event) bool {
					missed := first && v.Live(e)
					first = first && e.Kind != store.ChunkWritten
					return missed
				}
			}).Drop()},
		{Name: "pause-outlives-the-end", Requirement: "helix.truncation.removes", Also: []string{"helix.truncation.count-after", "helix.truncation.removed-on-resume", "helix.snapshot.exact"},
			Summary: "A cleanup waits for the end of a pause, and on a stream that ended in one it waits for ever.",
			Apply:   on.OnStore(waitsForPause)},

		// Mutants that lose members of written chunks, for some names or positions.
		{Name: "names-without-case", Requirement: "helix.chunks.any-value",
			Summary: "The archive takes members whose names differ in case for one, below the first level.",
			Apply: rewrites(on.Attached.Stored, func(v any) any {
				members, _ := v.(map[string]any)
				if members["type"] != nil && members["agentId"] != nil {
					return v
				}
				for name := range members {
					if lower := strings.ToLower(name); lower != name && members[lower] != nil {
						delete(members, name)
					}
				}
				return v
			})},

		// Mutants that keep something of a stream after a reset.
		{Name: "nothing-left-is-remembered", Requirement: "helix.truncation.reset-sequence", Stateful: true, Also: []string{"helix.resume.complete"},
			Summary: "That a cursor had nothing left is cached, and after a reset the answer is 204 still.",
			Apply:   remembersNothingLeft},

		// Mutants that keep the end of a stream after a reset.
		{Name: "former-end-is-the-latest", Requirement: "helix.resume.complete", Stateful: true, Also: []string{"helix.truncation.reset-sequence"},
			Summary: "A cursor that had nothing left is taken for the latest place, also after a reset.",
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

		// These err where a pause meets something else.
		{Name: "end-in-pause-loses-chunk", Requirement: "helix.lifecycle.terminal-last-chunks",
			Summary: "Where a stream ends during a pause, what was written last in it is lost to later readers.",
			Apply: func(o reference.Options) reference.Options {
				var lost alter.PerKey[int64]
				o = on.OnStore(func(inner store.Store, s *on.Store) {
					var last alter.PerKey[int64]
					edit.OnAppended(func(stream string, written []store.Event) {
						if i, err := inner.Info(context.Background(), stream); err == nil && i.Status == store.Paused && len(written) > 0 {
							last.Set(stream, written[len(written)-1].Sequence)
						}
					})(inner, s)
					s.Before(on.Calls{
						SetStatus: func(stream string, _ store.Status) { last.Set(stream, 0) },
						End:       func(stream string, _ json.RawMessage) { lost.Set(stream, last.Get(stream)) },
					})
				})(o)
				return loses(func(v on.Attached, e store.Event) bool {
					return v.Finished() && e.Kind == store.ChunkWritten && e.Sequence == lost.Get(v.Stream)
				})(o)
			}},
	}
}

// waitsForPause leaves everything where a stream is cleaned up that ended in a pause.
func waitsForPause(inner store.Store, s *on.Store) {
	var paused alter.PerKey[bool]
	finished := func(stream string) bool {
		i, err := inner.Info(context.Background(), stream)
		return err == nil && i.Terminal > 0
	}
	s.Before(on.Calls{
		SetStatus: func(stream string, status store.Status) {
			if !finished(stream) {
				paused.Set(stream, status == store.Paused)
			}
		},
		Reset: func(stream string) { paused.Set(stream, false) },
	})
	s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
		if paused.Get(stream) && finished(stream) {
			return nil
		}
		return inner.Cleanup(ctx, stream, step)
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
