package target

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// traffic counts the requests of a run, and spaces them.
type traffic struct {
	requests atomic.Int64  // sent so far; it only rises
	open     atomic.Int64  // requests whose answers haven't ended
	limiter  *rate.Limiter // nil: no request waits for another
}

// admit counts a request that is about to be sent. It waits if the config limits the requests a second, and returns how
// long it waited. The error is that of the context.
func (t *traffic) admit(ctx context.Context) (time.Duration, error) {
	began := time.Now()
	if t.limiter != nil {
		if err := t.limiter.Wait(ctx); err != nil {
			return 0, err
		}
	}
	t.requests.Add(1)
	return time.Since(began), nil
}

// Requests returns the number of requests sent so far.
func (t *traffic) Requests() int { return int(t.requests.Load()) }

// fewOpen is the number of concurrent requests that every server answers.
const fewOpen = 16

// concurrentRequests returns the number of other open requests, 0 if they are few.
func (t *traffic) concurrentRequests() int {
	if n := int(t.open.Load()) - 1; n >= fewOpen {
		return n
	}
	return 0
}

// counted is a transport whose requests are admitted one by one.
type counted struct {
	*http.Transport
	traffic *traffic // of the target
}

func (c counted) RoundTrip(req *http.Request) (*http.Response, error) {
	if _, err := c.traffic.admit(req.Context()); err != nil {
		return nil, err
	}
	return c.Transport.RoundTrip(req)
}
