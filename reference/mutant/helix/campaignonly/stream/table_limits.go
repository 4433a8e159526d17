package stream

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/store"
)

// extents lists mutants that err where there is more of something than the capacity of a table, a page or a list.
func extents() []edit.Mutant {
	return []edit.Mutant{
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
