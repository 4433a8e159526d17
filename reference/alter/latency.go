package alter

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Latency goes around a server that is far away: half of a round trip is on the way here, half on the way back.
func Latency(roundTrip time.Duration) Around {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if Pause(r.Context(), roundTrip/2) != nil {
				return
			}
			line := newLine(w, r, roundTrip/2)
			defer line.drain()
			next.ServeHTTP(line, r)
		})
	}
}

// Pause waits. The error is the context's, if that ends first.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// line is a ResponseWriter that delays its bytes without slowing them down: bytes that are written meanwhile are on their
// way, too.
type line struct {
	inner   http.ResponseWriter
	request *http.Request
	delay   time.Duration
	parcels chan parcel
	done    chan struct{}

	mu  sync.Mutex
	err error // of the first parcel that could not be delivered
}

// parcel is something that happens to the response when its time has come.
type parcel struct {
	at      time.Time
	deliver func() error
}

// underWay limits the writes that are on their way; further writes wait.
const underWay = 256

func newLine(w http.ResponseWriter, r *http.Request, delay time.Duration) *line {
	l := &line{inner: w, request: r, delay: delay, parcels: make(chan parcel, underWay), done: make(chan struct{})}
	go l.run()
	return l
}

func (l *line) run() {
	defer close(l.done)
	for p := range l.parcels {
		// When the request is over, the next delivery returns its error.
		_ = Pause(l.request.Context(), time.Until(p.at))
		if l.failed() != nil {
			continue
		}
		if err := p.deliver(); err != nil {
			l.mu.Lock()
			l.err = err
			l.mu.Unlock()
		}
	}
}

func (l *line) failed() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

func (l *line) send(deliver func() error) error {
	l.parcels <- parcel{time.Now().Add(l.delay), deliver}
	return l.failed()
}

// drain waits until every write has been delivered. No write may follow.
func (l *line) drain() {
	close(l.parcels)
	<-l.done
}

// Header implements http.ResponseWriter. A handler leaves it alone once it has sent the head.
func (l *line) Header() http.Header { return l.inner.Header() }

// WriteHeader implements http.ResponseWriter.
func (l *line) WriteHeader(status int) {
	// Its error is returned by the next write.
	_ = l.send(func() error { l.inner.WriteHeader(status); return nil })
}

// Write implements http.ResponseWriter.
func (l *line) Write(p []byte) (int, error) {
	p = slices.Clone(p)
	if err := l.send(func() error { _, err := l.inner.Write(p); return err }); err != nil {
		return 0, err
	}
	return len(p), nil
}

// FlushError is called by http.ResponseController.
func (l *line) FlushError() error { return l.send(http.NewResponseController(l.inner).Flush) }

// Unwrap lets a ResponseController reach the deadlines of the connection.
func (l *line) Unwrap() http.ResponseWriter { return l.inner }
