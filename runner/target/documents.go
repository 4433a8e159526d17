package target

import (
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/streamcert/streamcert/runner/record"
)

// DocumentRequest describes a request for a document, such as StreamInfo.
type DocumentRequest struct {
	Route    Route
	Stream   string
	Query    string            // behind the path, escaped; "" for none
	Heading  string            // describes the exchange in reports
	Hidden   bool              // transcripts leave the exchange out
	Headers  map[string]string // in addition to those of the config
	LeaveOut []string          // of the config's headers, in lower case
	// Control: Route is below the control prefix, and the request carries the token of control calls. The answer is judged
	// all the same.
	Control bool
}

// Document reads StreamInfo. An error means that no answer came; for a route of the control binding it is an
// *UnavailableError where the config leaves that out.
func (s *Session) Document(r DocumentRequest) (*Exchange, error) {
	e := s.newExchange(record.Document)
	if r.Control && !s.target.Scripts() {
		return e, unasked(http.MethodGet + " " + s.target.controlPath(r.Route.Template))
	}
	e.Heading, e.Hidden, e.Stream = r.Heading, r.Hidden, r.Stream
	leave := map[string]bool{}
	for _, name := range r.LeaveOut {
		leave[name] = true
	}
	s.add(e)
	headers := map[string]string{"Accept": "application/json"}
	for k, v := range r.Headers {
		headers[k] = v
	}
	path := s.target.ofStream(r.Route, r.Stream)
	switch {
	case r.Query != "" && strings.Contains(path, "?"):
		path += "&" + r.Query
	case r.Query != "":
		path += "?" + r.Query
	}
	if r.Control {
		path = s.target.controlPath(path)
		s.byControl()
		if token := s.target.controlToken; token != "" {
			headers[controlHeader] = token
		}
	}
	return e, unary{e, s, headers, nil, leave}.send(s.ctx, http.MethodGet, path)
}

// SnapshotRequest describes a request for a stream's snapshot.
type SnapshotRequest struct {
	Route   Route
	Stream  string
	Partial string        // value of includePartialContent; empty leaves the parameter out
	Heading string        // describes the exchange in reports
	Hidden  bool          // transcripts leave the exchange out
	Origin  record.Origin // origin of the stream's chunks
}

// Snapshot requests a snapshot. An error means that no answer came.
func (s *Session) Snapshot(r SnapshotRequest) (*Exchange, error) {
	e := s.newExchange(record.Snapshot)
	e.Heading, e.Hidden, e.Stream, e.Origin = r.Heading, r.Hidden, r.Stream, r.Origin
	s.add(e)
	path := s.target.ofStream(r.Route, r.Stream)
	if r.Partial != "" {
		mark := "?"
		if strings.Contains(path, "?") {
			mark = "&"
		}
		path += mark + "includePartialContent=" + url.QueryEscape(r.Partial)
	}
	return e, unary{exchange: e, session: s, headers: map[string]string{"Accept": "application/json"}}.send(s.ctx, http.MethodGet, path)
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
	for name := range s.target.headers {
		leave[strings.ToLower(name)] = r.As != First
	}
	return e, unary{e, s, headers, r.Body, leave}.send(s.ctx, http.MethodPost, s.target.path(r.Route, r.PathValues))
}

// Submit makes a request that starts something and is answered with a document that isn't certified. path is below the base
// URL. An error means that no answer came.
func (s *Session) Submit(method, path string, headers map[string]string, body []byte) (*Exchange, error) {
	e := s.newExchange(record.Control)
	s.add(e)
	sent := map[string]string{"Content-Type": "application/json"}
	maps.Copy(sent, headers)
	return e, unary{exchange: e, session: s, headers: sent, body: body}.send(s.ctx, method, path)
}
