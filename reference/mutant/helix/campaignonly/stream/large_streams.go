package stream

import (
	"context"
	"io"
	"net/http"
	"slices"
	"sync/atomic"
	"unicode/utf16"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// largeStreams lists the mutants that a long stream or a large chunk shows.
func largeStreams() []edit.Mutant {
	return []edit.Mutant{
		// These err with thousands of chunks, or with many who read them.
		{Name: "live-loses-4097th", Requirement: "helix.lifecycle.live",
			Summary: "The buffer of a stream has 4,096 places and begins anew; the chunk that doubles it isn't passed on.",
			Apply:   loses(func(v on.Attached, e store.Event) bool { return v.Live(e) && e.Sequence == 4097 })},
		{Name: "resume-at-thousands-loses-one", Requirement: "helix.resume.complete",
			Summary: "A cursor at the end of a page of 1,000 is taken for the first of the next.",
			Apply: loses(func(v on.Attached, e store.Event) bool {
				return onResume(v, e) && v.Cursor.After%1000 == 0 && e.Sequence == v.Cursor.After+1
			})},
		{Name: "page-that-is-just-full-waits", Requirement: "helix.resume.complete",
			Summary: "A page of 64 chunks is flushed by what comes behind it, and a reader to whom just so many are owed waits for the last one.",
			Apply: loses(func(v on.Attached, e store.Event) bool {
				return onResume(v, e) && e.Sequence == v.LatestSequence && e.Sequence == v.Cursor.After+64
			})},
		{Name: "seventeenth-reader-is-queued", Requirement: "helix.lifecycle.independent-readers",
			Summary: "Sixteen readers read from the log; who comes later has a queue of 200 places, of which one is dropped when it is full.",
			Apply: on.Events(func(v on.Attached) func(store.Event) bool {
				sent := 0
				return func(e store.Event) bool {
					if v.Others < 16 || !v.Live(e) {
						return false
					}
					sent++
					return sent == 201
				}
			}).Drop()},
		{Name: "resumed-over-http2-stops-at-2047", Requirement: "helix.resume.complete",
			Summary: "Over HTTP/2, a cursor from 2,047 on is read as the latest.",
			Apply: loses(func(v on.Attached, e store.Event) bool {
				return v.Request.ProtoMajor == 2 && onResume(v, e) && v.Cursor.After >= 2047 && v.Cursor.After < 4990
			})},

		// These err with mebibytes.
		{Name: "slices-of-64-ki-code-units", Requirement: "helix.chunks.strings-exact",
			Summary: "Frames are sent in slices of 65,536 code units, of which each is encoded by itself: one that ends within a character destroys it.",
			Apply: on.OnBytes(func(helix.Options, helix.Reader) func([]byte, store.Event) []byte {
				return func(whole []byte, _ store.Event) []byte {
					if len(whole) <= 64<<10 {
						return whole
					}
					var out []rune
					for slice := range slices.Chunk(utf16.Encode([]rune(string(whole))), 64<<10) {
						out = append(out, utf16.Decode(slice)...)
					}
					return []byte(string(out))
				}
			})},

		// These err with those who read slowly.
		{Name: "slow-reader-loses-end", Requirement: "helix.lifecycle.end",
			Summary: "A reader that is 100 chunks behind when the stream ends is taken off the list of those to be told.",
			Apply: on.OnAttached(func(v on.Attached, s store.Subscription) store.Subscription {
				if v.Finished() {
					return nil
				}
				return &untold{Subscription: s, latest: func() store.Info {
					info, _ := v.Store.Info(context.Background(), v.Stream)
					return info
				}}
			})},
		{Name: "notices-of-the-slow-are-late", Requirement: "helix.truncation.notifies",
			Summary: "A reader has a queue of notices that holds about twenty, and one that so many have overtaken isn't sent.",
			Apply: on.Events(func(v on.Attached) func(store.Event) bool {
				return func(e store.Event) bool {
					info, err := v.Store.Info(context.Background(), v.Stream)
					return isNotice(e, store.Truncated) && err == nil && info.LatestSequence-e.AtSequence > 150
				}
			}).Drop()},
		{Name: "writer-waits-for-slowest", Requirement: "helix.lifecycle.stalled-reader",
			Summary: "A write returns when no reader is more than 100 chunks behind.",
			Apply:   waitsForSlowest},

		// These err when many have left.
		{Name: "leak-of-200-leaves", Requirement: "helix.lifecycle.reader-disconnect",
			Summary: "The seat of a reader that goes without a word isn't freed, and a stream has 200.",
			Apply: func(o reference.Options) reference.Options {
				var left alter.PerKey[int]
				return on.OnAttachment(func(ctx context.Context, s store.Store, r helix.Reader, attach on.Attachment) (store.Subscription, error) {
					if left.Get(r.Stream) >= 200 {
						return nil, &helix.Error{Status: http.StatusServiceUnavailable, Message: "no seat is free"}
					}
					sub, err := attach(ctx, s, r)
					if err != nil {
						return nil, err
					}
					readerSlot := &seated{Subscription: sub}
					return &on.Leaving{Subscription: readerSlot, OnClose: func() {
						if !readerSlot.over {
							left.With(r.Stream, func(n *int) { *n++ })
						}
					}}, nil
				})(o)
			}},
		{Name: "leaves-silence-the-next", Requirement: "helix.lifecycle.reader-disconnect",
			Summary: "Dead readers stay in the list that a write goes through, which ends after 128 failures.",
			Apply: func(o reference.Options) reference.Options {
				var left alter.PerKey[int]
				return on.OnAttached(func(v on.Attached, s store.Subscription) store.Subscription {
					readerSlot := &seated{Subscription: s}
					deaf := left.Get(v.Stream) >= 128
					return &on.Leaving{
						Subscription: store.Map(readerSlot, edit.Except(func(e store.Event) bool { return deaf && v.Live(e) })),
						OnClose: func() {
							if !readerSlot.over {
								left.With(v.Stream, func(n *int) { *n++ })
							}
						},
					}
				})(o)
			}},
	}
}

// untold is a subscription that never gets the end if it lags when that comes.
type untold struct {
	store.Subscription
	latest func() store.Info
	seen   int64
	lost   bool
}

func (s *untold) Next(ctx context.Context) ([]store.Event, error) {
	info := s.latest()
	s.lost = s.lost || info.Terminal > 0 && info.LatestSequence-s.seen > 100
	events, err := s.Subscription.Next(ctx)
	if err == io.EOF && s.lost {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	for i, e := range events {
		if s.seen = max(s.seen, e.Sequence); s.lost && e.Kind.Terminal() {
			return events[:i], err
		}
	}
	return events, err
}

// seated records whether its reader got the end.
type seated struct {
	store.Subscription
	over bool
}

func (s *seated) Next(ctx context.Context) ([]store.Event, error) {
	events, err := s.Subscription.Next(ctx)
	s.over = s.over || len(events) > 0 && events[len(events)-1].Kind.Terminal()
	return events, err
}

// waitsForSlowest makes a write wait for the readers of its stream.
func waitsForSlowest(o reference.Options) reference.Options {
	var readers alter.PerKey[map[*atomic.Int64]chan struct{}]
	o = on.OnAttached(func(v on.Attached, s store.Subscription) store.Subscription {
		at, moved := new(atomic.Int64), make(chan struct{}, 1)
		at.Store(max(v.LatestSequence, v.Cursor.After))
		readers.With(v.Stream, func(m *map[*atomic.Int64]chan struct{}) {
			if *m == nil {
				*m = map[*atomic.Int64]chan struct{}{}
			}
			(*m)[at] = moved
		})
		note := func() {
			select {
			case moved <- struct{}{}:
			default:
			}
		}
		return &on.Leaving{
			Subscription: &edit.Batches{Subscription: s, Change: func(events []store.Event) []store.Event {
				for _, e := range events {
					at.Store(max(at.Load(), e.Sequence))
				}
				note()
				return events
			}},
			OnClose: func() {
				at.Store(1 << 60)
				note()
				readers.With(v.Stream, func(m *map[*atomic.Int64]chan struct{}) { delete(*m, at) })
			},
		}
	})(o)
	return on.OnStore(func(inner store.Store, s *on.Store) {
		s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
			sequences, err := inner.Append(ctx, stream, writer, chunks)
			if err != nil {
				return nil, err
			}
			slow := map[*atomic.Int64]chan struct{}{}
			readers.With(stream, func(m *map[*atomic.Int64]chan struct{}) {
				for at, moved := range *m {
					slow[at] = moved
				}
			})
			for at, moved := range slow {
				for len(sequences) > 0 && sequences[len(sequences)-1]-at.Load() > 100 {
					select {
					case <-moved:
					case <-ctx.Done():
						return sequences, nil
					}
				}
			}
			return sequences, nil
		}
	})(o)
}
