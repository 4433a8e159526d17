package stream

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

func status() []edit.Mutant {
	return []edit.Mutant{
		// Mutants that say wrong things of a stream.
		{Name: "info-count-as-text", Requirement: "helix.status.info-members",
			Summary: "chunkCount comes from a cache that holds text, and is passed on as such.",
			Also:    []string{"helix.status.count", "helix.truncation.count-after"},
			Wrap: alter.AnswersTo(func(r *http.Request) bool { return edit.IsRead(r) && !strings.HasSuffix(r.URL.Path, "/events") }).
				When(alter.Status(http.StatusOK)).Body(countAsText)},
		{Name: "info-says-completed", Requirement: "helix.status.info-word",
			Summary: "A stream that ended is called completed, as its run is.",
			Also:    []string{"helix.status.transitions", "helix.status.final"},
			Apply: on.Info(func(_ string, i *store.Info) {
				if i.Status == store.Ended {
					i.Status = "completed"
				}
			})},
		{Name: "info-invents-stream", Requirement: "helix.status.info-unknown",
			Summary: "A stream that never was is active and empty.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				s.OnInfo = func(ctx context.Context, stream string) (store.Info, error) {
					info, err := inner.Info(ctx, stream)
					if errors.Is(err, store.ErrUnknownStream) {
						return store.Info{Status: store.Active}, nil
					}
					return info, err
				}
			})},
		{Name: "latest-sorts-as-text", Requirement: "helix.status.latest", Stateful: true,
			Summary: "The greatest sequence is looked for among texts, so that 9 stays the latest up to 90.",
			Apply: on.Info(func(_ string, i *store.Info) {
				if i.LatestSequence >= 10 && i.LatestSequence < 90 {
					i.LatestSequence = 9
				}
			})},

		// Mutants that count wrongly.
		{Name: "latest-counts-terminal", Requirement: "helix.status.latest", Stateful: true,
			Summary: "latestSequence is the number of the last thing in the log, and at the end that is the terminal frame.",
			Apply:   on.Info(func(_ string, i *store.Info) { i.LatestSequence = max(i.LatestSequence, i.Terminal) })},
		{Name: "reset-latest-is-terminal", Requirement: "helix.status.latest", Stateful: true,
			Summary: "A reset leaves the counter of ids as the latest sequence, and the last id was that of the end.",
			Apply: func(o reference.Options) reference.Options {
				var highest alter.PerKey[int64]
				return alter.All(on.OnStore(func(inner store.Store, s *on.Store) {
					s.OnReset = func(ctx context.Context, stream string) error {
						if info, err := inner.Info(ctx, stream); err == nil {
							highest.Set(stream, info.Terminal)
						}
						return inner.Reset(ctx, stream)
					}
				}), on.Info(func(stream string, i *store.Info) {
					if i.ChunkCount == 0 {
						i.LatestSequence = max(i.LatestSequence, highest.Get(stream))
					}
				}))(o)
			}},
		{Name: "count-includes-terminal", Requirement: "helix.status.count", Stateful: true,
			Summary: "chunkCount is the length of the log, terminal frame included.",
			Apply: on.Info(func(_ string, i *store.Info) {
				if i.Terminal > 0 {
					i.ChunkCount++
				}
			})},
		{Name: "count-counts-writes", Requirement: "helix.status.count",
			Summary: "An array counts as one.",
			Apply:   countsWrites},

		// Mutants that say the wrong status.
		{Name: "info-stays-active", Requirement: "helix.status.transitions", Stateful: true,
			Summary: "Readers get a pause, and StreamInfo doesn't show it.",
			Apply: on.Info(func(_ string, i *store.Info) {
				if i.Status == store.Paused {
					i.Status = store.Active
				}
			})},
		{Name: "info-paused-hides-end", Requirement: "helix.status.transitions", Stateful: true,
			Summary: "The flag of the pause is looked at before the end, so that a stream that ended during a pause stays " +
				"paused.",
			Apply: func(o reference.Options) reference.Options {
				var paused alter.PerKey[bool]
				return alter.All(on.OnStore(func(inner store.Store, s *on.Store) {
					s.OnSetStatus = func(ctx context.Context, stream string, status store.Status) error {
						err := inner.SetStatus(ctx, stream, status)
						if err == nil {
							paused.Set(stream, status == store.Paused)
						}
						return err
					}
				}), on.Info(func(stream string, i *store.Info) {
					if paused.Get(stream) {
						i.Status = store.Paused
					}
				}))(o)
			}},
		{Name: "status-revives-finished", Requirement: "helix.status.final",
			Summary: "A status call overwrites the status of a finished stream.",
			Apply: func(o reference.Options) reference.Options {
				var revived alter.PerKey[store.Status]
				return alter.All(on.OnStore(func(inner store.Store, s *on.Store) {
					s.OnSetStatus = func(ctx context.Context, stream string, status store.Status) error {
						err := inner.SetStatus(ctx, stream, status)
						if !errors.Is(err, store.ErrFinished) {
							return err
						}
						revived.Set(stream, status)
						return nil
					}
				}), on.Info(func(stream string, i *store.Info) {
					if s := revived.Get(stream); s != "" && i.Terminal > 0 {
						i.Status = s
					}
				}))(o)
			}},

		// Mutants that tell readers of a pause wrongly.
		{Name: "no-status-frames", Requirement: "helix.status.frames",
			Summary: "Only those who attach to a paused stream hear of the pause.",
			Also:    []string{"helix.status.not-stored", "helix.status.no-id"},
			Apply:   on.Events(on.StatusIs(), on.CameWhile(store.Paused).Not()).Drop()},
		{Name: "return-untold", Requirement: "helix.status.frames",
			Summary: "Readers get a frame for a pause, and none for its end.",
			Apply:   on.Events(on.StatusIs(store.Active)).Drop()},
		{Name: "reset-of-nothing-untold", Requirement: "helix.status.frames", Stateful: true,
			Summary: "Readers learn from its truncated frame that a reset has ended a pause; where it removes nothing, they learn nothing.",
			Apply: func(o reference.Options) reference.Options {
				var reset alter.PerKey[bool]
				return alter.All(on.Before(on.Calls{
					Reset:     func(stream string) { reset.Set(stream, true) },
					SetStatus: func(stream string, _ store.Status) { reset.Set(stream, false) },
				}), on.Events(func(v on.Attached) func(store.Event) bool {
					truncated := false
					return func(e store.Event) bool {
						tacit := e.Kind == store.StatusChanged && e.Status == store.Active && reset.Get(v.Stream) && !truncated
						truncated = e.Kind == store.Truncated
						return tacit
					}
				}).Drop())(o)
			}},
		{Name: "pause-untold-after-reset", Requirement: "helix.status.frames", Stateful: true,
			Summary: "A reset takes the readers off the list of those who hear of a pause.",
			Apply:   on.Events(on.StatusIs().Since(on.Reset())).Drop()},
		{Name: "pause-ends", Requirement: "helix.status.no-terminal", Stateful: true,
			Summary: "A reader that starts at the beginning of a paused stream is sent the end after what is stored.",
			Apply: on.Events(on.StatusIs(), on.CameWhile(store.Paused), on.Fresh()).Follow(func(v on.Attached, _ store.Event) []store.Event {
				return []store.Event{{Kind: store.StreamEnded, Sequence: v.LatestSequence + 1}}
			})},

		// Mutants that send a status frame to the wrong reader, or in the wrong form.
		{Name: "paused-stream-looks-active", Requirement: "helix.status.attach-paused",
			Summary: "A reader that attaches during a pause gets no frame for it.",
			Apply:   on.Events(on.CameWhile(store.Paused), on.StatusIs(store.Paused)).Drop()},
		{Name: "status-with-id", Requirement: "helix.status.no-id",
			Summary: "A status frame takes the number after the last chunk as its id.",
			Apply: onBlocks(func(_ reference.Options, r helix.Reader) func(*alter.Block, store.Event) {
				last := r.Cursor.After
				return func(b *alter.Block, e store.Event) {
					last = max(last, e.Sequence)
					if e.Kind == store.StatusChanged {
						b.ID = strconv.FormatInt(last+1, 10)
					}
				}
			})},
		{Name: "status-repeats", Requirement: "helix.status.no-repeat",
			Summary: "A status call is passed on to readers also when it changes nothing.",
			Apply: on.OnMemory(func(m *store.Memory, s *on.Store) {
				s.OnSetStatus = func(ctx context.Context, stream string, status store.Status) error {
					before, err := m.Info(ctx, stream)
					if err == nil && before.Status == status {
						return m.Notify(stream, store.Event{Kind: store.StatusChanged, Status: status})
					}
					return m.SetStatus(ctx, stream, status)
				}
			})},

		// Mutants that store status frames, or don't store the status.
		{Name: "status-replayed", Requirement: "helix.status.not-stored",
			Summary: "Status frames are stored, and readers of an active stream are shown its last pause.",
			Apply: func(o reference.Options) reference.Options {
				var paused alter.PerKey[bool]
				return alter.All(on.OnStore(func(inner store.Store, s *on.Store) {
					s.OnSetStatus = func(ctx context.Context, stream string, status store.Status) error {
						err := inner.SetStatus(ctx, stream, status)
						if err == nil && status == store.Paused {
							paused.Set(stream, true)
						}
						return err
					}
				}), on.OnAttached(func(v on.Attached, s store.Subscription) store.Subscription {
					if !v.Fresh() || v.Status != store.Active || !paused.Get(v.Stream) {
						return nil
					}
					return on.Preceded(s, store.Event{Kind: store.StatusChanged, Status: store.Paused},
						store.Event{Kind: store.StatusChanged, Status: store.Active})
				}))(o)
			}},
		{Name: "pause-drops-writes", Requirement: "helix.status.written-while-paused", Stateful: true,
			Summary: "A paused stream has room for one write; the others are answered 201 and dropped.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				var waiting alter.PerKey[int]
				s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
					info, err := inner.Info(ctx, stream)
					if err != nil || info.Status != store.Paused {
						waiting.Set(stream, 0)
						return inner.Append(ctx, stream, writer, chunks)
					}
					full := false
					waiting.With(stream, func(n *int) { full, *n = *n > 0, *n+1 })
					if full {
						return edit.NextAfter(info.LatestSequence, len(chunks)), nil
					}
					return inner.Append(ctx, stream, writer, chunks)
				}
			})},
	}
}

// countsWrites counts calls instead of chunks.
func countsWrites(o reference.Options) reference.Options {
	var uncounted alter.PerKey[int64]
	return alter.All(on.OnStore(edit.OnAppended(func(stream string, written []store.Event) {
		uncounted.With(stream, func(n *int64) { *n += max(0, int64(len(written))-1) })
	})), on.Info(func(stream string, i *store.Info) {
		i.ChunkCount = max(0, i.ChunkCount-uncounted.Get(stream))
	}))(o)
}

// countAsText quotes the number of chunks in StreamInfo.
func countAsText(document []byte) []byte {
	members := alter.Members(document)
	members.Quote("chunkCount")
	return alter.Encode(members)
}
