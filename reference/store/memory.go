package store

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"sync"
	"sync/atomic"
)

// Memory is a Store in memory. The zero value is ready to use. It stores streams until they are deleted, and refuses writes
// above its limits.
type Memory struct {
	// MaxStream and MaxTotal limit the memory of one stream and of all streams, in bytes; 128 MiB and 1 GiB by default.
	MaxStream, MaxTotal int64
	// Number chooses the sequence of the next chunk; nil counts on from the highest id ever used. It is called with the
	// stream locked.
	Number func(Position) int64

	editions atomic.Int64 // never reused, so that a stream of the name of a deleted one has others
	used     atomic.Int64 // bytes of all streams

	mu        sync.Mutex                     // guards all below
	streams   map[string]*stream             // by name; nil before the first
	records   map[string]record              // by name; nil before the first
	recordsOf map[string]map[string]struct{} // names, by stream
	writers   int                            // never reused, so that a writer of a deleted stream can't write to its successor
}

// Position contains the last numbers that a stream has used; each is 0 if there is none.
type Position struct {
	Stream     string // its name
	LastStored int64  // last chunk that is stored now
	Latest     int64  // highest sequence ever assigned to a chunk
	Highest    int64  // highest id ever used, terminal events included
}

// stream is one log. Its mutex guards everything below it, subscriptions' positions included.
type stream struct {
	mu sync.Mutex
	// helix.resume.after-idle, helix.lifecycle.kept: no event expires.
	log     []Event                    // ascending; the terminal event, if any, is last. Results of Read share it: only append.
	initial json.RawMessage            // state before the first chunk; nil for none
	size    int64                      // memory in bytes
	edition int64                      // changes with a cleanup, a reset and a new initial state; never reused
	paused  bool                       // the status paused, unless the log has a terminal event
	latest  int64                      // highest sequence ever assigned to a chunk
	highest int64                      // highest id ever used; latest ≤ highest
	deleted bool                       // it is in no map any more: a call that waited for mu has to find its successor
	writers map[string]bool            // open?
	readers map[*subscription]struct{} // open subscriptions
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
	// helix.lifecycle.writer-creates: open creates a stream that doesn't exist yet.
	s, err := m.open(name)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := m.take(s, writerCost); err != nil {
		return "", err
	}
	m.writers++
	writer := fmt.Sprintf("writer-%d", m.writers)
	// helix.lifecycle.many-writers: each writer has its own entry.
	s.writers[writer] = true
	return writer, nil
}

// open returns a stream, a new one if there is none. The store is locked.
func (m *Memory) open(name string) (*stream, error) {
	if s, ok := m.streams[name]; ok {
		return s, nil
	}
	s := &stream{writers: map[string]bool{}, readers: map[*subscription]struct{}{}, edition: m.editions.Add(1)}
	if err := m.take(s, int64(len(name))+streamCost); err != nil {
		return nil, err
	}
	if m.streams == nil {
		m.streams = map[string]*stream{}
	}
	m.streams[name] = s
	return s, nil
}

