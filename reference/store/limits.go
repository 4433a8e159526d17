package store

import (
	"cmp"
	"fmt"
)

// What keeping an event, a writer and a stream costs beside their bytes, about.
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

// take counts what is added to a stream, less what it replaces, and refuses it where it is too much. The stream is locked, or nobody else's yet.
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

// charge counts what is added to the store, less what it replaces, and refuses it where it is too much.
func (m *Memory) charge(n int64) error {
	if limit := cmp.Or(m.MaxTotal, maxTotal); m.used.Add(n) > limit && n > 0 {
		m.used.Add(-n)
		return fmt.Errorf("%w of %d bytes", ErrFull, limit)
	}
	return nil
}

// give counts what is removed from a stream. The stream is locked.
func (m *Memory) give(s *stream, n int64) {
	s.size -= n
	m.used.Add(-n)
}

// size is how many bytes an event takes.
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
