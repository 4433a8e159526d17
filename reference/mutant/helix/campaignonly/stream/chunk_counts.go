package stream

import (
	"strconv"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// volume err beyond some number of chunks.
func volume() []edit.Mutant {
	return []edit.Mutant{
		{Name: "replay-loses-256th", Requirement: "helix.lifecycle.late-reader",
			Summary: "The replay is read in pages of 256, and the first of each further page is lost.",
			Apply:   loses(func(v on.Attached, e store.Event) bool { return v.Stored(e) && e.Sequence%256 == 0 })},
		{Name: "page-of-100-overlaps", Requirement: "helix.lifecycle.late-reader",
			Summary: "The replay is read in pages of 100, whose borders belong to both.",
			Apply: edit.OnEvents(func(v on.Attached, e store.Event) []store.Event {
				if v.Stored(e) && e.Sequence%100 == 0 {
					return []store.Event{e, e}
				}
				return []store.Event{e}
			})},
		{Name: "cursor-of-8-bits", Requirement: "helix.resume.after-cursor",
			Summary: "A cursor is kept in a byte.",
			Apply:   on.Starts(func(s on.Start) bool { return s.After <= s.LatestSequence }).At(func(s on.Start) int64 { return s.After & 255 })},
		{Name: "count-stops-at-999", Requirement: "helix.status.count",
			Summary: "chunkCount has room for three digits.",
			Apply:   on.Info(func(_ string, i *store.Info) { i.ChunkCount = min(i.ChunkCount, 999) })},
		{Name: "latest-of-8-bits", Requirement: "helix.status.latest",
			Summary: "latestSequence is kept in a byte.",
			Apply:   on.Info(func(_ string, i *store.Info) { i.LatestSequence &= 255 })},
		{Name: "arrays-of-50-at-most", Requirement: "helix.chunks.no-merge",
			Summary: "Of an array, 50 chunks are inserted at a time, and only once.",
			Apply:   on.Batches(func(_ string, chunks []store.Chunk) []store.Chunk { return chunks[:min(len(chunks), 50)] })},
		{Name: "live-stops-after-128", Requirement: "helix.lifecycle.live",
			Summary: "A connection has a queue of 128 places; what comes next is dropped once.",
			Apply: on.Events(func(v on.Attached) func(store.Event) bool {
				sent := 0
				return func(e store.Event) bool {
					if v.Live(e) {
						sent++
					}
					return v.Live(e) && sent == 129
				}
			}).Drop()},
		{Name: "replays-500-at-most", Requirement: "helix.lifecycle.late-reader",
			Summary: "A reader that starts at the beginning gets the 500 latest chunks.",
			Apply: loses(func(v on.Attached, e store.Event) bool {
				return v.Fresh() && e.Kind == store.ChunkWritten && e.Sequence <= v.LatestSequence-500
			})},
		{Name: "sorts-as-text-from-1000", Requirement: "helix.resume.complete",
			Summary: "On a resume, sequences are compared as text, so that 1000 comes before 999.",
			Apply: loses(func(v on.Attached, e store.Event) bool {
				return onResume(v, e) && e.Sequence >= 1000 && strconv.FormatInt(e.Sequence, 10) < strconv.FormatInt(v.Cursor.After, 10) && v.Cursor.After > 900
			})},
		{Name: "retains-300", Requirement: "helix.lifecycle.finished-replay",
			Summary: "The archive of a finished stream holds the latest 300 chunks.",
			Apply: loses(func(v on.Attached, e store.Event) bool {
				return v.Finished() && e.Kind == store.ChunkWritten && e.Sequence <= v.LatestSequence-300
			})},
	}
}

// sizes err with large chunks or many of one call.
func sizes() []edit.Mutant {
	large := func(size int) func(v on.Attached, e store.Event) bool {
		return func(v on.Attached, e store.Event) bool { return v.Stored(e) && len(e.Chunk.JSON) >= size }
	}
	return []edit.Mutant{
		{Name: "replay-cuts-at-64-kib", Requirement: "helix.chunks.strings-exact",
			Summary: "A column of the archive holds 65,535 bytes, and cuts longer texts silently.",
			Apply: rewrites(large(0), edit.OnText(func(s string) any {
				if len(s) > 65535 {
					return s[:65535]
				}
				return s
			}))},
		{Name: "resume-drops-half-a-mebibyte", Requirement: "helix.resume.complete",
			Summary: "On a resume, a chunk of 512 KiB and more doesn't fit the answer of the store.",
			Apply:   loses(func(v on.Attached, e store.Event) bool { return onResume(v, e) && len(e.Chunk.JSON) > 512<<10 })},
	}
}
