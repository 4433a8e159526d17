package stream

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// revives keeps chunks that cleanups remove, and sends those that back matches to readers that come later.
func revives(back func(v on.Attached, all []store.Event, i int) bool) on.Apply {
	return func(o reference.Options) reference.Options {
		var kept alter.PerKey[[]store.Event]
		o = on.OnStore(func(inner store.Store, s *on.Store) {
			s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
				all := edit.ChunksIn(inner, stream)
				err := inner.Cleanup(ctx, stream, step)
				if err == nil {
					kept.Set(stream, slices.DeleteFunc(all, func(e store.Event) bool { return !edit.Removes(step, e.Chunk) }))
				}
				return err
			}
			s.OnReset = func(ctx context.Context, stream string) error {
				all := edit.ChunksIn(inner, stream)
				err := inner.Reset(ctx, stream)
				if err == nil {
					kept.Set(stream, all)
				}
				return err
			}
		})(o)
		return on.Events().Map(func(v on.Attached) func(store.Event) []store.Event {
			var again []store.Event
			all := kept.Get(v.Stream)
			for i, e := range all {
				if back(v, all, i) && e.Sequence > v.Cursor.After {
					again = append(again, e)
				}
			}
			return func(e store.Event) []store.Event {
				var out []store.Event
				for len(again) > 0 && e.Sequence > again[0].Sequence {
					out, again = append(out, again[0]), again[1:]
				}
				return append(out, e)
			}
		})(o)
	}
}

// removed remove too little, where there is much, or of some type.
func removed() []edit.Mutant {
	return []edit.Mutant{
		{Name: "cleanup-of-the-latest-512", Requirement: "helix.truncation.removes", Summary: "A cleanup looks at the latest 512 chunks.",
			Apply: revives(func(v on.Attached, all []store.Event, i int) bool { return v.LatestSequence-all[i].Sequence >= 512 })},
		{Name: "cleanup-in-pages-of-256", Requirement: "helix.truncation.removes", Summary: "A cleanup removes 256 chunks at a time, and passes over the one behind.",
			Apply: revives(func(_ on.Attached, _ []store.Event, i int) bool { return i > 0 && i%257 == 256 })},
		{Name: "removes-500", Requirement: "helix.truncation.removes", Summary: "A cleanup or a reset removes 500 chunks at most.",
			Apply: revives(func(_ on.Attached, _ []store.Event, i int) bool { return i >= 500 })},
		{Name: "errors-stay", Requirement: "helix.truncation.removes", Summary: "Errors have a table of their own, which no cleanup reaches.",
			Apply: revives(func(_ on.Attached, all []store.Event, i int) bool {
				return alter.Members(all[i].Chunk.JSON).Text("type") == "error"
			})},
		{Name: "children-stay", Requirement: "helix.truncation.removes", Summary: "A cleanup removes what the first agent of the stream wrote.",
			Apply: revives(func(v on.Attached, all []store.Event, i int) bool {
				return alter.Members(all[i].Chunk.JSON).Text("agentId") != alter.Members(all[0].Chunk.JSON).Text("agentId")
			})},
	}
}

// removedStays keep removed chunks for some, or count it wrongly.
func removedStays() []edit.Mutant {
	return []edit.Mutant{
		{Name: "patches-stay-on-resume", Requirement: "helix.truncation.removed-on-resume", Summary: "Who resumes gets patches that were removed.",
			Apply: revives(func(v on.Attached, all []store.Event, i int) bool {
				return v.Cursor.After > 0 && alter.Members(all[i].Chunk.JSON).Text("type") == "state_patch"
			})},
		{Name: "cleanup-steps-of-7-bits", Requirement: "helix.truncation.keeps", Summary: "A cleanup to a step beyond 127 is one to 127.",
			Also: []string{"helix.truncation.step"},
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
					return inner.Cleanup(ctx, stream, min(step, 127))
				}
			})},
		{Name: "count-of-long-cleanups", Requirement: "helix.truncation.count-after", Summary: "A cleanup of more than 300 chunks takes 300 off chunkCount.",
			Apply: func(o reference.Options) reference.Options {
				var more alter.PerKey[int64]
				return alter.All(on.OnStore(func(inner store.Store, s *on.Store) {
					s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
						before, _ := inner.Info(ctx, stream)
						err := inner.Cleanup(ctx, stream, step)
						after, _ := inner.Info(ctx, stream)
						more.With(stream, func(n *int64) { *n += max(0, before.ChunkCount-after.ChunkCount-300) })
						return err
					}
					s.OnReset = func(ctx context.Context, stream string) error { more.Set(stream, 0); return inner.Reset(ctx, stream) }
				}), on.Info(func(stream string, info *store.Info) { info.ChunkCount += more.Get(stream) }))(o)
			}},
		{Name: "removed-cursors-in-long-streams", Requirement: "helix.resume.removed-cursor", Summary: "Where a cursor beyond 128 was removed, the next chunk that is stored is lost.",
			Apply: func(o reference.Options) reference.Options {
				return on.Events().Map(func(v on.Attached) func(store.Event) []store.Event {
					if v.Cursor.After <= 128 || slices.ContainsFunc(edit.ChunksIn(v.Store, v.Stream), func(e store.Event) bool { return e.Sequence == v.Cursor.After }) {
						return nil
					}
					first := v.Cursor.After <= v.LatestSequence
					return edit.Except(func(e store.Event) bool {
						lost := first && e.Kind == store.ChunkWritten
						first = false
						return lost
					})
				})(o)
			}},
	}
}

