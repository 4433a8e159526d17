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