// CloseWriter implements Store.
func (m *Memory) CloseWriter(_ context.Context, name, writer string) error {
	return m.change(name, func(s *stream) error {
		if _, ok := s.writers[writer]; !ok {
			return ErrUnknownWriter
		}
		// helix.lifecycle.writer-close: closing a writer doesn't touch the log.
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
		// helix.lifecycle.closed-writer: the store remembers a closed writer and refuses it.
		case !open:
			return ErrWriterClosed
		// helix.lifecycle.write-after-end, helix.lifecycle.no-chunk-after-end: the log of a finished stream doesn't grow.
		case s.terminal() != nil:
			return ErrFinished
		}
		if err := m.take(s, sizeOf(chunks)); err != nil {
			return err
		}
		// helix.chunks.no-merge, helix.ordering.write-order: each chunk becomes one event, in the order of the call.
		for _, c := range chunks {
			// helix.ordering.distinct-sequences: the stream is locked, so no two writers get the same number.
			sequence := m.next(name, s)
			s.latest, s.highest = max(s.latest, sequence), max(s.highest, sequence)
			// helix.ordering.total-order, helix.resume.stable: every subscription reads chunks and sequences from this one
			// log.
			// helix.status.written-while-paused: Append ignores the status.
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
		// helix.ordering.ascending, helix.ordering.at-least-one, helix.resume.first-sequence, helix.resume.gapless: chunks
		// count up by one, from 1.
		// helix.truncation.no-reuse, helix.truncation.reset-sequence: neither a cleanup nor a reset lowers highest.
		return s.highest + 1
	}
	p := Position{Stream: name, Latest: s.latest, Highest: s.highest}
	if n := len(s.log); n > 0 {
		p.LastStored = s.log[n-1].Sequence
	}
	return m.Number(p)
}

// End implements Store.
func (m *Memory) End(ctx context.Context, name string, finalOutput json.RawMessage) error {
	return m.finish(ctx, name, Event{Kind: StreamEnded, FinalOutput: finalOutput})
}

// Fail implements Store.
func (m *Memory) Fail(ctx context.Context, name, message, code string) error {
	return m.finish(ctx, name, Event{Kind: StreamFailed, Error: message, Code: code})
}

func (m *Memory) finish(ctx context.Context, name string, terminal Event) error {
	return m.changeBy(ctx, name, func(s *stream) error {
		// helix.lifecycle.first-terminal-wins, helix.lifecycle.one-terminal: a second terminal call changes nothing.
		if s.terminal() != nil {
			return nil
		}
		if err := m.take(s, terminal.size()); err != nil {
			return err
		}
		// helix.wire.terminal-id, helix.wire.terminal-id-next: the terminal event gets the next number.
		s.highest++
		terminal.Sequence = s.highest
		// helix.lifecycle.end, helix.lifecycle.terminal-last-chunks: the terminal event follows every chunk of the log, and
		// change wakes the readers.
		s.log = append(s.log, terminal)
		return nil
	})
}

// SetStatus implements Store.
func (m *Memory) SetStatus(ctx context.Context, name string, status Status) error {
	if status != Active && status != Paused {
		return fmt.Errorf("setting status %q: a stream can be made %s or %s", status, Active, Paused)
	}
	return m.changeBy(ctx, name, func(s *stream) error {
		// helix.status.final: a finished stream refuses the call.
		if s.terminal() != nil {
			return ErrFinished
		}
		s.setPaused(status == Paused)
		return nil
	})
}

// Cleanup implements Store.
func (m *Memory) Cleanup(ctx context.Context, name string, step int64) error {
	return m.changeBy(ctx, name, func(s *stream) error {
		s.edition = m.editions.Add(1)
		// helix.truncation.removes, helix.truncation.keeps-stepless: only a chunk with a later step is removed; one without
		// a step stays.
		m.truncate(s, step, func(e Event) bool { return e.Kind == ChunkWritten && e.Chunk.HasStep && e.Chunk.Step > step })
		return nil
	})
}

// Reset implements Store.
func (m *Memory) Reset(_ context.Context, name string) error {
	return m.change(name, func(s *stream) error {
		s.edition = m.editions.Add(1)
		// helix.truncation.reset-empties, helix.truncation.reset-notifies: everything is removed, and the notice names step
		// 0.
		m.truncate(s, 0, func(Event) bool { return true })
		// helix.truncation.reset-reopens: truncate has removed the terminal event, and this ends a pause.
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
	m.forgetRecords(name)
	m.mu.Unlock()
	if !ok {
		return ErrUnknownStream
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deleted = true
	m.give(s, s.size)
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
		// helix.resume.finished-tail: a cursor at the last chunk is below the terminal id, so the reader still gets the
		// terminal event.
		// helix.resume.no-content: at or above the terminal id nothing is left.
		if t := s.terminal(); t != nil && after >= t.Sequence {
			return ErrComplete
		}
		// helix.lifecycle.independent-readers, helix.security.isolation: each reader has its own position, in the log of
		// this stream alone.
		r = &subscription{stream: s, cursor: after, wake: make(chan struct{}, 1)}
		s.readers[r] = struct{}{}
		// helix.status.attach-paused: the notice follows the chunks that are stored now.
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
	// helix.status.latest, helix.truncation.latest-kept: nothing lowers latest.
	// helix.status.count, helix.truncation.count-after: the count is that of the log now, without the terminal event.
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
	// helix.status.transitions, helix.status.info-word: the status is derived from the log at each request, as one of four
	// words.
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
	// helix.status.no-repeat: a status that doesn't change sends no notice.
	if s.paused == paused {
		return
	}
	s.paused = paused
	// helix.status.frames, helix.status.no-terminal: readers get a notice; the log gets nothing.
	s.notify(Event{Kind: StatusChanged, Status: s.status()})
}

// truncate removes events and, if a chunk was among them, notifies the attached readers.
func (m *Memory) truncate(s *stream, step int64, removed func(Event) bool) {
	chunks := 0
	kept := make([]Event, 0, len(s.log))
	for _, e := range s.log {
		switch {
		case !removed(e):
			// helix.truncation.keeps: a chunk that stays keeps its sequence.
			kept = append(kept, e)
			continue
		case e.Kind == ChunkWritten:
			chunks++
		}
		m.give(s, e.size())
	}
	// helix.truncation.removed-on-resume: a resumed reader reads this log, which no longer has the chunk.
	// helix.truncation.stays-active: a cleanup writes no terminal event.
	s.log = kept
	// helix.truncation.nothing-removed: a cleanup that removes nothing sends nothing.
	if chunks > 0 {
		// helix.truncation.notifies, helix.truncation.step: every attached reader gets a notice with the step of the call.
		// helix.truncation.at-sequence, helix.truncation.covers-delivered: latest is the highest sequence assigned so far.
		s.notify(Event{Kind: Truncated, AtStep: step, AtSequence: s.latest})
	}
}

func (s *stream) notify(event Event) {
	// helix.status.not-stored, helix.truncation.not-later: a notice reaches only the readers that are attached now.
	for r := range s.readers {
		r.notify(notice{after: s.latest, event: event})
	}
}

// after returns the index of the first event in the log beyond a sequence.
func (s *stream) after(sequence int64) int {
	// helix.resume.after-cursor, helix.resume.removed-cursor: the search is by sequence, so it works even if the chunk at
	// the cursor was removed.
	return sort.Search(len(s.log), func(i int) bool { return s.log[i].Sequence > sequence })
}
