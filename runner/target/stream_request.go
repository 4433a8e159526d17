package target

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/record"
)

// StreamRequest is a request that is posted to a route.
type StreamRequest struct {
	Route      Route
	PathValues map[string]string // values of the route's placeholders, by name
	Method     string            // POST by default
	Path       string            // replaces the path of the route, unless it is ""
	Mark       string            // the script that the model plays for it, "" for none
	Body       []byte
	As         User
	Control    bool // the token of control calls goes with it
	// Untrusted keeps a pack from sending that token with a request that needs it.
	Untrusted bool
	Headers   map[string]string // in addition to those of the user
	Heading   string
	Hidden    bool
	Stalled   bool // the body isn't read until Resume is called
	Buffer    int  // as in a ReadRequest
	Gzip      bool // asks for compression, as browsers do, and undoes it as it arrives
	HTTP2     bool // sends this request over HTTP/2 whatever the session uses
	Unsized   bool // doesn't say before how long the body is, as clients do that write it while they send it
	// ReuseConnection sends the request over an idle connection of an earlier response, if there is one; over HTTP/2 concurrently with
	// others. A server may close an idle connection at any time: see [Reader.Reused].
	ReuseConnection bool
}

// RequestStream makes a request whose answer is a stream. It returns at once; the answer is
// waited for by Head and Next. It fails only on a request that can't be made.
func (s *Session) RequestStream(r StreamRequest) (*Reader, error) {
	e := s.newExchange(record.Read)
	e.Heading, e.Hidden, e.Origin, e.Route, e.Body = r.Heading, r.Hidden, record.Produced, r.Route.Name, r.Body
	ctx, cancel := context.WithCancel(s.ctx)
	path := cmp.Or(r.Path, s.target.path(r.Route, r.PathValues))
	req, err := http.NewRequestWithContext(ctx, cmp.Or(r.Method, http.MethodPost), s.base()+path, bytes.NewReader(r.Body))
	if err != nil {
		cancel()
		return nil, fmt.Errorf("making the request POST %s: %w", path, err)
	}
	if r.Unsized {
		req.ContentLength = -1
	}
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Accept-Encoding", encoding(r.Gzip))
	req.Header.Set("Content-Type", "application/json")
	for name, v := range r.Headers {
		req.Header.Set(name, v)
	}
	if r.Control {
		s.byControl()
	}
	if token := s.target.cfg.ControlToken; r.Control && token != "" {
		req.Header.Set(controlHeader, token)
	}
	s.target.signAs(req, r.As)
	return s.follow(e, req, cancel, r), nil
}

// Post makes a request whose answer is a document that isn't certified. An error
// means that no answer came.
func (s *Session) Post(r StreamRequest) (*Exchange, error) {
	e := s.newExchange(record.Control)
	e.Heading, e.Hidden = r.Heading, r.Hidden
	s.add(e)
	headers := map[string]string{"Content-Type": "application/json"}
	maps.Copy(headers, s.target.headersOf(r.As))
	maps.Copy(headers, r.Headers)
	leave := map[string]bool{}
	for name := range s.target.cfg.Headers {
		leave[strings.ToLower(name)] = r.As != First
	}
	return e, unary{e, s, headers, r.Body, leave}.send(s.ctx, http.MethodPost, s.target.path(r.Route, r.PathValues))
}

// signAs adds the headers of a user.
func (t *Target) signAs(req *http.Request, as User) {
	for name, v := range t.headersOf(as) {
		if req.Header.Get(name) == "" {
			req.Header.Set(name, v)
		}
	}
}

// Silence reports whether nothing comes within d: neither an event nor the end of the response.
func (r *Reader) Silence(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		v, changed := r.watch()
		if len(v.Frames) > 0 || v.End != record.Open {
			return false
		}
		select {
		case <-changed:
		case <-timer.C:
			return true
		case <-r.session.ctx.Done():
			return true
		}
	}
}

// EndedWithin waits up to d for the end of the body and reports whether it came.
// It doesn't count among the waits that bound others: the server sets d.
func (r *Reader) EndedWithin(d time.Duration) (record.Response, bool) {
	v, open := r.Silent(d)
	return v, !open
}

// CommentsWithin waits up to d for n comments and returns how many came.
func (r *Reader) CommentsWithin(n int, d time.Duration) int {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		v, changed := r.watch()
		if len(v.Comments) >= n || v.End != record.Open {
			return len(v.Comments)
		}
		select {
		case <-changed:
		case <-timer.C:
			return len(v.Comments)
		case <-r.session.ctx.Done():
			return len(v.Comments)
		}
	}
}
