package stream

import (
	"encoding/json"
	"slices"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// amounts lists mutants that have capacity for more than most servers need, and not for all that may come.
func amounts() []edit.Mutant {
	return []edit.Mutant{
		{Name: "stream-of-8000-events", Requirement: "helix.resume.complete",
			Summary: "A stream has room for 8,000 events: of a longer one the first are gone.",
			Apply: loses(func(v on.Attached, e store.Event) bool {
				return v.Stored(e) && e.Sequence <= v.Info.LatestSequence-8000
			})},
		{Name: "arrays-of-4096-chunks", Requirement: "helix.chunks.no-merge",
			Summary: "Of an array, 4,096 chunks are stored.",
			Apply: on.Batches(func(_ string, chunks []store.Chunk) []store.Chunk {
				return chunks[:min(len(chunks), 4096)]
			})},
		{Name: "snapshot-of-256-messages", Requirement: "helix.snapshot.text", Also: []string{"helix.snapshot.exact", "helix.snapshot.messages"},
			Summary: "A snapshot holds the last 256 messages.",
			Apply:   on.Snapshot(func(s *helix.Snapshot) { s.Messages = s.Messages[max(0, len(s.Messages)-256):] })},
		{Name: "messages-of-256-parts", Requirement: "helix.snapshot.exact", Also: []string{"helix.snapshot.text", "helix.snapshot.partial-parts"},
			Summary: "A message of a snapshot has 256 parts at most.",
			Apply: on.Snapshot(func(s *helix.Snapshot) {
				s.Messages = slices.Clone(s.Messages)
				for i, m := range s.Messages {
					s.Messages[i].Parts = m.Parts[:min(256, len(m.Parts))]
				}
			})},
		{Name: "state-of-256-kib", Requirement: "helix.snapshot.exact", Also: []string{"helix.snapshot.complete"},
			Summary: "A state has a column of 256 KiB, and one that doesn't fit is empty.",
			Apply: on.Snapshot(func(s *helix.Snapshot) {
				if len(s.State) > 256<<10 {
					s.State = json.RawMessage("{}")
				}
			})},
	}
}
