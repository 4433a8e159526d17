package stream

import (
	"bytes"
	"compress/gzip"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

// delayedHead delays the head until there is a frame. The heartbeats before it are lost.
func delayedHead(w *alter.Response, _ *http.Request) {
	started := false
	w.Body = func(p []byte) []byte {
		started = started || !bytes.HasPrefix(p, []byte(":"))
		if !started {
			return nil
		}
		return p
	}
	w.OnFlush = func(flush func() error) error {
		if !started {
			return nil
		}
		return flush()
	}
}

// maxIdle is shorter than any silence that a scenario about silence makes.
const maxIdle = 100 * time.Millisecond

func idleTimeout(_ store.Store, _ helix.Reader, s store.Subscription) store.Subscription {
	return &impatient{Subscription: s, last: time.Now()}
}

// impatient ends when nothing was delivered for a while. A heartbeat, which calls Next again, doesn't restart the time.
type impatient struct {
	store.Subscription
	last time.Time
}

func (s *impatient) Next(ctx context.Context) ([]store.Event, error) {
	ctx, cancel := context.WithDeadline(ctx, s.last.Add(maxIdle))
	defer cancel()
	events, err := s.Subscription.Next(ctx)
	if len(events) > 0 {
		s.last = time.Now()
	}
	return events, err
}

// gzipped compresses the response to a reader that accepts it. Without flushes it doesn't flush the compressor with the
// connection, and without closes it doesn't close it; a good server does both.
func gzipped(flushes, closes bool) func(next http.Handler, w http.ResponseWriter, r *http.Request) {
	return func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		next.ServeHTTP(&compressed{ResponseWriter: w, z: z, flushes: flushes}, r)
		if closes {
			_ = z.Close() // a reader that has gone needs no rest
		}
	}
}

type compressed struct {
	http.ResponseWriter
	z       *gzip.Writer
	flushes bool
}

func (w *compressed) WriteHeader(status int) {
	w.Header().Del("Content-Length")
	if status == http.StatusNoContent {
		w.Header().Del("Content-Encoding")
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *compressed) Write(p []byte) (int, error) { return w.z.Write(p) }

// FlushError implements the method that a ResponseController calls; without it, the controller would flush the wrapped
// writer.
func (w *compressed) FlushError() error {
	if w.flushes {
		if err := w.z.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap lets a ResponseController reach the connection.
func (w *compressed) Unwrap() http.ResponseWriter { return w.ResponseWriter }
