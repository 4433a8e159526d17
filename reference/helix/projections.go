package helix

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"

	"github.com/streamcert/streamcert/reference/store"
)

// Snapshot is the state and the messages of a stream at one sequence. Values that it shares with later snapshots must be
// replaced, never changed.
type Snapshot struct {
	State          json.RawMessage `json:"state"`          // of the root agent; any JSON value
	Messages       []Message       `json:"messages"`       // of the root agent; never nil
	StreamSequence int64           `json:"streamSequence"` // of the last event that is in it, 0 for none
	Timestamp      int64           `json:"timestamp"`      // milliseconds of Unix time
	Status         store.Status    `json:"status"`
}

// SnapshotRequest is one request for a snapshot.
type SnapshotRequest struct {
	Stream  string // as the path names it
	Partial bool   // of the latest sequence, with the content of the open step
	Request *http.Request
}

// Take takes a snapshot of the requested stream. Two calls are two instants.
type Take func(ctx context.Context, partial bool) (Snapshot, error)

// maxProjections limits the streams whose folds are cached; further ones are folded for each snapshot.
const maxProjections = 256

// projections caches the folds of streams' logs, so that a snapshot costs only the events since the last one. The zero
// value is ready to use.
type projections struct {
	mu      sync.Mutex             // guards streams, not the projections in it
	streams map[string]*projection // by id; nil before the first
}

// projection is one log, folded up to a mark. Its mutex guards both.
type projection struct {
	mu   sync.Mutex // stays locked while the store is read
	mark store.Mark // up to which fold is
	fold *fold      // nil before the first snapshot
}

func (p *projections) of(stream string) *projection {
	p.mu.Lock()
	defer p.mu.Unlock()
	if one, ok := p.streams[stream]; ok {
		return one
	}
	if p.streams == nil {
		p.streams = map[string]*projection{}
	}
	for name := range p.streams {
		if len(p.streams) < maxProjections {
			break
		}
		delete(p.streams, name)
	}
	p.streams[stream] = new(projection)
	return p.streams[stream]
}

func (p *projections) forget(stream string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.streams, stream)
}

// take folds new events, and returns the snapshot of all of them, or of those before the open step.
func (p *projections) take(ctx context.Context, s store.Store, stream string, partial bool) (Snapshot, error) {
	one := p.of(stream)
	one.mu.Lock()
	defer one.mu.Unlock()
	log, err := one.advance(ctx, s, stream)
	if errors.Is(err, store.ErrUnknownStream) {
		p.forget(stream)
	}
	if err != nil {
		return Snapshot{}, err
	}
	// helix.snapshot.complete, helix.snapshot.sequence, helix.snapshot.status: all come from the one Read of advance.
	taken := Snapshot{StreamSequence: log.LatestSequence, Status: log.Status}
	messages, state, sequence, open := one.fold.settled()
	if partial || !open {
		messages, state = one.fold.assembled()
	} else {
		taken.StreamSequence = sequence
	}
	// helix.snapshot.exact: messages and state are those of the sequence, and contain nothing after it.
	taken.Messages, taken.State = messages, state
	return taken, nil
}

// advance folds the log up to now, and returns it.
func (one *projection) advance(ctx context.Context, s store.Store, stream string) (store.Log, error) {
	// helix.snapshot.saved-first: every snapshot reads the log to its end.
	log, err := s.Read(ctx, stream, one.mark)
	if err == nil && !log.FromStart && goesBack(log.Events) {
		log, err = s.Read(ctx, stream, store.Mark{}) // the fold contains the events before
	}
	if err != nil {
		return log, err
	}
	events := log.Events
	if log.FromStart {
		one.fold, one.mark.Sequence = newFold(log.Initial), 0
		events = effective(events)
	}
	one.mark.Edition = log.Edition
	for _, e := range events {
		one.fold.add(e)
		one.mark.Sequence = e.Sequence
	}
	return log, nil
}

func goesBack(events []store.Event) bool {
	for _, e := range events {
		if _, ok := resyncs(e); ok {
			return true
		}
	}
	return false
}
