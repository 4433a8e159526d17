package httpserver

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

// Bodies bound the bodies of requests while they come.
type Bodies struct {
	Each   int64         // bytes of one; 0: its handler bounds it
	All    int64         // bytes of all that have started to come and haven't ended
	Within time.Duration // for one to come; 0: its handler bounds it
}

// ErrFull reports that the bodies of other requests have exhausted the common limit. It is an *http.MaxBytesError.
var ErrFull = fmt.Errorf("too many bodies are being received at once: %w", &http.MaxBytesError{})

// bound makes the bodies that a handler reads obey the limits. Their errors are *http.MaxBytesError, among them ErrFull,
// os.ErrDeadlineExceeded, or of the connection.
func (l Bodies) bound(h http.Handler) http.Handler {
	left := new(atomic.Int64)
	left.Store(l.All)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			h.ServeHTTP(w, r)
			return
		}
		in := r.Body
		if l.Each > 0 {
			in = http.MaxBytesReader(w, in, l.Each)
		}
		b := &body{ReadCloser: in, left: left, connection: http.NewResponseController(w), within: l.Within}
		defer b.release()
		r.Body = b
		h.ServeHTTP(w, r)
	})
}

// body is a request body that counts against a common limit. left is the remaining part of that limit.
type body struct {
	io.ReadCloser
	left       *atomic.Int64
	connection *http.ResponseController
	within     time.Duration
	started    bool
	taken      int64 // 0 once it has ended
}

func (b *body) Read(p []byte) (int, error) {
	if !b.started && b.within > 0 {
		// Where deadlines aren't supported, the body ends with the connection.
		_ = b.connection.SetReadDeadline(time.Now().Add(b.within))
	}
	b.started = true
	n, err := b.ReadCloser.Read(p)
	b.taken += int64(n)
	if b.left.Add(-int64(n)) < 0 && err == nil {
		return 0, ErrFull
	}
	if err != nil {
		b.release()
	}
	if err != nil && b.within > 0 && !errors.Is(err, os.ErrDeadlineExceeded) {
		_ = b.connection.SetReadDeadline(time.Time{}) // or the answer would end with the time for the body
	}
	return n, err
}

// release returns the body's part of the limit.
func (b *body) release() { b.left.Add(b.taken); b.taken = 0 }
