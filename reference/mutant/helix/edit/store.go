package edit

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// ChunksIn returns the stored chunks of a stream.
func ChunksIn(s store.Store, stream string) []store.Event {
	sub, err := s.Subscribe(context.Background(), stream, 0)
	if err != nil {
		return nil
	}
	defer sub.Close()
	over, cancel := context.WithCancel(context.Background())
	cancel() // what is ready is returned nevertheless
	var chunks []store.Event
	for {
		events, err := sub.Next(over)
		if err != nil {
			return chunks
		}
		for _, e := range events {
			if e.Kind == store.ChunkWritten {
				chunks = append(chunks, e)
			}
		}
	}
}

// Removes reports whether a cleanup to a step removes a chunk.
func Removes(step int64, c store.Chunk) bool { return c.HasStep && c.Step > step }

// NextAfter returns the n sequences that follow one.
func NextAfter(sequence int64, n int) []int64 {
	sequences := make([]int64, n)
	for i := range sequences {
		sequences[i] = sequence + int64(i) + 1
	}
	return sequences
}

// OnAppended calls note after each write, with the chunks that were stored.
func OnAppended(note func(stream string, written []store.Event)) func(inner store.Store, s *on.Store) {
	return func(inner store.Store, s *on.Store) {
		s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
			sequences, err := inner.Append(ctx, stream, writer, chunks)
			written := make([]store.Event, len(sequences))
			for i := range written {
				written[i] = store.Event{Kind: store.ChunkWritten, Sequence: sequences[i], Chunk: chunks[i]}
			}
			note(stream, written)
			return sequences, err
		}
	}
}

// NotifyTruncated sends attached readers the notice of a cleanup that the store doesn't carry out.
func NotifyTruncated(ctx context.Context, m *store.Memory, stream string, step int64) error {
	info, err := m.Info(ctx, stream)
	if err != nil {
		return err
	}
	return m.Notify(stream, store.Event{Kind: store.Truncated, AtStep: step, AtSequence: info.LatestSequence})
}

// MarksRemoved hides the chunks that a cleanup removes; the store keeps them.
func MarksRemoved(inner *store.Memory, s *on.Store) {
	var removed alter.PerKey[[]store.Event]
	s.OnCleanup = func(ctx context.Context, stream string, step int64) error {
		info, err := inner.Info(ctx, stream)
		if err != nil {
			return err
		}
		notice := store.Event{Kind: store.Truncated, AtStep: step, AtSequence: info.LatestSequence}
		removed.With(stream, func(notices *[]store.Event) { *notices = append(*notices, notice) })
		return inner.Notify(stream, notice)
	}
	s.OnSubscribe = func(ctx context.Context, stream string, after int64) (store.Subscription, error) {
		sub, err := inner.Subscribe(ctx, stream, after)
		if err != nil {
			return nil, err
		}
		return store.Map(sub, func(e store.Event) []store.Event {
			for _, n := range removed.Get(stream) {
				if e.Kind == store.ChunkWritten && e.Chunk.HasStep && e.Chunk.Step > n.AtStep && e.Sequence <= n.AtSequence {
					return nil
				}
			}
			return []store.Event{e}
		}), nil
	}
}

// OneByOne stores each chunk of a write by itself.
func OneByOne(ctx context.Context, inner store.Store, stream, writer string, chunks []store.Chunk) (all []int64, err error) {
	for _, c := range chunks {
		sequences, err := inner.Append(ctx, stream, writer, []store.Chunk{c})
		if err != nil {
			return nil, err
		}
		all = append(all, sequences...)
		if len(chunks) > 1 {
			time.Sleep(500 * time.Microsecond) // that a disk takes
		}
	}
	return all, nil
}

// queued is a write that was answered and isn't stored yet.
type queued struct {
	stream, writer string
	chunks         []store.Chunk
}

// QueueWrites answers writes at once and stores them later, or before a stream is finished.
func QueueWrites(inner store.Store, s *on.Store, later time.Duration) {
	var mu sync.Mutex
	var queue []queued
	flush := func() {
		mu.Lock()
		defer mu.Unlock()
		for _, q := range queue {
			_, _ = inner.Append(context.Background(), q.stream, q.writer, q.chunks)
		}
		queue = nil
	}
	s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
		mu.Lock()
		defer mu.Unlock()
		if _, err := inner.Append(ctx, stream, writer, nil); err != nil { // whoever may not write is refused at once
			return nil, err
		}
		info, err := inner.Info(ctx, stream)
		if err != nil {
			return nil, err
		}
		next := info.LatestSequence
		for _, q := range queue {
			if q.stream == stream {
				next += int64(len(q.chunks))
			}
		}
		sequences := make([]int64, len(chunks))
		for i := range sequences {
			sequences[i] = next + 1 + int64(i)
		}
		queue = append(queue, queued{stream, writer, chunks})
		time.AfterFunc(later, flush)
		return sequences, nil
	}
	s.Before(on.Calls{Finish: func(string) { flush() }})
}

// AddToRecord adds to a stored counter of a name, which outlives restarts of the server, and returns the sum; 0 if the
// store fails.
func AddToRecord(inner store.Store, name string, add int) int {
	for {
		text, version, err := inner.Record(context.Background(), name)
		if err != nil {
			return 0
		}
		n, _ := strconv.Atoi(string(text)) // nothing is 0
		if add == 0 || inner.SetRecord(context.Background(), store.Key{Name: name}, version, []byte(strconv.Itoa(n+add))) == nil {
			return n + add
		}
	}
}
