package target

import (
	"slices"
	"sync"
)

// belongings is the state of one session that no other session shares: its streams, names and epoch.
type belongings struct {
	target *Target

	mu      sync.Mutex
	streams []string
	names   []Name
	epoch   int64             // in milliseconds of Unix time; 0 before the first call of Epoch
	removed map[string]bool   // ids of the streams whose early chunks were removed
	given   map[string][]byte // initial states as JSON, by stream id
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

// Streams returns the ids that this session owns, in the order of their making.
func (b *belongings) Streams() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.streams)
}

// Given records the initial state of a new stream, as JSON. Patches of its root agent apply to it.
func (b *belongings) Given(stream string, state []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.given[stream] = state
}

// known returns whether chunks of a stream were removed, and the stream's initial state as JSON, nil for none.
func (b *belongings) known(stream string) (removed bool, state []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.removed[stream], b.given[stream]
}
