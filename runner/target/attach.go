package target

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/streamcert/streamcert/runner/record"
)

// ReadRequest states how a reader attaches.
type ReadRequest struct {
	Route   Route // the zero value is none: set it
	Stream  string
	Heading string        // describes the exchange in reports
	Hidden  bool          // transcripts leave the exchange out
	Origin  record.Origin // of the stream's chunks
	Until   int64         // as in record.Request
	// Cursor is sent in the Last-Event-ID header, Query in the query string.
	// nil: not sent.
	Cursor *string
	Query  map[string]string
	// Headers are added to the request; LeaveOut are configured ones that are
	// not sent, in lower case.
	Headers  map[string]string
	LeaveOut []string // of the config's headers, in lower case
	// Gzip asks for compression, as browsers do, and undoes it as it arrives.
	Gzip bool
	// HTTP2 sends this request over HTTP/2 whatever the session uses.
	HTTP2 bool
	// Stalled attaches without reading the body until Resume is called.
	Stalled bool
	// DisconnectAfter closes the connection from our side once that many bytes of the
	// body were read; 0 means never.
	DisconnectAfter int64
	// Events closes it once that many events came; 0 means never.
	Events int
	// Buffer is the approximate size of the receive buffer in bytes until Resume is called, which limits what the server
	// can send to a reader that doesn't read; 0 means the system's default.
	Buffer int
	// ReuseConnection is as in [StreamRequest]. Stalled readers, and those with a buffer, use a new connection.
	ReuseConnection bool
}

// Attach begins to read a stream. It returns once the request may be sent; the
// answer is waited for by Head and Next. It fails only on a request that can't be made.
func (s *Session) Attach(r ReadRequest) (*Reader, error) {
	e := s.newExchange(record.Read)
	e.Heading, e.Hidden, e.Origin, e.Stream, e.Until = r.Heading, r.Hidden, r.Origin, r.Stream, r.Until
	ctx, cancel := context.WithCancel(s.ctx)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base()+s.target.ofStream(r.Route, r.Stream), nil)
	if err != nil {
		cancel()
		return nil, fmt.Errorf("making the request that reads stream %q: %w", r.Stream, err)
	}
	q := make(url.Values)
	for k, v := range r.Query {
		q.Set(k, v)
	}
	// Spaces as %20: form encoding's + is read as a plus sign by some servers.
	req.URL.RawQuery = strings.ReplaceAll(q.Encode(), "+", "%20")
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Cache-Control", "no-cache")
	if r.Cursor != nil {
		req.Header.Set("Last-Event-ID", *r.Cursor)
	}
	req.Header.Set("Accept-Encoding", encoding(r.Gzip))
	for k, v := range r.Headers {
		req.Header.Set(k, v)
	}
	leave := map[string]bool{}
	for _, name := range r.LeaveOut {
		leave[name] = true
	}
	s.target.sign(req, leave)
	e.Removed, e.State = s.known(r.Stream)
	rd := s.reader(e, req, cancel)
	rd.disconnectAt, rd.most, rd.conns.Buffer = r.DisconnectAfter, r.Events, r.Buffer
	rd.reusesConnection = r.ReuseConnection && r.Buffer == 0 && !r.Stalled && !s.target.overHTTP2 && !s.target.wary.Load()
	return rd.start(req, r.HTTP2, r.Stalled), nil
}

// StreamRequest is a request that is posted to a route.
type StreamRequest struct {
	Route      Route
	PathValues map[string]string // values of the route's placeholders, by name
	Method     string            // POST by default
	Path       string            // replaces the path of the route, unless it is ""
	Mark       string            // the script that the model plays for it, "" for none
	Body       []byte            // sent as it is
	As         User              // the zero value is the user of the config's headers
	Control    bool              // the token of control calls goes with it
	// Untrusted keeps a pack from sending that token with a request that needs it.
	Untrusted bool
	Headers   map[string]string // in addition to those of the user
	Heading   string            // describes the exchange in reports
	Hidden    bool              // transcripts leave the exchange out
	Stalled   bool              // the body isn't read until Resume is called
	Buffer    int               // as in a ReadRequest
	Gzip      bool              // asks for compression, as browsers do, and undoes it as it arrives
	HTTP2     bool              // sends this request over HTTP/2 whatever the session uses
	Unsized   bool              // doesn't say before how long the body is, as clients do that write it while they send it
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
	if token := s.target.controlToken; r.Control && token != "" {
		req.Header.Set(controlHeader, token)
	}
	s.target.signAs(req, r.As)
	return s.follow(e, req, cancel, r), nil
}

// follow sends a request for a stream, over a new connection unless the request states otherwise.
func (s *Session) follow(e *Exchange, req *http.Request, cancel context.CancelFunc, r StreamRequest) *Reader {
	rd := s.reader(e, req, cancel)
	rd.conns.Buffer = r.Buffer
	rd.reusesConnection = r.ReuseConnection && !r.Stalled && r.Buffer == 0 && !s.target.wary.Load()
	return rd.start(req, r.HTTP2, r.Stalled)
}
