package target

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/streamcert/streamcert/runner/record"
)

// longestRetry limits the wait for a Retry-After of the server.
const longestRetry = 5 * time.Second

// admit counts a request that is about to be sent. It waits if the config limits the requests a second, and returns how
// long it waited. The error is that of the context.
func (t *Target) admit(ctx context.Context) (time.Duration, error) {
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
func (t *Target) Requests() int { return int(t.requests.Load()) }

// counted is a transport whose requests are admitted one by one.
type counted struct {
	*http.Transport
	target *Target
}

func (c counted) RoundTrip(req *http.Request) (*http.Response, error) {
	if _, err := c.target.admit(req.Context()); err != nil {
		return nil, err
	}
	return c.Transport.RoundTrip(req)
}

// Expects names statuses with which the scenario has the server refuse the requests that it makes until over is called.
// A request that is refused with another one of 409, 429 and 503 is a [Session.Refused].
func (s *Session) Expects(statuses ...int) (over func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.refusal
	s.refusal = slices.Concat(before, statuses)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.refusal = before
	}
}

// busy reports whether a status reports that the server is overloaded, unless the scenario provoked that status.
func (e *Exchange) busy(status int) bool {
	limits := []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} // a server may choose the wrong one
	return slices.Contains(limits, status) && !e.expects(limits...)
}

// Refused reports whether an exchange was refused for a reason unrelated to its content: the rate, the load, or another
// request that is being answered.
func (s *Session) Refused(e *Exchange) bool {
	status := e.Now().Status
	if e.busy(status) {
		return true
	}
	if status != http.StatusConflict || e.Kind != record.Read || e.Method != http.MethodPost || e.expects(status) {
		return false
	}
	return slices.ContainsFunc(s.Exchanges(), func(other *Exchange) bool {
		return other != e && other.Kind == record.Read && other.Method == http.MethodPost && other.Now().Status == http.StatusOK && other.overlaps(e)
	})
}

// overlaps reports whether an exchange was open when another one began.
func (e *Exchange) overlaps(later *Exchange) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.began.Before(later.began) && (e.came.End == record.Open || e.began.Add(e.came.Took).After(later.began))
}

// retryAfter returns the delay of a response's Retry-After, at most longestRetry; ok is false without one.
func retryAfter(h http.Header) (wait time.Duration, ok bool) {
	text := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil && seconds >= 0 {
		return min(longestRetry, time.Duration(min(seconds, 60))*time.Second), true
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(longestRetry, max(0, time.Until(at))), true
	}
	return 0, false
}

// again repeats a request that the server refused for now with a time to come back. It closes the body of the refusal, and
// calls onWait with the time that the request waits.
func (s *Session) again(e *Exchange, res *http.Response, req *http.Request, onWait func(time.Duration), send func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	wait, ok := retryAfter(res.Header)
	if !ok || !e.busy(res.StatusCode) {
		return res, nil
	}
	_ = res.Body.Close()
	onWait(wait)
	s.extend(wait)
	s.refusedFor(wait)
	select {
	case <-time.After(wait):
	case <-req.Context().Done():
		return nil, context.Cause(req.Context())
	}
	next := req.Clone(req.Context())
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, err
		}
		next.Body = body
	}
	waited, err := s.target.admit(req.Context())
	if err != nil {
		return nil, err
	}
	onWait(waited)
	return send(next)
}

// refusedFor notes that a request of the scenario waits because the server refused it for now.
func (p *provocation) refusedFor(wait time.Duration) {
	scenario := p.outermost()
	scenario.mu.Lock()
	defer scenario.mu.Unlock()
	if until := time.Now().Add(wait); until.After(scenario.refusedUntil) {
		scenario.refusedUntil = until
	}
}

// behindRefused returns how much longer a wait may last because another request of the scenario was refused during it: the
// event may depend on that request. The wait gets its full duration again from the time at which the request is repeated.
func (p *provocation) behindRefused(since, by time.Time) time.Duration {
	scenario := p.outermost()
	scenario.mu.Lock()
	defer scenario.mu.Unlock()
	if !scenario.refusedUntil.After(since) {
		return 0
	}
	return time.Until(scenario.refusedUntil.Add(by.Sub(since)))
}
