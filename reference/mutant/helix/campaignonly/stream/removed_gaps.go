package stream

import (
	"context"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// gaps serve readers wrongly where something was removed.
func gaps() []edit.Mutant {
	return []edit.Mutant{
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
		{Name: "archive-knows-one-cleanup", Requirement: "helix.truncation.removed-on-resume", Also: []string{"helix.truncation.removes"},
			Summary: "The archive of a finished stream takes the first cleanup over, and keeps what later ones removed.",
			Apply:   archived},
		{Name: "pause-outlives-the-end", Requirement: "helix.truncation.removes", Also: []string{"helix.truncation.count-after", "helix.truncation.removed-on-resume", "helix.snapshot.exact"},
			Summary: "A cleanup waits for the end of a pause, and on a stream that ended in one it waits for ever.",
			Apply:   on.OnStore(waitsForPause)},
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

// archived sends readers that resume on a finished stream the chunks that its second cleanup and later ones removed.
func archived(o reference.Options) reference.Options {
	type archive struct {
		cleanups int
		kept     []store.Event
	}
	var archives alter.PerKey[archive]
	o = on.OnStore(func(inner store.Store, s *on.Store) {
		edit.OnAppended(func(stream string, written []store.Event) {
			archives.With(stream, func(a *archive) { a.kept = append(a.kept, written...) })
		})(inner, s)
		s.Before(on.Calls{
			Cleanup: func(stream string, step int64) {
				archives.With(stream, func(a *archive) {
					if a.cleanups++; a.cleanups == 1 {
						a.kept = slices.DeleteFunc(a.kept, func(e store.Event) bool { return edit.Removes(step, e.Chunk) })
					}
				})
			},
			Reset: func(stream string) { archives.Set(stream, archive{}) },
		})
	})(o)
	return on.Events().Map(func(v on.Attached) func(store.Event) []store.Event {
		if !v.Finished() || v.Cursor.After == 0 {
			return nil
		}
		at := v.Cursor.After
		return func(e store.Event) []store.Event {
			var events []store.Event
			for _, kept := range archives.Get(v.Stream).kept {
				if kept.Sequence > at && kept.Sequence < e.Sequence {
					events = append(events, kept)
				}
			}
			at = max(at, e.Sequence)
			return append(events, e)
		}
	})(o)
}

// members lists mutants that lose members of written chunks, for some names or positions.
func members() []edit.Mutant {
	return []edit.Mutant{
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
		{Name: "snapshot-without-nulls-in-depth", Requirement: "helix.snapshot.exact", Also: []string{"helix.snapshot.complete"},
			Summary: "The state of a snapshot has no members that are null, below the second level.",
			Apply: on.Snapshot(func(s *helix.Snapshot) {
				state := alter.Members(s.State)
				if state == nil {
					return
				}
				for name, member := range state {
					inner := alter.Members(member)
					for key, value := range inner {
						inner[key] = edit.EveryValue(value, edit.WithoutNulls)
					}
					if inner != nil {
						state[name] = alter.Encode(inner)
					}
				}
				s.State = alter.Encode(state)
			})},
	}
}
