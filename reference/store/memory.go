package store

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"sync"
	"sync/atomic"
)

// Memory is a Store in memory. The zero value is ready to use. It keeps what it is given until the stream is deleted.
type Memory struct {
	// Number chooses the sequence of the next chunk; nil counts on from the highest id ever used. It is called with the
	// stream locked.
	Number func(Position) int64

	editions atomic.Int64 // never reused, so that a stream of the name of a deleted one has others

	mu      sync.Mutex
	streams map[string]*stream
	writers int // never reused, so that a writer of a deleted stream can't write to its successor
}

// Position is what a stream has numbered so far; each is 0 if there is none.
type Position struct {
	Stream  string
	Kept    int64 // last chunk that is stored now
	Latest  int64 // highest sequence ever assigned to a chunk
	Highest int64 // highest id ever used, terminal events included
}

// stream is one log. Its mutex guards everything below it, subscriptions' positions included.
type stream struct {
	mu      sync.Mutex
	log     []Event // ascending; the terminal event, if any, is last. What Read returned shares it: only append.
	initial json.RawMessage
	edition int64
	paused  bool
	latest  int64
	highest int64
	deleted bool
	writers map[string]bool // open?
	readers map[*subscription]struct{}
}

// with runs a function on a stream under its lock.
func (m *Memory) with(name string, f func(*stream) error) error {
	m.mu.Lock()
	s, ok := m.streams[name]
	m.mu.Unlock()
	if !ok {
		return ErrUnknownStream
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.deleted {
		return ErrUnknownStream
	}
	return f(s)
}

// change runs a change of a stream under its lock and wakes its readers.
func (m *Memory) change(name string, f func(*stream) error) error {
	return m.with(name, func(s *stream) error {
		if err := f(s); err != nil {
			return err
		}
		s.wakeReaders()
		return nil
	})
}

func (s *stream) wakeReaders() {
	for r := range s.readers {
		r.wakeUp()
	}
}

// OpenWriter implements Store.
func (m *Memory) OpenWriter(_ context.Context, name string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.open(name)
	m.writers++
	writer := fmt.Sprintf("writer-%d", m.writers)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writers[writer] = true
	return writer, nil
}

// open returns a stream, a new one if there is none. The store is locked.
func (m *Memory) open(name string) *stream {
	s, ok := m.streams[name]
	if !ok {
		s = &stream{writers: map[string]bool{}, readers: map[*subscription]struct{}{}, edition: m.editions.Add(1)}
		if m.streams == nil {
			m.streams = map[string]*stream{}
		}
		m.streams[name] = s
	}
	return s
}

// CloseWriter implements Store.
func (m *Memory) CloseWriter(_ context.Context, name, writer string) error {
	return m.change(name, func(s *stream) error {
		if _, ok := s.writers[writer]; !ok {
			return ErrUnknownWriter
		}
		s.writers[writer] = false
		return nil
	})
}

// Append implements Store.
func (m *Memory) Append(_ context.Context, name, writer string, chunks []Chunk) ([]int64, error) {
	sequences := make([]int64, 0, len(chunks))
	err := m.change(name, func(s *stream) error {
		open, ok := s.writers[writer]
		switch {
		case !ok:
			return ErrUnknownWriter
		case !open:
			return ErrWriterClosed
		case s.terminal() != nil:
			return ErrFinished
		}
		for _, c := range chunks {
			sequence := m.next(name, s)
			s.latest, s.highest = max(s.latest, sequence), max(s.highest, sequence)
			s.log = append(s.log, Event{Kind: ChunkWritten, Sequence: sequence, Chunk: c})
			sequences = append(sequences, sequence)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return sequences, nil
}

func (m *Memory) next(name string, s *stream) int64 {
	if m.Number == nil {
		return s.highest + 1
	}
	p := Position{Stream: name, Latest: s.latest, Highest: s.highest}
	if n := len(s.log); n > 0 {
		p.Kept = s.log[n-1].Sequence
	}
	return m.Number(p)
}

// End implements Store.
func (m *Memory) End(_ context.Context, name string, finalOutput json.RawMessage) error {
	return m.finish(name, Event{Kind: StreamEnded, FinalOutput: finalOutput})
}

// Fail implements Store.
func (m *Memory) Fail(_ context.Context, name, message, code string) error {
	return m.finish(name, Event{Kind: StreamFailed, Error: message, Code: code})
}

func (m *Memory) finish(name string, terminal Event) error {
	return m.change(name, func(s *stream) error {
		if s.terminal() != nil {
			return nil
		}
		s.highest++
		terminal.Sequence = s.highest
		s.log = append(s.log, terminal)
		return nil
	})
}

// SetStatus implements Store.
func (m *Memory) SetStatus(_ context.Context, name string, status Status) error {
	if status != Active && status != Paused {
		return fmt.Errorf("setting status %q: a stream can be made %s or %s", status, Active, Paused)
	}
	return m.change(name, func(s *stream) error {
		if s.terminal() != nil {
			return ErrFinished
		}
		s.setPaused(status == Paused)
		return nil
	})
}

// Cleanup implements Store.
func (m *Memory) Cleanup(_ context.Context, name string, step int64) error {
	return m.change(name, func(s *stream) error {
		s.edition = m.editions.Add(1)
		s.truncate(step, func(e Event) bool { return e.Kind == ChunkWritten && e.Chunk.HasStep && e.Chunk.Step > step })
		return nil
	})
}

// Reset implements Store.
func (m *Memory) Reset(_ context.Context, name string) error {
	return m.change(name, func(s *stream) error {
		s.edition = m.editions.Add(1)
		s.truncate(0, func(Event) bool { return true })
		s.setPaused(false)
		return nil
	})
}

// Notify sends a notice to the readers that are attached now. The store does this by itself wherever a good server
// does; it is exported for decorators.
func (m *Memory) Notify(name string, notice Event) error {
	return m.change(name, func(s *stream) error {
		s.notify(notice)
		return nil
	})
}

// Delete implements Store.
func (m *Memory) Delete(_ context.Context, name string) error {
	m.mu.Lock()
	s, ok := m.streams[name]
	delete(m.streams, name)
	m.mu.Unlock()
	if !ok {
		return ErrUnknownStream
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deleted = true
	s.wakeReaders()
	return nil
}

// Info implements Store.
func (m *Memory) Info(_ context.Context, name string) (Info, error) {
	var info Info
	err := m.with(name, func(s *stream) error {
		info = s.info()
		return nil
	})
	return info, err
}

// Subscribe implements Store.
func (m *Memory) Subscribe(_ context.Context, name string, after int64) (Subscription, error) {
	var r *subscription
	err := m.with(name, func(s *stream) error {
		if t := s.terminal(); t != nil && after >= t.Sequence {
			return ErrComplete
		}
		r = &subscription{stream: s, cursor: after, wake: make(chan struct{}, 1)}
		s.readers[r] = struct{}{}
		if s.status() == Paused {
			r.notify(notice{after: s.latest, event: Event{Kind: StatusChanged, Status: Paused}})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (s *stream) info() Info {
	info := Info{Status: s.status(), LatestSequence: s.latest, ChunkCount: int64(len(s.log))}
	if t := s.terminal(); t != nil {
		info.ChunkCount--
		info.Terminal = t.Sequence
	}
	return info
}

func (s *stream) terminal() *Event {
	if n := len(s.log); n > 0 && s.log[n-1].Kind.Terminal() {
		return &s.log[n-1]
	}
	return nil
}

func (s *stream) status() Status {
	switch t := s.terminal(); {
	case t != nil && t.Kind == StreamEnded:
		return Ended
	case t != nil:
		return Failed
	case s.paused:
		return Paused
	}
	return Active
}

func (s *stream) setPaused(paused bool) {
	if s.paused == paused {
		return
	}
	s.paused = paused
	s.notify(Event{Kind: StatusChanged, Status: s.status()})
}

// truncate removes events and, if a chunk was among them, tells the attached readers.
func (s *stream) truncate(step int64, removed func(Event) bool) {
	chunks := 0
	kept := make([]Event, 0, len(s.log))
	for _, e := range s.log {
		switch {
		case !removed(e):
			kept = append(kept, e)
		case e.Kind == ChunkWritten:
			chunks++
		}
	}
	s.log = kept
	if chunks > 0 {
		s.notify(Event{Kind: Truncated, AtStep: step, AtSequence: s.latest})
	}
}

func (s *stream) notify(event Event) {
	for r := range s.readers {
		r.notify(notice{after: s.latest, event: event})
	}
}

// after returns the index of the first event in the log beyond a sequence.
func (s *stream) after(sequence int64) int {
	return sort.Search(len(s.log), func(i int) bool { return s.log[i].Sequence > sequence })
}
