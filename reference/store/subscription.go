package store

import (
	"context"
	"io"
)

const (
	maxBatch   = 64   // events that one Next returns; enough to share a write among, small enough to keep per reader
	maxNotices = 1024 // notices that wait for one reader
)

// notice is an event that isn't in the log, and the sequence that it comes after.
type notice struct {
	after int64 // the reader gets it once its cursor is at least this
	event Event // StatusChanged or Truncated
}

// subscription is a position in a log. The stream's mutex guards all but batch.
type subscription struct {
	stream  *stream       // in whose readers it is until it is closed
	cursor  int64         // sequence of the last chunk that it returned, or where it began
	notices []notice      // not yet returned, in order; at most maxNotices
	done    bool          // the terminal event was handed out
	lagging bool          // it had too many notices, and ends
	wake    chan struct{} // of capacity 1: there may be something new
	batch   []Event       // the result of the last Next, which the next one reuses
}

// Next implements Subscription.
func (r *subscription) Next(ctx context.Context) ([]Event, error) {
	for {
		if err := r.collect(); err != nil {
			return nil, err
		}
		if len(r.batch) > 0 {
			return r.batch, nil
		}
		select {
		case <-r.wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// collect fills the batch from the log, with each notice after the chunks that were there before it.
func (r *subscription) collect() error {
	s := r.stream
	s.mu.Lock()
	defer s.mu.Unlock()
	r.batch = r.batch[:0]
	switch {
	// helix.lifecycle.one-terminal: a reader that got the terminal event gets io.EOF from then on.
	case r.done:
		return io.EOF
	case r.lagging:
		return ErrLagging
	case s.deleted:
		return ErrUnknownStream
	}
	// helix.resume.complete, helix.resume.cycles, helix.lifecycle.late-reader, helix.lifecycle.finished-replay: the loop
	// delivers every event of the log after the cursor once, in order, whether it was stored long ago or just now.
	// helix.resume.at-latest, helix.resume.beyond-latest: the loop never reads an event at or below the cursor.
	// helix.resume.paused: the loop ignores the status.
	// helix.lifecycle.empty-stream: the terminal event is then all that the log holds.
	for i := s.after(r.cursor); len(r.batch) < maxBatch; {
		inLog := i < len(s.log)
		// helix.truncation.in-flight: the removed chunks left the log together with the notice, so none can follow it.
		// helix.truncation.goes-on: the loop continues with later chunks after the notice.
		if len(r.notices) > 0 && (!inLog || s.log[i].Sequence > r.notices[0].after) {
			r.batch = append(r.batch, r.notices[0].event)
			r.notices = r.notices[1:]
			continue
		}
		if !inLog {
			break
		}
		r.batch = append(r.batch, s.log[i])
		r.cursor = s.log[i].Sequence
		r.done = s.log[i].Kind.Terminal()
		i++
	}
	// helix.lifecycle.end: a reader that waits with a cursor beyond the end also receives it.
	if t := s.terminal(); len(r.batch) == 0 && t != nil && t.Sequence <= r.cursor {
		r.batch = append(r.batch, *t)
		r.done = true
	}
	return nil
}

// Close implements Subscription.
func (r *subscription) Close() {
	r.stream.mu.Lock()
	defer r.stream.mu.Unlock()
	delete(r.stream.readers, r)
}

func (r *subscription) notify(n notice) {
	if len(r.notices) == maxNotices {
		// helix.lifecycle.slow-reader: chunks wait in the log without limit; too many notices cut the reader, which can
		// resume.
		r.lagging = true
		r.notices = nil
	}
	if !r.lagging {
		r.notices = append(r.notices, n)
	}
}

func (r *subscription) wakeUp() {
	select {
	case r.wake <- struct{}{}:
	// helix.lifecycle.stalled-reader: a writer leaves a signal and never waits for a reader.
	default:
	}
}
