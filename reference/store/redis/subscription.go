package redis

import (
	"context"
	"io"
	"time"

	"github.com/streamcert/streamcert/reference/store"
)

// maxBatch limits the events of one Next.
const maxBatch = 64

// Subscribe implements store.Store.
func (s *Store) Subscribe(ctx context.Context, name string, after int64) (store.Subscription, error) {
	d, err := s.describe(ctx, name)
	switch {
	case err != nil:
		return nil, err
	case d.Terminal > 0 && after >= d.Terminal:
		return nil, store.ErrComplete
	}
	// helix.durable.resume, helix.replicas.resume: a position is a sequence and nothing else, whichever process gave it out.
	r := &subscription{hub: s.hubs.join(name, d), after: after, notices: d.notices}
	// Notices are after the latest chunk, where a cursor beyond it would miss them.
	r.at = id{sequence: min(after, d.LatestSequence)}
	if d.Status == store.Paused {
		r.paused, r.pausedAt = true, d.LatestSequence
	}
	// helix.replicas.removed: news of a removal may still be under way to this process, which keeps events for readers that lag.
	if r.hub.removed(d) {
		if err := r.hub.advance(ctx); err != nil && err != store.ErrUnknownStream {
			r.Close()
			return nil, err
		}
	}
	return r, nil
}

// subscription is a position in a log. It belongs to one goroutine.
type subscription struct {
	hub     *hub  // joined until the subscription is closed
	after   int64 // no chunk up to here
	at      id    // of the last entry that it returned
	notices int64 // the number of the last notice that this reader got, or that was sent before it came
	// paused: the reader must receive the status at its attachment, after the chunk at pausedAt.
	paused   bool
	pausedAt int64
	done     bool          // the terminal event was returned
	batch    []store.Event // the result of the last Next, which the next one reuses
}

// Next implements store.Subscription.
func (r *subscription) Next(ctx context.Context) ([]store.Event, error) {
	r.batch = r.batch[:0]
	for looked := false; ; {
		if r.done {
			return nil, io.EOF
		}
		wake, err := r.collect(ctx)
		if err != nil {
			return nil, err
		}
		if len(r.batch) > 0 {
			return r.batch, nil
		}
		if wake == nil {
			continue
		}
		if ctx.Err() != nil && looked {
			return nil, ctx.Err()
		}
		select {
		case <-wake:
			continue
		default:
		}
		select {
		case <-wake:
		case <-r.hub.s.client.closing.Done():
			return nil, store.ErrUnavailable
		case <-ctx.Done():
			// Events that are stored by now are ready, even if no change was announced yet.
			looked = true
			r.poll(ctx)
		}
	}
}

// poll reads new events although the context is done. If Redis doesn't answer, none are ready.
func (r *subscription) poll(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = r.hub.advance(ctx)
}

// collect fills the batch. If there are no events, it returns a channel that announces more.
func (r *subscription) collect(ctx context.Context) (wake <-chan struct{}, err error) {
	found, wake, from, err := r.hub.after(r, maxBatch)
	if err != nil {
		return nil, err
	}
	if wake == nil {
		if found, _, err = r.hub.fetch(context.WithoutCancel(ctx), r.at, maxBatch); err != nil {
			return nil, err
		}
		if len(found) == 0 { // all entries before the cached ones were removed
			r.at = from
		}
	}
	for _, e := range found {
		if err := r.deliver(e); err != nil {
			return nil, err
		}
	}
	if r.paused && !r.at.before(id{sequence: r.pausedAt}) || r.paused && wake != nil && len(found) == 0 {
		r.addPaused()
	}
	if len(found) > 0 { // there may be more after those that weren't for this reader
		wake = nil
	}
	return wake, nil
}

func (r *subscription) addPaused() {
	r.paused = false
	r.batch = append(r.batch, store.Event{Kind: store.StatusChanged, Status: store.Paused})
}

// deliver adds an entry to the batch, if it is for this reader. Errors: store.ErrLagging.
func (r *subscription) deliver(e entry) error {
	if r.done {
		return nil
	}
	// helix.status.attach-paused: the status follows the chunks that were stored when the reader came.
	if r.paused && (e.at.sequence > r.pausedAt || e.at.sequence == r.pausedAt && e.number > r.notices) {
		r.addPaused()
	}
	r.at = e.at
	switch {
	case e.number > 0 && e.number <= r.notices: // sent before this reader came
	case e.number > r.notices+1:
		return store.ErrLagging
	case e.number > 0:
		r.notices = e.number
		r.batch = append(r.batch, e.event)
	// helix.lifecycle.end: a reader with a cursor beyond the end also receives it.
	case e.event.Kind.Terminal() || e.event.Sequence > r.after:
		r.batch = append(r.batch, e.event)
		r.done = e.event.Kind.Terminal()
	}
	return nil
}

// Close implements store.Subscription.
func (r *subscription) Close() { r.hub.leave(r) }
