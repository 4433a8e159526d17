package helix

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/streamcert/streamcert/reference"
	seams "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// ledger remembers something of each stream. The zero value is ready to use.
type ledger[T any] struct {
	mu      sync.Mutex
	streams map[string]*T
}

// with looks at what is remembered of a stream, or changes it.
func (l *ledger[T]) with(stream string, f func(*T)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.streams == nil {
		l.streams = map[string]*T{}
	}
	if l.streams[stream] == nil {
		l.streams[stream] = new(T)
	}
	f(l.streams[stream])
}

// get returns what is remembered of a stream; the zero value if nothing is.
func (l *ledger[T]) get(stream string) (v T) {
	l.with(stream, func(p *T) { v = *p })
	return v
}

// set remembers something of a stream.
func (l *ledger[T]) set(stream string, v T) { l.with(stream, func(p *T) { *p = v }) }

// onMemory brings a store in memory, for mutants that number chunks or send notices by themselves.
func onMemory(replace func(inner *store.Memory, s *shim)) apply {
	return func(o reference.Options) reference.Options {
		inner := new(store.Memory)
		s := &shim{Store: inner}
		replace(inner, s)
		o.Store = s
		return o
	}
}

// onInfo changes the info of a stream.
func onInfo(change func(stream string, info *store.Info)) apply {
	return onStore(func(inner store.Store, s *shim) {
		s.info = func(ctx context.Context, stream string) (store.Info, error) {
			info, err := inner.Info(ctx, stream)
			if err == nil {
				change(stream, &info)
			}
			return info, err
		}
	})
}

// visit is a reader at the moment in which it attaches.
type visit struct {
	helix.Reader
	store.Info            // of its stream
	others     int        // readers that came without a cursor and are still there
	count      func() int // how many of these there are now, itself included
	store      store.Store
}

// fresh says whether the reader came without a cursor.
func (v visit) fresh() bool { return !v.Cursor.Given }

// finished says whether the stream was over when the reader came.
func (v visit) finished() bool { return v.Status == store.Ended || v.Status == store.Failed }

// stored says whether a chunk was there when the reader came.
func (v visit) stored(e store.Event) bool {
	return e.Kind == store.ChunkWritten && e.Sequence <= v.LatestSequence
}

// live says whether a chunk was written after the reader came.
func (v visit) live(e store.Event) bool {
	return e.Kind == store.ChunkWritten && e.Sequence > v.LatestSequence
}

// onVisit puts something around the subscription of each reader; nil means that nothing is needed.
func onVisit(wrap func(v visit, s store.Subscription) store.Subscription) apply {
	return func(o reference.Options) reference.Options {
		var crowd ledger[int]
		count := func(stream string, by int) (before int) {
			crowd.with(stream, func(n *int) { before, *n = *n, *n+by })
			return before
		}
		return seams.OnAttachment(func(ctx context.Context, s store.Store, r helix.Reader,
			attach seams.Attachment) (store.Subscription, error) {
			info, err := s.Info(ctx, r.Stream)
			if err != nil {
				return nil, err
			}
			sub, err := attach(ctx, s, r)
			if err != nil {
				return nil, err
			}
			v := visit{Reader: r, Info: info, store: s, count: func() int { return count(r.Stream, 0) }}
			if !v.fresh() {
				v.others = v.count()
			} else {
				v.others = count(r.Stream, 1)
				sub = &leaving{Subscription: sub, leave: func() { count(r.Stream, -1) }}
			}
			if wrapped := wrap(v, sub); wrapped != nil {
				return wrapped, nil
			}
			return sub, nil
		})(o)
	}
}

// onVisitEvents changes the events of each reader; nil means that nothing is changed.
func onVisitEvents(begin func(v visit) func(store.Event) []store.Event) apply {
	return onVisit(func(v visit, s store.Subscription) store.Subscription {
		if f := begin(v); f != nil {
			return store.Map(s, f)
		}
		return nil
	})
}

// onStart moves the place from which a reader is served. The function returns the sequence to start after, or an error
// to answer with.
func onStart(start func(c helix.Cursor, i store.Info, stream string) (int64, error)) apply {
	return seams.OnAttachment(func(ctx context.Context, s store.Store, r helix.Reader,
		attach seams.Attachment) (store.Subscription, error) {
		info, err := s.Info(ctx, r.Stream)
		if err != nil {
			return nil, err
		}
		if r.Cursor.After, err = start(r.Cursor, info, r.Stream); err != nil {
			return nil, err
		}
		return attach(ctx, s, r)
	})
}

// except leaves out the events for which a function holds.
func except(hit func(store.Event) bool) func(store.Event) []store.Event {
	return func(e store.Event) []store.Event {
		if hit(e) {
			return nil
		}
		return []store.Event{e}
	}
}

// leaving notes when a reader goes.
type leaving struct {
	store.Subscription
	leave func()
}

func (s *leaving) Close() {
	s.leave()
	s.Subscription.Close()
}

// preceded delivers some events before those of a subscription.
type preceded struct {
	store.Subscription
	first []store.Event
}

func (s *preceded) Next(ctx context.Context) ([]store.Event, error) {
	if first := s.first; len(first) > 0 {
		s.first = nil
		return first, nil
	}
	return s.Subscription.Next(ctx)
}

// batches changes what a subscription delivers at once.
type batches struct {
	store.Subscription
	change func([]store.Event) []store.Event
}

func (s *batches) Next(ctx context.Context) ([]store.Event, error) {
	events, err := s.Subscription.Next(ctx)
	if err != nil {
		return nil, err
	}
	return s.change(events), nil
}

// endless waits where its subscription would be over.
type endless struct{ store.Subscription }

func (s endless) Next(ctx context.Context) ([]store.Event, error) {
	events, err := s.Subscription.Next(ctx)
	if errors.Is(err, io.EOF) {
		<-ctx.Done()
		err = ctx.Err()
	}
	return events, err
}

// chunksIn returns the chunks that a stream holds.
func chunksIn(s store.Store, stream string) []store.Event {
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

// above says whether a cleanup to a step removes a chunk.
func above(step int64, c store.Chunk) bool { return c.HasStep && c.Step > step }

// nextAfter returns n sequences that follow one.
func nextAfter(sequence int64, n int) []int64 {
	sequences := make([]int64, n)
	for i := range sequences {
		sequences[i] = sequence + int64(i) + 1
	}
	return sequences
}

// onAppended notes every chunk that is stored. The function is called after the store has it.
func onAppended(note func(stream string, written []store.Event)) func(inner store.Store, s *shim) {
	return func(inner store.Store, s *shim) {
		s.append = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
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
