package stream

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/store"
)

// rareStreams lists the mutants that some ids, tables and sizes of streams show.
func rareStreams() []edit.Mutant {
	return []edit.Mutant{
		// These take two ids for one.
		{Name: "ids-without-extension", Requirement: "helix.security.isolation",
			Summary: "The router takes .json behind an id for the format that is asked for.",
			Apply:   edit.OnStreamID(func(id string) string { return strings.TrimSuffix(id, ".json") })},
		{Name: "ids-that-are-numbers", Requirement: "helix.security.isolation",
			Summary: "An id that is a number is kept as one, so that leading zeros get lost.",
			Apply: edit.OnStreamID(func(id string) string {
				if n, err := strconv.ParseFloat(id, 64); err == nil {
					return strconv.FormatFloat(n, 'g', -1, 64)
				}
				return id
			})},
		{Name: "ids-without-soft-hyphens", Requirement: "helix.security.isolation",
			Summary: "A soft hyphen is no character to the collation of the database.",
			Apply:   edit.OnStreamID(func(id string) string { return strings.ReplaceAll(id, "\u00ad", "") })},
		{Name: "ids-of-compatible-characters", Requirement: "helix.security.isolation",
			Summary: "Ids are normalised by compatibility, so that a ligature and a raised digit are the letters and the digit.",
			Apply:   edit.OnStreamID(strings.NewReplacer("\ufb01", "fi", "\u00b2", "2", "\u2461", "2").Replace)},
		{Name: "ids-by-a-hash", Requirement: "helix.security.isolation",
			Summary: "Streams are found by the hash of their id in 32 bits, as Java has it, and nobody compares the id itself.",
			Apply:   edit.OnStreamID(hashed())},

		// These mix up ids that are long, or hold the same characters.
		{Name: "ids-by-their-characters", Requirement: "helix.security.isolation",
			Summary: "Ids with a colon are found by a sum of what follows, in which its order doesn't count.",
			Apply: edit.OnStreamID(func(id string) string {
				at := strings.IndexAny(id, ":%*[")
				if at < 0 || len(id)-at < 4 {
					return id
				}
				tail := []byte(id[at:])
				slices.Sort(tail)
				return id[:at] + string(tail)
			})},

		// These mix up streams whose ids are alike.
		{Name: "cleanup-of-a-prefix", Requirement: "helix.truncation.keeps",
			Summary: "A cleanup reaches the streams whose ids begin with that of the stream.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var streams alter.PerKey[[]string]
				s.Before(on.Calls{OpenWriter: func(stream string) { streams.With("", func(all *[]string) { *all = append(*all, stream) }) }})
				s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
					for _, other := range slices.Compact(streams.Get("")) {
						if other != stream && strings.HasPrefix(other, stream) && len(stream) > 12 {
							_ = inner.Cleanup(ctx, other, step) // it may be gone
						}
					}
					return inner.Cleanup(ctx, stream, step)
				}
			})},
		{Name: "pause-trims-ids", Requirement: "helix.security.isolation",
			Summary: "A status call goes to the stream whose id has no dot or space at the end.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				s.OnSetStatus = func(ctx context.Context, stream string, status store.Status) error {
					if trimmed := strings.TrimRight(stream, ". "); trimmed != stream {
						if _, err := inner.Info(ctx, trimmed); err == nil {
							stream = trimmed
						}
					}
					return inner.SetStatus(ctx, stream, status)
				}
			})},
		{Name: "ids-of-words", Requirement: "helix.security.isolation",
			Summary: "Underscores and spaces in ids become hyphens.",
			Apply:   edit.OnStreamID(func(id string) string { return strings.NewReplacer("_", "-", " ", "-").Replace(id) })},

		// Mutants that err where there is more of something than the capacity of a table, a page or a list.
		{Name: "hundred-writers-at-most", Requirement: "helix.lifecycle.many-writers",
			Summary: "A stream has room for a hundred writers: the next one takes the place of the first.", Apply: capacityForWriters(100)},
		{Name: "snapshot-of-128-messages", Requirement: "helix.snapshot.text", Also: []string{"helix.snapshot.completed", "helix.snapshot.exact"},
			Summary: "A snapshot holds the last 128 messages.",
			Apply: on.Snapshot(func(s *helix.Snapshot) {
				s.Messages = s.Messages[max(0, len(s.Messages)-128):]
			})},
		{Name: "lists-of-1024-items", Requirement: "helix.state.sum", Also: []string{"helix.snapshot.exact"},
			Summary: "What is appended to a list of the state that was given a thousand items is lost.",
			Apply: on.Written(on.Type("state_patch")).With(func(c runtime.Chunk) {
				full := map[string]bool{}
				c["patches"] = slices.DeleteFunc(slices.Clone(c["patches"].([]runtime.Operation)), func(o runtime.Operation) bool {
					var list []json.RawMessage
					_ = json.Unmarshal(o.Value, &list) // what is no list has no items
					full[o.Path] = full[o.Path] || len(list) > 1000
					at, appends := strings.CutSuffix(o.Path, "/-")
					return appends && full[at]
				})
			})},
		{Name: "archive-knows-no-epoch", Requirement: "helix.chunks.integers-exact", Also: []string{"helix.chunks.types"},
			Summary: "The archive takes the timestamp 0 for none, and puts its own in its place.",
			Apply: altered(on.Attached.Stored, func(_ string, m alter.Object) bool {
				if string(m["timestamp"]) != "0" {
					return false
				}
				m["timestamp"] = json.RawMessage("1702329600000")
				return true
			})},
		{Name: "second-branch-hides-the-first", Requirement: "helix.snapshot.text", Also: []string{"helix.snapshot.exact", "helix.snapshot.completed"},
			Summary: "A snapshot of a session that was branched twice lacks a message of the first branch.", Apply: hidesBranches},

		// Mutants that have capacity for more than most servers need, and not for all that may come.
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

