package stream

import (
	"context"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// manyReaders err with readers of one kind, at one moment.
func manyReaders() []edit.Mutant {
	resumed := func(v on.Attached) bool { return v.Cursor.After > 0 }
	live := func(hit func(v on.Attached, e store.Event) bool) on.Apply {
		return loses(func(v on.Attached, e store.Event) bool { return v.Live(e) && hit(v, e) })
	}
	return []edit.Mutant{
		{Name: "http2-resumed-after-500-live", Requirement: "helix.resume.complete", Summary: "Who resumes beyond 500 over HTTP/2 misses the first live chunk of each hundred.",
			Apply: live(func(v on.Attached, e store.Event) bool {
				return resumed(v) && v.Cursor.After > 500 && v.Request.ProtoMajor == 2 && e.Sequence%100 == 0
			})},
		{Name: "by-both-untold", Requirement: "helix.truncation.notifies", Summary: "Who resumed by header and query isn't told of cleanups.",
			Apply: loses(func(v on.Attached, e store.Event) bool {
				return v.Request.URL.Query().Has("fromSequence") && v.Request.Header.Get("Last-Event-ID") != "" && e.Kind == store.Truncated
			})},
		{Name: "came-paused-resumed-gzip", Requirement: "helix.status.written-while-paused", Summary: "Who resumes with compression during a pause misses what is written first in it.",
			Apply: on.Events(func(v on.Attached) func(store.Event) bool {
				first := resumed(v) && zipped(v) && v.Status == store.Paused
				return func(e store.Event) bool {
					lost := first && v.Live(e)
					first = first && !lost
					return lost
				}
			}).Drop()},
		{Name: "http2-paused-end", Requirement: "helix.lifecycle.end", Summary: "Over HTTP/2, who came during a pause isn't told of the end.",
			Apply: on.NeverSent(on.CameWhile(store.Paused), on.Terminal(), on.ForAttached(func(v on.Attached) bool { return v.Request.ProtoMajor == 2 }))},
		{Name: "tenth-reader-untold", Requirement: "helix.truncation.notifies", Summary: "Of more than nine readers, the others aren't told of cleanups.",
			Apply: loses(func(v on.Attached, e store.Event) bool { return v.Others >= 9 && e.Kind == store.Truncated })},
		{Name: "tenth-reader-paused", Requirement: "helix.status.frames", Summary: "Of more than nine readers, the others aren't told that a pause is over.",
			Apply: loses(func(v on.Attached, e store.Event) bool {
				return v.Others >= 9 && e.Kind == store.StatusChanged && e.Status == store.Active
			})},
		{Name: "third-array-of-the-tenth", Requirement: "helix.lifecycle.independent-readers", Summary: "Of more than nine readers, the others miss each 64th chunk that is live.",
			Apply: live(func(v on.Attached, e store.Event) bool { return v.Others >= 9 && e.Sequence%64 == 0 })},
		{Name: "long-then-resumed-twice", Requirement: "helix.resume.complete", Summary: "The second of two readers that come with one cursor beyond 64 gets a replay from a cache that lacks what was written since.",
			Apply: cachesReplays},
		{Name: "gzip-long-tail", Requirement: "helix.lifecycle.finished-replay", Summary: "With compression, the last chunk of a finished stream of more than 200 isn't sent.",
			Apply: loses(func(v on.Attached, e store.Event) bool {
				return zipped(v) && v.Finished() && v.ChunkCount > 200 && e.Kind == store.ChunkWritten && e.Sequence == v.LatestSequence
			})},
		{Name: "long-failed-http2", Requirement: "helix.lifecycle.fail", Summary: "Over HTTP/2, a text of a failure is lost after more than 200 chunks.",
			Apply: edit.OnEvents(func(v on.Attached, e store.Event) []store.Event {
				if v.Request.ProtoMajor == 2 && e.Kind == store.StreamFailed && e.Sequence > 200 {
					e.Error = "the run failed"
				}
				return []store.Event{e}
			})},
	}
}

// cachesReplays serves the second reader of a cursor with the events of the first one.
func cachesReplays(o reference.Options) reference.Options {
	var upTo alter.PerKey[map[int64]int64]
	return on.Events().Map(func(v on.Attached) func(store.Event) []store.Event {
		if v.Cursor.After <= 64 {
			return nil
		}
		latest := int64(0)
		upTo.With(v.Stream, func(m *map[int64]int64) {
			if *m == nil {
				*m = map[int64]int64{}
			}
			if latest = (*m)[v.Cursor.After]; latest == 0 {
				(*m)[v.Cursor.After] = v.LatestSequence
			}
		})
		if latest == 0 {
			return nil
		}
		return edit.Except(func(e store.Event) bool { return v.Stored(e) && e.Sequence > latest })
	})(o)
}

// keepers lists mutants that err in the data that a server stores of a stream: its writers, its numbers, its documents.
func keepers() []edit.Mutant {
	return []edit.Mutant{
		{Name: "one-writer-an-agent", Requirement: "helix.lifecycle.many-writers", Summary: "The twentieth writer of a stream closes the one before.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var open alter.PerKey[[]string]
				s.OnOpenWriter = func(ctx context.Context, stream string) (string, error) {
					id, err := inner.OpenWriter(ctx, stream)
					open.With(stream, func(all *[]string) {
						if *all = append(*all, id); len(*all) == 20 {
							_ = inner.CloseWriter(ctx, stream, (*all)[18])
						}
					})
					return id, err
				}
			})},
		{Name: "snapshot-lags-in-long-streams", Requirement: "helix.snapshot.sequence", Summary: "Beyond 200 chunks, the sequence of a snapshot is that of the last full ten.",
			Apply: on.Snapshot(func(s *helix.Snapshot) {
				if s.StreamSequence > 200 {
					s.StreamSequence -= s.StreamSequence % 10
				}
			})},
		{Name: "latest-lags-in-long-streams", Requirement: "helix.status.latest", Summary: "Beyond 200 chunks, latestSequence is written each ten chunks.",
			Apply: on.Info(func(_ string, info *store.Info) {
				if info.LatestSequence > 200 && info.Status == store.Active {
					info.LatestSequence -= info.LatestSequence % 10
				}
			})},
	}
}

