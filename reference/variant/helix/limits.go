package helix

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// limits are servers that take less than the reference, and say so.
func limits() []Variant {
	return []Variant{
		{Name: "few-events", Freedom: "the most of a stream", Events: 1100,
			Summary: "A stream holds 1,100 events; what comes beyond is answered 413, as by a store with quotas.",
			Apply: refusingChunks(http.StatusRequestEntityTooLarge, "the stream is full", func(i store.Info, chunks []store.Chunk) bool {
				return !on.Finished(i) && i.ChunkCount+int64(len(chunks)) > 1100
			})},
		{Name: "few-readers", Freedom: "the most of a stream", Readers: 12,
			Summary: "A stream has 12 readers; who comes beyond waits half a second for a seat and is answered 503 then.",
			Apply: func(o reference.Options) reference.Options {
				return on.OnAttachment((&readerSlots{streams: map[string]chan struct{}{}, most: 12}).attach)(o)
			}},
	}
}

// refusingChunks rejects writes of chunks that hit matches, with a status and a message.
func refusingChunks(status int, message string, hit func(i store.Info, chunks []store.Chunk) bool) apply {
	return on.OnStore(func(inner store.Store, s *on.Store) {
		s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
			if info, err := inner.Info(ctx, stream); err == nil && hit(info, chunks) {
				return nil, refusal(status, message)
			}
			return inner.Append(ctx, stream, writer, chunks)
		}
	})
}

// readerSlots counts the readers of each stream.
type readerSlots struct {
	most int

	mu      sync.Mutex
	streams map[string]chan struct{}
}

func (s *readerSlots) of(stream string) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.streams[stream] == nil {
		s.streams[stream] = make(chan struct{}, s.most)
	}
	return s.streams[stream]
}

func (s *readerSlots) attach(ctx context.Context, inner store.Store, r helix.Reader, attach on.Attachment) (store.Subscription, error) {
	taken := s.of(r.Stream)
	select {
	case taken <- struct{}{}:
	case <-time.After(500 * time.Millisecond):
		return nil, refusal(http.StatusServiceUnavailable, "every seat is taken")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	sub, err := attach(ctx, inner, r)
	if err != nil {
		<-taken
		return nil, err
	}
	return &on.Leaving{Subscription: sub, OnClose: sync.OnceFunc(func() { <-taken })}, nil
}
