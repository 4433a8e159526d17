package target

import "github.com/streamcert/streamcert/golden"

// Epoch is the first of some moments, in milliseconds of Unix time, that no other scenario writes: what is stamped with
// one of them is known by it wherever it comes. It lies in the past, as a server's own timestamps don't.
func (b *belongings) Epoch() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.epoch == 0 {
		n := b.target.epochs.Add(1)
		if n >= epochs {
			n = 0
		}
		b.epoch = golden.Epoch + n*EpochLength
	}
	return b.epoch
}

const (
	// EpochLength is how many moments are a scenario's own.
	EpochLength = 20_000
	// epochs is how many scenarios have moments of their own; they end before the next month does.
	epochs = 50_000
)

// EpochOf is which scenario a moment is of, counted from 1; 0: of none, or nobody can tell.
func EpochOf(moment int64) int64 {
	n := (moment - golden.Epoch) / EpochLength
	if moment < golden.Epoch || n >= epochs {
		return 0
	}
	return n
}
