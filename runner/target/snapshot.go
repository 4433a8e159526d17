package target

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/streamcert/streamcert/runner/record"
)

// SnapshotRequest describes a request for a stream's snapshot.
type SnapshotRequest struct {
	Route   Route
	Stream  string
	Partial string // value of includePartialContent; empty leaves the parameter out
	Heading string
	Hidden  bool
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
	return e, unary{Exchange: e, session: s, headers: map[string]string{"Accept": "application/json"}}.send(s.ctx, http.MethodGet, path)
}

// IsSnapshot reports whether the exchange is a request for a snapshot.
func (e *Exchange) IsSnapshot() bool { return e.Kind == record.Snapshot }
