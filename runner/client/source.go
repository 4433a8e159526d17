package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/streamcert/streamcert/runner/wire"
)

const (
	firstWait = time.Second
	lastWait  = 30 * time.Second
)

// An EventSource reads one stream over as many connections as it takes. It isn't safe for concurrent use.
type EventSource struct {
	Request Request
	// Again resumes after the last event when the connection breaks.
	Again bool
	// Note is called for each connection that breaks; nil is fine.
	Note func(string)
	// Wait waits before the next try; nil means a timer.
	Wait func(context.Context, time.Duration) error
	// Repeated reports whether a frame with an id was there before the cursor; nil: none was.
	Repeated func(f *wire.Frame, cursor string) bool

	ctx    context.Context
	answer *Response // nil while there is none
	frames *wire.Reader
	cursor Cursor
	retry  time.Duration
	tries  int // in a row that brought nothing
	some   bool
}

// Open connects. A server that can't be reached at all is an error, Again or not. Close it.
func (l *EventSource) Open(ctx context.Context) error {
	l.ctx = ctx
	return l.connect()
}

// Close ends the connection.
func (l *EventSource) Close() {
	if l.answer != nil {
		l.answer.Close()
	}
	l.answer = nil
}

func (l *EventSource) connect() error {
	answer, err := l.Request.Send(l.ctx, l.cursor.Acknowledged(), lastWait)
	if err != nil {
		return err
	}
	if !answer.isStream() {
		defer answer.Close()
		return answer.refusal()
	}
	l.answer, l.frames = answer, wire.NewReader(answer.Stream, wire.Options{})
	return nil
}

// Next returns the next frame, of a new connection if the old one broke and
// Again is set.
func (l *EventSource) Next() (*wire.Frame, error) {
	for {
		f, err := l.next()
		switch {
		case err == nil && f == nil:
			continue
		case err == nil, !l.Again, l.ctx.Err() != nil:
			return f, err
		}
		var limit *wire.LimitError
		if errors.As(err, &limit) {
			return nil, err
		}
		if err := l.again(err); err != nil {
			return nil, err
		}
	}
}

// next returns a frame of the open connection; nil for one that isn't news.
func (l *EventSource) next() (*wire.Frame, error) {
	f, err := l.frames.Next()
	if err != nil {
		return nil, err
	}
	if f.HasRetry {
		l.retry = min(time.Duration(f.Retry)*time.Millisecond, lastWait)
	}
	if !f.Terminated && l.Again {
		return nil, nil // it comes again
	}
	if f.Dispatched() {
		l.some = true
		l.tries = 0
	}
	if f.HasID && f.Terminated && l.Repeated != nil && l.Repeated(f, l.cursor.ID) {
		return nil, nil
	}
	l.cursor.Take(f)
	return f, nil
}

// again reconnects, unless the error is permanent.
func (l *EventSource) again(why error) error {
	l.Close() // it is broken already
	if l.some && l.cursor.ID == "" {
		return errors.New("the connection ended, and the stream has no ids after which it could be resumed")
	}
	for {
		wait := min(max(l.retry, firstWait)<<min(l.tries, 5), lastWait)
		if l.tries == 0 {
			wait = l.retry
		}
		l.tries++
		if l.Note != nil {
			l.Note(fmt.Sprintf("the connection ended (%s); resuming after event %s in %v",
				reason(why), cmp.Or(l.cursor.ID, "none"), wait))
		}
		if err := l.wait(wait); err != nil {
			return err
		}
		if why = l.connect(); why == nil {
			return nil
		}
		var status *StatusError
		if errors.As(why, &status) && !passing(status.Status) {
			return fmt.Errorf("resuming after event %s: %w", cmp.Or(l.cursor.ID, "none"), why)
		}
	}
}

// passing reports whether a status may be another one later.
func passing(status int) bool {
	return status >= 500 || status == http.StatusRequestTimeout || status == http.StatusTooManyRequests
}

func reason(err error) string {
	if errors.Is(err, io.EOF) {
		return "the server closed it"
	}
	return err.Error()
}

func (l *EventSource) wait(d time.Duration) error {
	if l.Wait != nil {
		return l.Wait(l.ctx, d)
	}
	return pause(l.ctx, d)
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
