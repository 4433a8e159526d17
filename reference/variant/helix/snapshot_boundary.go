package helix

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// cuts returns variants whose snapshots without partial content have another boundary.
func cuts() []Variant {
	return []Variant{
		{Name: "snapshot-before-replay", Freedom: "helix.snapshot.boundary", Replays: true,
			Summary: "Without partial content the sequence is the latest, and another route brings what the open step has said again.",
			Apply: on.OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
				s, err := take(ctx, true)
				if !r.Partial {
					s.Messages = slices.DeleteFunc(s.Messages, func(m helix.Message) bool { return strings.HasSuffix(m.ID, "-partial") })
				}
				return s, err
			})},
		{Name: "snapshot-is-partial-by-default", Freedom: "helix.snapshot.no-partial", Partial: true,
			Summary: "A snapshot has partial content unless its request declines it, by a server without content replay.",
			Wrap:    alter.OnRequests(namesNoForm, includesPartial)},
		{Name: "snapshot-at-commit", Freedom: "helix.snapshot.boundary",
			Summary: "Without partial content a snapshot is saved with each step and is of the chunk that says so, whatever came after it.",
			Apply:   on.SnapshotBoundary(boundaryAtCommit)},
		{Name: "snapshot-before-what-nobody-saved", Freedom: "helix.snapshot.saved-first",
			Summary: "Without partial content a snapshot of a stream on which no step was saved is of its beginning, patches included.",
			Apply:   on.SnapshotBoundary(emptyWithoutCheckpoint)},
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

// namesNoForm matches requests for a snapshot without includePartialContent.
func namesNoForm(r *http.Request) bool {
	return !alter.IsControl(r) && strings.HasSuffix(r.URL.Path, "/snapshot") && !r.URL.Query().Has("includePartialContent")
}

func includesPartial(next http.Handler, w http.ResponseWriter, r *http.Request) {
	r.URL.RawQuery = "includePartialContent=true"
	next.ServeHTTP(w, r)
}

// emptyWithoutCheckpoint empties a log without a checkpoint.
func emptyWithoutCheckpoint(log *store.Log) {
	if !slices.ContainsFunc(log.Events, func(e store.Event) bool { return stepEnds[typeOf(e)] }) {
		log.Events, log.LatestSequence = nil, 0
	}
}

// boundaryAtCommit ends a log after the last chunk that completes a step and isn't voided.
func boundaryAtCommit(log *store.Log) {
	last := -1
	for i, e := range log.Events {
		switch typeOf(e) {
		case "checkpoint_created", "step_committed":
			last = i
		case "stream_resync", "step_discarded": // an earlier stored snapshot may be invalid
			last = -1
		}
	}
	if last >= 0 {
		log.Events = log.Events[:last+1]
		log.LatestSequence = log.Events[last].Sequence
	}
}

func typeOf(e store.Event) string { return alter.Members(e.Chunk.JSON).Text("type") }

// stepEnds lists the types of chunks that complete, discard or void a step.
var stepEnds = map[string]bool{"step_committed": true, "checkpoint_created": true, "step_discarded": true, "stream_resync": true}
