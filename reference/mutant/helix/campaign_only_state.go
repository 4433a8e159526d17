package helix

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// campaignOnlyPauses err where a pause meets something else.
func campaignOnlyPauses() []Mutant {
	return []Mutant{
		{Name: "cleanup-ends-pause", Requirement: "helix.status.transitions",
			Summary: "A cleanup writes the status active.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
					if err := inner.Cleanup(ctx, stream, step); err != nil {
						return err
					}
					if i, err := inner.Info(ctx, stream); err == nil && i.Status == store.Paused {
						return inner.SetStatus(ctx, stream, store.Active)
					}
					return nil
				}
			})},
		{Name: "end-in-pause-loses-chunk", Requirement: "helix.lifecycle.terminal-last-chunks",
			Summary: "Where a stream ends during a pause, what was written last in it is lost to later readers.",
			Apply: func(o reference.Options) reference.Options {
				var lost alter.Ledger[int64]
				o = on.OnStore(func(inner store.Store, s *on.Store) {
					var last alter.Ledger[int64]
					onAppended(func(stream string, written []store.Event) {
						if i, err := inner.Info(context.Background(), stream); err == nil && i.Status == store.Paused && len(written) > 0 {
							last.Set(stream, written[len(written)-1].Sequence)
						}
					})(inner, s)
					s.Before(on.Calls{
						SetStatus: func(stream string, _ store.Status) { last.Set(stream, 0) },
						End:       func(stream string, _ json.RawMessage) { lost.Set(stream, last.Get(stream)) },
					})
				})(o)
				return loses(func(v on.Visit, e store.Event) bool {
					return v.Finished() && e.Kind == store.ChunkWritten && e.Sequence == lost.Get(v.Stream)
				})(o)
			}},
	}
}

// campaignOnlyMorePauses do, too.
func campaignOnlyMorePauses() []Mutant {
	return []Mutant{
		{Name: "cleanup-in-pause-keeps-new", Requirement: "helix.truncation.removes",
			Summary: "A cleanup during a pause tells readers and leaves everything.",
			Apply: on.OnMemory(func(m *store.Memory, s *on.Store) {
				s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
					if i, err := m.Info(ctx, stream); err == nil && i.Status == store.Paused {
						return notifyTruncated(ctx, m, stream, step)
					}
					return m.Cleanup(ctx, stream, step)
				}
			})},
		{Name: "third-writer-in-pause", Requirement: "helix.status.written-while-paused",
			Summary: "A pause has room for five chunks.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var withheld alter.Ledger[int]
				s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
					i, err := inner.Info(ctx, stream)
					if err != nil || i.Status != store.Paused {
						withheld.Set(stream, 0)
						return inner.Append(ctx, stream, writer, chunks)
					}
					room := 0
					withheld.With(stream, func(n *int) { room = max(0, 5-*n); *n += len(chunks) })
					return inner.Append(ctx, stream, writer, chunks[:min(room, len(chunks))])
				}
			})},
	}
}

// campaignOnlyCursors serve some cursors wrongly.
func campaignOnlyCursors() []Mutant {
	return []Mutant{
		{Name: "both-compares-digits", Requirement: "helix.resume.header-wins",
			Summary: "Of header and query the one counts that is greater as text.",
			Apply: onCursor(func(header, query *string, c helix.Cursor, err error) (helix.Cursor, error) {
				if err == nil && header != nil && query != nil && len(*header) > 1 {
					return helix.ParseSequence(min(*header, *query))
				}
				return c, err
			})},
		{Name: "query-of-two-digits", Requirement: "helix.resume.query",
			Summary: "The query is read by a pattern that takes two digits.",
			Apply: onCursor(func(header, query *string, c helix.Cursor, err error) (helix.Cursor, error) {
				if err == nil && header == nil && query != nil && len(*query) > 2 {
					return helix.ParseSequence(strings.TrimLeft((*query)[:2], "0"))
				}
				return c, err
			})},
		{Name: "old-life-answers-204", Requirement: "helix.resume.removed-cursor",
			Summary: "A cursor from before a reset is answered as if the reader had everything.",
			Apply: func(o reference.Options) reference.Options {
				var ends alter.Ledger[int64]
				o = on.OnStore(func(inner store.Store, s *on.Store) {
					s.OnReset = func(ctx context.Context, stream string) error {
						if i, err := inner.Info(ctx, stream); err == nil {
							ends.Set(stream, i.LatestSequence)
						}
						return inner.Reset(ctx, stream)
					}
				})(o)
				return on.OnStart(func(c helix.Cursor, _ store.Info, stream string) (int64, error) {
					if c.After > 0 && c.After <= ends.Get(stream) {
						return 0, store.ErrComplete
					}
					return c.After, nil
				})(o)
			}},
	}
}

