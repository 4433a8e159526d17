package interop

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/r3labs/sse/v2"
	"gopkg.in/cenkalti/backoff.v1"

	"github.com/streamcert/streamcert/runner/target"
)

// Event is an event as the library hands it to its user.
type Event struct {
	ID   string // "" if there is none
	Data []byte // never empty: the library reports comments as empty events
}

// ErrBusy reports that the server refuses all requests for now.
var ErrBusy = errors.New("the server is busy")

// Reader is a subscription.
type Reader struct {
	events chan Event                              // without a buffer
	done   chan struct{}                           // closed when the subscription has ended
	err    error                                   // valid once done is closed
	cancel context.CancelFunc                      // ends the subscription
	wait   time.Duration                           // longest wait for an event
	grace  func(since, by time.Time) time.Duration // how much longer, on a busy machine
}

// Subscribe reads a stream of the session's target at a route from the start, or
// after an event id if one is given.
func Subscribe(s *target.Session, route target.Route, stream, after string) *Reader {
	t := s.Target()
	ctx, cancel := context.WithCancel(s.Context())
	c := sse.NewClient(t.StreamURL(route, stream), sse.ClientMaxBufferSize(int(t.Limits().Frame)))
	c.Connection = t.Client()
	c.Headers = t.RequestHeaders()
	// Without this the library retries for minutes after an answer that isn't 200.
	c.ReconnectStrategy = &backoff.StopBackOff{}
	c.ResponseValidator = func(_ *sse.Client, r *http.Response) error {
		switch r.StatusCode {
		case http.StatusOK:
		case http.StatusTooManyRequests, http.StatusServiceUnavailable:
			return fmt.Errorf("%w: the answer is %d", ErrBusy, r.StatusCode)
		default:
			return fmt.Errorf("the answer is %d", r.StatusCode)
		}
		return nil
	}
	if after != "" {
		c.LastEventID.Store([]byte(after))
	}
	r := &Reader{events: make(chan Event), done: make(chan struct{}), cancel: cancel, wait: t.Timing().Deadline, grace: t.Grace}
	go func() {
		defer close(r.done)
		defer c.Connection.CloseIdleConnections()
		r.err = c.SubscribeRawWithContext(ctx, func(e *sse.Event) {
			if len(e.Data) == 0 {
				return
			}
			select {
			case r.events <- Event{string(e.ID), append([]byte(nil), e.Data...)}:
			case <-ctx.Done():
			}
		})
	}()
	return r
}

// Next returns the next event, or nil when the subscription is over. The error is a *target.TimeoutError if none came in
// time. A caller that skips events passes the same time again.
func (r *Reader) Next(awaited string, by time.Time) (*Event, error) {
	timer := time.NewTimer(time.Until(by))
	defer timer.Stop()
	if time.Now().After(by) { // whatever is there
		return nil, &target.TimeoutError{Awaited: awaited, After: r.wait}
	}
	for {
		select {
		case e := <-r.events:
			return &e, nil
		case <-r.done:
			return nil, r.err
		case <-timer.C:
			more := r.grace(by.Add(-r.wait), by)
			if more <= 0 {
				return nil, &target.TimeoutError{Awaited: awaited, After: r.wait}
			}
			timer.Reset(more)
		}
	}
}

// Close ends the subscription.
func (r *Reader) Close() {
	r.cancel()
	<-r.done
}
