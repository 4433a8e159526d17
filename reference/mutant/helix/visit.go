package helix

import (
	"context"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// except leaves out the events for which a function holds.
func except(hit func(store.Event) bool) func(store.Event) []store.Event {
	return func(e store.Event) []store.Event {
		if hit(e) {
			return nil
		}
		return []store.Event{e}
	}
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
func onAppended(note func(stream string, written []store.Event)) func(inner store.Store, s *on.Store) {
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