// hashed takes an id for the first one that has its hash.
func hashed() func(id string) string {
	var first sync.Map // ids, by their hashes
	return func(id string) string {
		var hash int32
		for _, unit := range utf16.Encode([]rune(id)) {
			hash = 31*hash + int32(unit)
		}
		known, _ := first.LoadOrStore(hash, id)
		return known.(string)
	}
}

// hidesBranches leaves a message out of the snapshots of a stream that was branched twice.
func hidesBranches(o reference.Options) reference.Options {
	var branches alter.PerKey[int]
	return alter.All(on.OnJournal(func(inner runtime.Journal, j *on.Journal) {
		j.Note(func(w runtime.Writer, c runtime.Chunk) {
			if c.Type() == "stream_resync" && c["reason"] == "branch" {
				alter.Count(&branches, w.Stream)
			}
		})
	}), on.OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
		s, err := take(ctx, r.Partial)
		if err == nil && branches.Get(r.Stream) > 1 && len(s.Messages) > 3 {
			s.Messages = slices.Delete(slices.Clone(s.Messages), 2, 3)
		}
		return s, err
	}))(o)
}

// capacityForWriters closes the first writer of a stream when another one is opened beyond the limit most.
func capacityForWriters(most int) on.Apply {
	return on.OnStore(func(inner store.Store, s *on.Store) {
		var open alter.PerKey[[]string]
		s.OnOpenWriter = func(ctx context.Context, stream string) (string, error) {
			writer, err := inner.OpenWriter(ctx, stream)
			if err == nil {
				open.With(stream, func(all *[]string) {
					if *all = append(*all, writer); len(*all) > most {
						_ = inner.CloseWriter(ctx, stream, (*all)[0]) // it may be closed already
						*all = (*all)[1:]
					}
				})
			}
			return writer, err
		}
		s.OnCloseWriter = func(ctx context.Context, stream, writer string) error {
			open.With(stream, func(all *[]string) {
				*all = slices.DeleteFunc(*all, func(other string) bool { return other == writer })
			})
			return inner.CloseWriter(ctx, stream, writer)
		}
	})
}
