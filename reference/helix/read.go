package helix

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference/store"
)

// info answers with the description of a stream.
func (h *Handler) info(w http.ResponseWriter, r *http.Request, stream string) error {
	info, err := h.o.Store.Info(r.Context(), stream)
	if err != nil {
		return err
	}
	// helix.status.info-members: no member has omitempty.
	answer(w, http.StatusOK, struct {
		Status         store.Status `json:"status"`
		LatestSequence int64        `json:"latestSequence"`
		ChunkCount     int64        `json:"chunkCount"`
	}{info.Status, info.LatestSequence, info.ChunkCount})
	return nil
}

// events answers with a stream. Errors are only returned before the head is sent; later ones end the body without a
// terminal frame, so that the reader resumes.
func (h *Handler) events(w http.ResponseWriter, r *http.Request, stream string) error {
	cursor, err := h.o.Cursor(stream, r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(h.closing, cancel)()

	reader := Reader{Stream: stream, Cursor: cursor, Request: r}
	// Attached before the head is sent, so that a reader that has seen the head misses nothing.
	sub, err := h.o.Attach(ctx, h.o.Store, reader)
	if errors.Is(err, store.ErrComplete) {
		// helix.resume.no-content: the store has nothing left for this cursor.
		w.WriteHeader(http.StatusNoContent) // an EventSource that is answered 204 doesn't come back
		return nil
	}
	if err != nil {
		return err
	}
	// helix.lifecycle.reader-disconnect: the reader takes only its own subscription with it.
	defer sub.Close()

	// helix.wire.accept-encoding: no part of the answer depends on the encodings that the reader accepts.
	head := w.Header()
	// helix.wire.content-type: the status 200 follows below.
	head.Set("Content-Type", "text/event-stream")
	// helix.wire.cache-control: a cache must not answer for the server.
	head.Set("Cache-Control", "no-cache")
	head.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	b := &body{w: w, flush: http.NewResponseController(w), encoder: h.o.Encoder(reader)}
	defer b.unblock(ctx)()
	// helix.wire.head: Flush sends the head before the first frame exists.
	if b.flush.Flush() == nil {
		h.deliver(ctx, sub, b)
	}
	return nil
}

// deliver copies a subscription to a body until the stream, the request or the server ends.
func (h *Handler) deliver(ctx context.Context, sub store.Subscription, b *body) {
	// helix.wire.stays-open: silence leads to a comment and another wait, never out of the loop.
	for ctx.Err() == nil {
		err := h.deliverUntilSilent(ctx, sub, b)
		// helix.wire.heartbeat: Options.Heartbeat is 15 s by default.
		if !errors.Is(err, errSilence) || b.comment("heartbeat") != nil {
			return
		}
	}
}

var errSilence = errors.New("nothing was written for a while")

// deliverUntilSilent returns errSilence when it is time for a heartbeat. The timer cancels the wait for events, not a write.
func (h *Handler) deliverUntilSilent(ctx context.Context, sub store.Subscription, b *body) error {
	wait, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var timer Timer
	if h.o.Heartbeat > 0 {
		timer = h.o.Clock.AfterFunc(h.o.Heartbeat, func() { cancel(errSilence) })
		defer timer.Stop()
	}
	for {
		events, err := sub.Next(wait)
		if err != nil {
			return errors.Join(err, context.Cause(wait))
		}
		last, err := b.events(events)
		// helix.lifecycle.body-closes: the handler returns after a terminal frame, and net/http closes the body.
		if last || err != nil {
			return err
		}
		if timer != nil && len(events) > 0 {
			timer.Reset(h.o.Heartbeat)
		}
	}
}

// body is the body of one response.
type body struct {
	w       http.ResponseWriter      // is written in blocks of complete events
	flush   *http.ResponseController // after each block
	encoder Encoder                  // of this reader alone
	buffer  []byte                   // nil while the reader waits
}

// maxWrite limits the encoded bytes of one write; a single frame may be larger.
const maxWrite = 64 << 10

// buffers are reused by bodies while they write.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// events writes a batch and flushes it once. It reports whether a terminal event was in it.
func (b *body) events(events []store.Event) (last bool, err error) {
	lent := buffers.Get().(*[]byte)
	b.buffer = (*lent)[:0]
	defer func() {
		*lent, b.buffer = b.buffer, nil
		buffers.Put(lent)
	}()
	for _, e := range events {
		b.buffer = b.encoder.Append(b.buffer, e)
		last = last || e.Kind.Terminal()
		if len(b.buffer) >= maxWrite {
			if err := b.write(); err != nil {
				return last, err
			}
		}
	}
	if err := b.write(); err != nil {
		return last, err
	}
	// helix.lifecycle.live, helix.lifecycle.prompt: Flush sends each batch without waiting for later events.
	return last, b.flush.Flush()
}

// comment writes a line that readers ignore.
func (b *body) comment(text string) error {
	b.buffer = append(append(append(b.buffer, ": "...), text...), "\n\n"...)
	if err := b.write(); err != nil {
		return err
	}
	return b.flush.Flush()
}

func (b *body) write() error {
	if len(b.buffer) == 0 {
		return nil
	}
	_, err := b.w.Write(b.buffer)
	b.buffer = b.buffer[:0]
	return err
}

// grace is the time for which a write may continue after its request or the server has ended, so that a reader that isn't
// stalled receives a clean end.
const grace = time.Second

// unblock aborts a blocked write of a stalled reader once the context is done. The returned function must be called before
// the handler returns.
func (b *body) unblock(ctx context.Context) (stop func()) {
	done := make(chan struct{})
	release := context.AfterFunc(ctx, func() {
		defer close(done)
		_ = b.flush.SetWriteDeadline(time.Now().Add(grace)) // where it isn't supported, the write ends with the connection
	})
	return func() {
		if !release() {
			<-done
		}
	}
}
