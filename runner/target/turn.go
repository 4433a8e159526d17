package target

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"github.com/streamcert/streamcert/runner/record"
)

const (
	// bulk is the number of response bytes that a scenario may store before it has to wait for its turn, and bulky the
	// number of scenarios that may store more concurrently: a server whose every response is of the largest size would
	// exhaust the memory.
	bulk  = 1 << 20
	bulky = 2
	// large is the number of bytes of an incomplete frame that a reader may store before it waits for its turn, and
	// largeReaders the number of readers that may store more concurrently: a scenario may have dozens of readers.
	large        = 384 << 10
	largeReaders = 3
)

// turn is a session's turn to hold much. Readers request it one at a time.
type turn struct {
	bulky          chan struct{} // semaphore of the target for scenarios above bulk
	large          chan struct{} // semaphore of the target for readers of a frame above large
	time           *deadline     // of the scenario, which gets back what it waits
	asking         chan struct{} // of capacity 1: one reader of the session waits for the turn
	has            atomic.Bool   // the session has its turn; it is released once
	callerReleases atomic.Bool   // the turn ends when the caller of Hold releases it, not with the session
}

// Hold extends the session's turn beyond Close, until the returned function is called, so that its exchanges can be
// inspected.
func (t *turn) Hold() (release func()) {
	t.callerReleases.Store(true)
	return t.yield
}

// yield ends the session's turn. Its readers have ended.
func (t *turn) yield() {
	if t.has.CompareAndSwap(true, false) {
		<-t.bulky
	}
}

// weigh waits for the session's turn if it stores this many bytes. Meanwhile nothing is read, and no wait for this response
// times out. The error is that of the context.
func (t *turn) weigh(ctx context.Context, e *Exchange, bytes int64) error {
	if bytes <= bulk || t.has.Load() {
		return nil
	}
	began := time.Now()
	defer e.queue(began)()
	select {
	case t.asking <- struct{}{}:
		defer func() { <-t.asking }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if t.has.Load() {
		return nil
	}
	select {
	case t.bulky <- struct{}{}:
		t.has.Store(true)
	case <-ctx.Done():
		return ctx.Err()
	}
	t.time.extend(time.Since(began))
	return nil
}

// queue records that the reader waits for a turn. Until over is called, no wait for its response times out.
func (e *Exchange) queue(began time.Time) (over func()) {
	e.update(func(*record.Response) { e.queued = began })
	return func() {
		e.update(func(*record.Response) { e.waited, e.queued = e.waited+time.Since(began), time.Time{} })
	}
}

// enlarge waits for the reader's turn to store a large frame. The error is that of the context.
func (t *turn) enlarge(ctx context.Context, e *Exchange) error {
	began := time.Now()
	defer e.queue(began)()
	select {
	case t.large <- struct{}{}:
		t.time.extend(time.Since(began))
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// weighed counts the bytes of an incomplete frame that a reader stores.
type weighed struct {
	io.Reader
	weigh   func(bytes int64) error // may wait for a turn; an error ends the body
	enlarge func() error            // is called once a frame exceeds large, and may wait for a turn
	shrink  func()                  // releases the turn at the end of a large frame
	waits   func()                  // is called before each read
	n       int64                   // bytes since the last frame
	large   bool                    // enlarge was called for the current frame
}

// complete is called at the end of each frame, and when nothing more is read.
func (w *weighed) complete() {
	if w.large {
		w.shrink()
	}
	w.n, w.large = 0, false
}

func (w *weighed) Read(p []byte) (int, error) {
	if err := w.weigh(w.n); err != nil {
		return 0, err
	}
	if w.n > large && !w.large {
		if err := w.enlarge(); err != nil {
			return 0, err
		}
		w.large = true
	}
	w.waits()
	n, err := w.Reader.Read(p)
	w.n += int64(n)
	return n, err
}
