package target

import (
	"slices"
	"sync"

	"github.com/streamcert/streamcert/golden"
)

// belongings is the state of one session that no other session shares: its streams, names and epoch.
type belongings struct {
	coins *namer // of the run

	mu      sync.Mutex        // guards all below
	streams []string          // ids, in the order of their creation, each once
	names   []Name            // in the order of their coining
	epoch   int64             // in milliseconds of Unix time; 0 before the first call of Epoch
	removed map[string]bool   // ids of the streams whose early chunks were removed
	given   map[string][]byte // initial states as JSON, by stream id
}

// NewStream coins the id of a stream that only this session uses.
func (b *belongings) NewStream() string { return b.Owns(b.coins.name()) }

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

// Name is a name that a session coined, with the class of its placeholder in transcripts.
type Name struct{ Text, Class string }

// NewName coins a name that nothing has, not even a stream of this session.
func (b *belongings) NewName() string { return b.Coin("nothing") }

// Coin returns a name of letters that is unique in the run, for something of a class.
func (b *belongings) Coin(class string) string {
	name := b.coins.name()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.names = append(b.names, Name{name, class})
	return name
}

// Names returns the names that NewName and Coin returned, in order.
func (b *belongings) Names() []Name {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.names)
}

// Epoch returns the start of a range of timestamps, in milliseconds of Unix time, that no other scenario writes, so that a
// timestamp identifies its scenario. The range is in the past, where no timestamp of the server itself lies.
func (b *belongings) Epoch() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.epoch == 0 {
		n := b.coins.epochs.Add(1)
		if n >= epochs {
			n = 0
		}
		b.epoch = golden.Epoch + n*EpochLength
	}
	return b.epoch
}

const (
	// EpochLength is the number of timestamps in a scenario's range.
	EpochLength = 20_000
	// epochs is the number of ranges for scenarios; they end before the next month does.
	epochs = 50_000
)

// EpochOf returns the number of the scenario whose range contains a timestamp, counted from 1; 0 for none.
func EpochOf(moment int64) int64 {
	n := (moment - golden.Epoch) / EpochLength
	if moment < golden.Epoch || n >= epochs {
		return 0
	}
	return n
}

// Removed records that chunks of a stream were removed: the last chunk that a later reader receives needn't have the latest
// sequence.
func (b *belongings) Removed(stream string) {
	b.mu.Lock()
	b.removed[stream] = true
	b.mu.Unlock()
}

// HasRemoved reports whether Removed was called for the stream.
func (b *belongings) HasRemoved(stream string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.removed[stream]
}