// noticed lists mutants that lose notices that coincide with something else.
func noticed() []edit.Mutant {
	beside := func(kind store.Kind, most int) on.Apply {
		return on.OnAttached(func(v on.Attached, s store.Subscription) store.Subscription {
			return &edit.Batches{Subscription: s, Change: func(events []store.Event) []store.Event {
				if len(events) <= most {
					return events
				}
				return slices.DeleteFunc(events, func(e store.Event) bool { return e.Kind == kind })
			}}
		})
	}
	return []edit.Mutant{
		{Name: "truncated-beside-eight", Requirement: "helix.truncation.notifies", Summary: "A notice of a cleanup is lost where more than eight events are sent at once.", Apply: beside(store.Truncated, 8)},
		{Name: "truncated-where-it-was-sent", Requirement: "helix.truncation.notifies", Summary: "A connection is told of a cleanup that removes something which was sent on it; who resumed behind that isn't.",
			Apply: on.Events(func(on.Attached) func(store.Event) bool {
				highest := int64(-1) // step that was sent
				return func(e store.Event) bool {
					if e.Kind == store.ChunkWritten && e.Chunk.HasStep {
						highest = max(highest, e.Chunk.Step)
					}
					return e.Kind == store.Truncated && e.AtStep >= highest
				}
			}).Drop()},
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
	}
}

// wrongNotices lists mutants that notify readers of another operation than the one that was done.
func wrongNotices() []edit.Mutant {
	return []edit.Mutant{
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
		{Name: "gzip-reset-untold", Requirement: "helix.truncation.reset-notifies", Summary: "Who resumed with compression isn't told of a reset.",
			Apply: loses(func(v on.Attached, e store.Event) bool {
				return zipped(v) && v.Cursor.After > 0 && e.Kind == store.Truncated && e.AtStep == 0
			})},
	}
}

// long lists mutants that err after many epochs of a stream.
func long() []edit.Mutant {
	return []edit.Mutant{
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
		{Name: "code-of-the-former-life", Requirement: "helix.errors.fail-code", Summary: "A failure without a code has that of the failure before.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var codes alter.PerKey[string]
				s.OnFail = func(ctx context.Context, stream, message, code string) error {
					codes.With(stream, func(last *string) {
						if code == "" {
							code = *last
						}
						*last = code
					})
					return inner.Fail(ctx, stream, message, code)
				}
			})},
		{Name: "output-of-the-former-life", Requirement: "helix.lifecycle.final-output", Summary: "An end without an output has that of the end before.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var outputs alter.PerKey[json.RawMessage]
				s.OnEnd = func(ctx context.Context, stream string, output json.RawMessage) error {
					outputs.With(stream, func(last *json.RawMessage) {
						if output == nil {
							output = *last
						}
						*last = output
					})
					return inner.End(ctx, stream, output)
				}
			})},
	}
}

// fromCaches answer from a document that was made before.
func fromCaches() []edit.Mutant {
	return []edit.Mutant{
		{Name: "fifty-questions", Requirement: "helix.status.latest", Summary: "The fiftieth answer of StreamInfo comes from a cache, as does each after it.",
			Apply: func(o reference.Options) reference.Options {
				type cached struct {
					n    int
					info store.Info
				}
				var requested alter.PerKey[cached]
				return on.Info(func(stream string, info *store.Info) {
					requested.With(stream, func(c *cached) {
						if c.n++; c.n <= 50 {
							c.info = *info
							return
						}
						*info = c.info
					})
				})(o)
			}},
	}
}

// addedUp answer snapshots that something is missing from, or too much in.
func addedUp() []edit.Mutant {
	return []edit.Mutant{
		{Name: "snapshot-of-one-agent-each", Requirement: "helix.snapshot.exact", Summary: "A snapshot holds an equal text part once.",
			Apply: on.Snapshot(func(s *helix.Snapshot) {
				for i := range s.Messages {
					for j := range s.Messages[i].Parts {
						p := &s.Messages[i].Parts[j]
						if n := len(p.Text) / 2; n > 0 && len(p.Text)%2 == 0 && p.Text[:n] == p.Text[n:] {
							p.Text = p.Text[:n]
						}
					}
				}
			})},
	}
}
