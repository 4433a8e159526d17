package helix

import (
	"context"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// cuts are other places at which a snapshot without partial content cuts the stream.
func cuts() []Variant {
	return []Variant{
		{Name: "snapshot-before-replay", Freedom: "helix.snapshot.boundary", Replays: true,
			Summary: "Without partial content the sequence is the latest, and another route brings what the open step has said again.",
			Apply: func(o reference.Options) reference.Options {
				o.Snapshot = func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
					s, err := take(ctx, true)
					if !r.Partial {
						s.Messages = slices.DeleteFunc(s.Messages, func(m helix.Message) bool { return strings.HasSuffix(m.ID, "-partial") })
					}
					return s, err
				}
				return o
			}},
		{Name: "snapshot-at-commit", Freedom: "helix.snapshot.boundary",
			Summary: "Without partial content a snapshot is saved with each step and is of the chunk that says so, whatever came after it.",
			Apply:   cutAt(func(kind string) bool { return kind == "checkpoint_created" || kind == "step_committed" })},
		{Name: "snapshot-before-what-nobody-saved", Freedom: "helix.snapshot.saved-first",
			Summary: "Without partial content a snapshot of a stream on which no step was saved is of its beginning, patches included.",
			Apply:   cutAt(nil)},
		{Name: "reasoning-without-state", Freedom: "helix.snapshot.partial-parts",
			Summary: "A block of reasoning that goes on after the cut has no state.",
			Wrap: onSnapshot(func(s map[string]any) {
				eachMessage(s, func(m map[string]any) {
					for _, part := range list(m["parts"]) {
						if p := part.(map[string]any); p["type"] == "reasoning" {
							delete(p, "state")
						}
					}
				})
			})},
	}
}

// saved marks a request for a snapshot without partial content.
type saved struct{}

// cutAt makes the last chunk of some types the place of snapshots without partial content, as long as the stream goes on and
// a step has begun since; of nil, its beginning, as long as nothing was saved.
func cutAt(hit func(kind string) bool) apply {
	return alter.All(on.OnStore(func(inner store.Store, s *on.Store) { s.OnRead = committed(inner, hit) }), func(o reference.Options) reference.Options {
		next := o.Snapshot
		o.Snapshot = func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
			if !r.Partial {
				ctx = context.WithValue(ctx, saved{}, true)
			}
			return next(ctx, take, r)
		}
		return o
	})
}

// saves are the types of chunks that say of a step that it is complete, or that it never was.
var saves = map[string]bool{"step_committed": true, "checkpoint_created": true, "step_discarded": true, "stream_resync": true}

// committed reads a stream as it was when a step was saved. Every log is read whole, since it may be shorter than the one
// before.
func committed(inner store.Store, hit func(string) bool) func(context.Context, string, store.Mark) (store.Log, error) {
	return func(ctx context.Context, stream string, _ store.Mark) (store.Log, error) {
		log, err := inner.Read(ctx, stream, store.Mark{})
		if err == nil && ctx.Value(saved{}) != nil && log.Terminal == 0 {
			cut(&log, hit)
		}
		return log, err
	}
}

// cut ends a log where a step was saved.
func cut(log *store.Log, hit func(kind string) bool) {
	last := -1
	for i, e := range log.Events {
		if hit == nil {
			if saves[alter.Members(e.Chunk.JSON).Text("type")] {
				return
			}
			continue
		}
		switch kind := alter.Members(e.Chunk.JSON).Text("type"); {
		case hit(kind):
			last = i
		case kind == "stream_resync" || kind == "step_discarded": // what was saved before may not count
			last = -1
		}
	}
	if hit == nil {
		log.Events, log.LatestSequence = nil, 0
		return
	}
	if last >= 0 && last+1 < len(log.Events) {
		log.Events = log.Events[:last+1]
		log.LatestSequence = log.Events[last].Sequence
	}
}
