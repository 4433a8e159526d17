package target

import "github.com/streamcert/streamcert/golden"

// Epoch returns the start of a range of timestamps, in milliseconds of Unix time, that no other scenario writes, so that a
// timestamp identifies its scenario. The range is in the past, where no timestamp of the server itself lies.
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