// campaignOnlyMoreCursors do, too.
func campaignOnlyMoreCursors() []Mutant {
	return []Mutant{
		{Name: "tail-of-removed-end", Requirement: "helix.resume.finished-tail",
			Summary: "Where the last chunk was removed, a reader that had it is answered 204 at the end.",
			Apply: on.Starts(on.Start.Finished, func(s on.Start) bool {
				return s.After == s.Terminal-1 && s.ChunkCount < s.LatestSequence
			}).Refuse(store.ErrComplete)},
	}
}

// campaignOnlyNames mix up streams whose ids are alike.
func campaignOnlyNames() []Mutant {
	return []Mutant{
		{Name: "info-folds-case", Requirement: "helix.security.isolation",
			Summary: "StreamInfo is cached by the id in lower case.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var seen alter.Ledger[string]
				s.OnInfo = func(ctx context.Context, stream string) (store.Info, error) {
					first := ""
					seen.With(strings.ToLower(stream), func(id *string) {
						if *id == "" {
							*id = stream
						}
						first = *id
					})
					return inner.Info(ctx, first)
				}
			})},
		{Name: "cleanup-of-a-prefix", Requirement: "helix.truncation.keeps",
			Summary: "A cleanup reaches the streams whose ids begin with that of the stream.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var streams alter.Ledger[[]string]
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
	}
}

// campaignOnlyMoreNames do, too.
func campaignOnlyMoreNames() []Mutant {
	return []Mutant{
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
			Apply:   onStreamID(func(id string) string { return strings.NewReplacer("_", "-", " ", "-").Replace(id) })},
	}
}

// campaignOnlySnapshots take snapshots wrongly.
func campaignOnlySnapshots() []Mutant {
	// seen gets a snapshot that was taken, and the info of its stream.
	seen := func(change func(stream string, s *helix.Snapshot, i store.Info)) apply {
		return func(o reference.Options) reference.Options {
			return on.OnSnapshot(func(ctx context.Context, take helix.Take, r helix.SnapshotRequest) (helix.Snapshot, error) {
				s, err := take(ctx, r.Partial)
				if i, failed := o.Store.Info(ctx, r.Stream); err == nil && failed == nil {
					change(r.Stream, &s, i)
				}
				return s, err
			})(o)
		}
	}
	return []Mutant{
		{Name: "snapshot-of-100-chunks", Requirement: "helix.snapshot.exact",
			Summary: "A snapshot of a stream with more than 100 chunks has no messages.",
			Apply: seen(func(_ string, s *helix.Snapshot, i store.Info) {
				if i.ChunkCount > 100 {
					s.Messages = []helix.Message{}
				}
			})},
		{Name: "no-name-is-the-root", Requirement: "helix.snapshot.exact",
			Summary: "Where a pointer goes through a member of no name, the library finds the object itself, and the patch is left out.",
			Apply: on.WholeLog(func(log *store.Log) {
				log.Events = slices.DeleteFunc(slices.Clone(log.Events), func(e store.Event) bool {
					return kindOf(e) == "state_patch" && bytes.Contains(e.Chunk.JSON, []byte(`"path":"//`))
				})
			})},
		{Name: "patches-change-what-is-stored", Requirement: "helix.snapshot.exact", Also: []string{"helix.snapshot.complete"},
			Summary: "A patch is applied to the value that an earlier chunk has brought, which is changed in what is stored too: a cleanup doesn't take that back.",
			Apply: alter.WithState(func(shown *alter.Ledger[folded]) apply {
				return seen(func(stream string, s *helix.Snapshot, i store.Info) {
					shown.With(stream, func(last *folded) {
						var state map[string]json.RawMessage
						if json.Unmarshal(s.State, &state) != nil {
							return
						}
						if i.ChunkCount < last.chunks {
							for key, was := range last.state {
								if now := state[key]; bytes.HasPrefix(now, []byte("{")) && bytes.Contains(now, []byte("[")) { // a patch may lead into it
									state[key] = was
								}
							}
							s.State, _ = json.Marshal(state)
						}
						*last = folded{state, i.ChunkCount}
					})
				})
			})},
		{Name: "snapshot-of-a-cleaned-pause", Requirement: "helix.snapshot.status",
			Summary: "A snapshot knows no pause once the stream was cleaned up.",
			Apply: seen(func(_ string, s *helix.Snapshot, i store.Info) {
				if i.Status == store.Paused && i.ChunkCount < i.LatestSequence {
					s.Status = store.Active
				}
			})},
	}
}

// folded is a state as a snapshot has shown it, and of how many chunks.
type folded struct {
	state  map[string]json.RawMessage
	chunks int64
}
