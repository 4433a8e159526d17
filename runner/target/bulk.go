package target

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"github.com/streamcert/streamcert/runner/record"
)

const (
	// bulk is how many bytes a scenario holds of what a server sent before it has to
	// wait for its turn, and bulky is how many scenarios may hold more at a time: a
	// server whose every answer is as large as it may be would fill the memory.
	bulk  = 1 << 20
	bulky = 2
	// large is how many bytes of a frame that isn't complete a reader holds before it waits for its turn, and largeReaders is
	// how many may hold more at a time: a scenario may have dozens of readers.
	large        = 384 << 10
	largeReaders = 3
)

// turn is a session's turn to hold much. Readers ask for it one at a time.
type turn struct {
	bulky  chan struct{} // of the target: who may hold much
	asking chan struct{}
	has    atomic.Bool
	held   atomic.Bool // it ends when somebody says so, not with the session
}

// Hold keeps the session's turn to hold much beyond Close, until the function that
// it returns is called: as long as somebody looks at what was exchanged.
func (t *turn) Hold() (release func()) {
	t.held.Store(true)
	return t.yield
}

// yield ends the session's turn. Its readers have ended.
func (t *turn) yield() {
	if t.has.CompareAndSwap(true, false) {
		<-t.bulky
	}
}

// weigh waits for the session's turn if it holds so many bytes. Meanwhile nothing is
// read, and no wait for this response runs out. The error is that of the context.
func (r *Reader) weigh(ctx context.Context, bytes int64) error {
	t := &r.session.turn
	if bytes <= bulk || t.has.Load() {
		return nil
	}
	began := time.Now()
	defer r.queue(began)()
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
	r.session.extend(time.Since(began))
	return nil
}

// queue notes that the reader waits for a turn: meanwhile no wait for its response runs out. What it returns ends that.
func (r *Reader) queue(began time.Time) (over func()) {
	r.update(func(*record.Response) { r.queued = began })
	return func() {
		r.update(func(*record.Response) { r.held, r.queued = r.held+time.Since(began), time.Time{} })
	}
}

// enlarge waits for the reader's turn to hold a frame that is large. The error is that of the context.
func (r *Reader) enlarge(ctx context.Context) error {
	began := time.Now()
	defer r.queue(began)()
	select {
	case r.session.target.large <- struct{}{}:
		r.session.extend(time.Since(began))
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// weighed weighs what a reader holds of a frame that isn't complete.
type weighed struct {
	io.Reader
	weigh   func(bytes int64) error
	enlarge func() error
	shrink  func()
	waits   func() // is called before each read
	n       int64  // bytes since the last frame
	large   bool
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