// counted lists mutants that err in numbers which a server has counted or assigned before.
func counted() []edit.Mutant {
	return []edit.Mutant{
		{Name: "count-of-a-paused-stream", Requirement: "helix.status.count", Summary: "After a third pause, chunkCount is that of the pause.",
			Apply: func(o reference.Options) reference.Options {
				var pauses alter.PerKey[int]
				var at alter.PerKey[int64]
				return alter.All(on.OnStore(func(inner store.Store, s *on.Store) {
					s.OnSetStatus = func(ctx context.Context, stream string, status store.Status) error {
						if info, _ := inner.Info(ctx, stream); status == store.Paused && alter.Count(&pauses, stream) >= 3 {
							at.Set(stream, info.ChunkCount)
						}
						return inner.SetStatus(ctx, stream, status)
					}
				}), on.Info(func(stream string, info *store.Info) {
					if n := at.Get(stream); n > 0 && info.Status == store.Active {
						info.ChunkCount = min(n, info.ChunkCount)
					}
				}))(o)
			}},
		{Name: "terminal-below", Requirement: "helix.truncation.reset-sequence", Summary: "From the sixth reset on, numbers go on from those of the fifth life.",
			Apply: on.OnMemory(renumbersAtSixth)},
		{Name: "array-of-1000", Requirement: "helix.chunks.no-merge", Summary: "Of an array of more than 500 chunks, each five hundredth isn't stored.",
			Apply: on.Batches(func(_ string, chunks []store.Chunk) []store.Chunk {
				if len(chunks) > 500 {
					chunks = append(chunks[:499:499], chunks[500:]...)
				}
				return chunks
			})},
	}
}

// renumbersAtSixth forgets a stream at its sixth reset.
func renumbersAtSixth(m *store.Memory, s *on.Store) {
	var resets alter.PerKey[int]
	s.OnReset = func(ctx context.Context, stream string) error {
		if alter.Count(&resets, stream) != 6 {
			return m.Reset(ctx, stream)
		}
		if err := m.Delete(ctx, stream); err != nil {
			return err
		}
		_, err := m.OpenWriter(ctx, stream)
		return err
	}
}
