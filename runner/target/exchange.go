package target

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/streamcert/streamcert/runner/record"
)

// Exchange is a request with the part of its response that was received so far. The request is complete before another
// goroutine sees the exchange. It is safe for concurrent use.
type Exchange struct {
	record.Request
	Base string // address of the request, if it isn't the target's first

	mu        sync.Mutex      // of all below but began, restarted and refusal, which never change
	came      record.Response // frames are only appended, or dropped by a Reader; the first End other than Open stays
	began     time.Time       // set before the request is sent
	waited    time.Duration   // time that it waited because of Retry-After, or for its turn
	queued    time.Time       // start of the current wait for a turn; else zero
	coming    int             // bytes received of an incomplete frame
	restarted bool            // the session had killed the server before
	refusal   []int           // statuses with which the scenario has the server refuse it
	changed   chan struct{}   // closed at the next change; nil while no goroutine waits for it
}

// expects reports whether the scenario is about one of these refusals.
func (e *Exchange) expects(statuses ...int) bool {
	return slices.ContainsFunc(statuses, func(status int) bool { return slices.Contains(e.refusal, status) })
}

// update changes the received part of the response and wakes all waiting goroutines.
func (e *Exchange) update(f func(came *record.Response)) {
	e.mu.Lock()
	f(&e.came)
	if e.changed != nil {
		close(e.changed)
		e.changed = nil
	}
	e.mu.Unlock()
}

// over notes how the body ended. It keeps the first end: after a disconnect by the suite
// the error that follows is the suite's. It is called in an update.
func (e *Exchange) over(end record.End) {
	if e.came.End == record.Open {
		e.came.End, e.came.Took = end, time.Since(e.began)
	}
}

// Began returns when the request was made.
func (e *Exchange) Began() time.Time { return e.began }

// AfterKill reports whether the session had killed the server before the request was made.
func (e *Exchange) AfterKill() bool { return e.restarted }

// waitedFor returns the time that the exchange waited for reasons that aren't the server's fault.
func (e *Exchange) waitedFor() time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.queued.IsZero() {
		return e.waited
	}
	return e.waited + time.Since(e.queued)
}

// comes records how many bytes of an incomplete frame were received. It wakes no goroutine.
func (e *Exchange) comes(bytes int) {
	e.mu.Lock()
	e.coming = bytes
	e.mu.Unlock()
}

// asks notes the request of the exchange.
func (e *Exchange) asks(req *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.Method, e.Path, e.Header = req.Method, req.URL.RequestURI(), sortedHeaders(req.Header)
}

// RequestLine returns method and path of the request, "" before they are known. Any goroutine may call it.
func (e *Exchange) RequestLine() (method, path string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.Method, e.Path
}

// Now returns the part of the response that was received so far.
func (e *Exchange) Now() record.Response {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.view()
}

// watch returns the present view and a channel that is closed when it is out of
// date.
func (e *Exchange) watch() (record.Response, <-chan struct{}) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.changed == nil {
		e.changed = make(chan struct{})
	}
	return e.view(), e.changed
}

// view returns a copy that later changes don't affect. The caller has the lock.
func (e *Exchange) view() record.Response {
	v := e.came
	v.Frames, v.Comments = slices.Clip(v.Frames), slices.Clip(v.Comments)
	return v
}

// Record returns the exchange as it is now, for the judge and for reports.
func (e *Exchange) Record() *record.Exchange {
	return &record.Exchange{Request: e.Request, Response: e.Now()}
}

// Limits for a head with long values: no requirement reads such values, and a run stores thousands of heads.
const (
	mostValueBytes  = 8 << 10 // of all values of a head in total, before any is shortened
	shortValueBytes = 1 << 10 // of a shortened value
)

// storedHeaders returns the head of an answer, without most of its long values where they are long in total. A secret is
// redacted first, so that no beginning of it is left.
func (c *credentials) storedHeaders(m map[string][]string) []record.Header {
	out, size := sortedHeaders(m), 0
	for _, h := range out {
		size += len(h.Value)
	}
	if size <= mostValueBytes {
		return out
	}
	for i, h := range out {
		if len(h.Value) > shortValueBytes {
			safe := c.Redact(h.Value)
			// Sprintf copies the text, so that the rest of the value isn't retained.
			out[i].Value = fmt.Sprintf("%s… (%d bytes)", safe[:min(shortValueBytes, len(safe))], len(h.Value))
		}
	}
	return out
}

func sortedHeaders(m map[string][]string) []record.Header {
	out := make([]record.Header, 0, len(m))
	for name, values := range m {
		for _, v := range values {
			out = append(out, record.Header{Name: strings.ToLower(name), Value: v})
		}
	}
	slices.SortStableFunc(out, func(a, b record.Header) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// busy reports whether a status reports that the server is overloaded, unless the scenario provoked that status.
func (e *Exchange) busy(status int) bool {
	limits := []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} // a server may choose the wrong one
	return slices.Contains(limits, status) && !e.expects(limits...)
}

// overlaps reports whether an exchange was open when another one began.
func (e *Exchange) overlaps(later *Exchange) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.began.Before(later.began) && (e.came.End == record.Open || e.began.Add(e.came.Took).After(later.began))
}

// IsSnapshot reports whether the exchange is a request for a snapshot.
func (e *Exchange) IsSnapshot() bool { return e.Kind == record.Snapshot }
