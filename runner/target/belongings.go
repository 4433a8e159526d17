package target

import (
	"slices"
	"sync"
)

// belongings are what one session alone has: its streams, its names and its moments.
type belongings struct {
	target *Target

	mu      sync.Mutex
	streams []string
	names   []Name
	epoch   int64             // 0 until it is asked for
	removed map[string]bool   // streams of which chunks were removed
	given   map[string][]byte // states that streams were given before anything was written
}

// NewStream coins the id of a stream that only this session uses.
func (b *belongings) NewStream() string { return b.Owns(b.target.name()) }

// Owns registers a stream id, so that the stream is deleted at the end.
func (b *belongings) Owns(id string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.Contains(b.streams, id) {
		b.streams = append(b.streams, id)
	}
	return id
}

// Streams are the ids that this session owns, in the order of their making.
func (b *belongings) Streams() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.streams)
}

// Given notes the state that a new stream was given, as JSON: what its root agent's patches apply to.
func (b *belongings) Given(stream string, state []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.given[stream] = state
}

// known is what is known of a stream beforehand: whether chunks of it were removed, and the state that it was given.
func (b *belongings) known(stream string) (removed bool, state []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.removed[stream], b.given[stream]
}
