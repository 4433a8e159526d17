package store

import (
	"cmp"
	"fmt"
)

// Approximate memory for an event, a writer and a stream in addition to their bytes.
const (
	eventCost  = 256
	writerCost = 128
	streamCost = 1024
)

// The limits of a Memory by default.
const (
	maxStream = 128 << 20
	maxTotal  = 1 << 30
)

// take adds n bytes to the size of a stream, or refuses them above the limit. The stream is locked, or not shared yet.
func (m *Memory) take(s *stream, n int64) error {
	if limit := cmp.Or(m.MaxStream, maxStream); s.size+n > limit {
		return fmt.Errorf("%w of %d bytes", ErrStreamFull, limit)
	}
	if err := m.charge(n); err != nil {
		return err
	}
	s.size += n
	return nil
}

// charge adds n bytes to the size of the store, or refuses them above the limit.
func (m *Memory) charge(n int64) error {
	if limit := cmp.Or(m.MaxTotal, maxTotal); m.used.Add(n) > limit && n > 0 {
		m.used.Add(-n)
		return fmt.Errorf("%w of %d bytes", ErrFull, limit)
	}
	return nil
}

// give subtracts removed bytes from the size of a stream. The stream is locked.
func (m *Memory) give(s *stream, n int64) {
	s.size -= n
	m.used.Add(-n)
}

// size returns the memory that an event takes, in bytes.
func (e Event) size() int64 {
	return eventCost + int64(len(e.Chunk.JSON)+len(e.FinalOutput)+len(e.Error)+len(e.Code))
}

func sizeOf(chunks []Chunk) int64 {
	var sum int64
	for _, c := range chunks {
		sum += Event{Chunk: c}.size()
	}
	return sum
}
