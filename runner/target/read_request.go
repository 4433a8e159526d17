package target

import (
	"github.com/streamcert/streamcert/runner/record"
)

// ReadRequest states how a reader attaches.
type ReadRequest struct {
	Route   Route
	Stream  string
	Heading string
	Hidden  bool
	Origin  record.Origin
	Until   int64 // as in record.Request
	// Cursor is sent in the Last-Event-ID header, Query in the query string.
	// nil: not sent.
	Cursor *string
	Query  map[string]string
	// Headers are added to the request; LeaveOut are configured ones that are
	// not sent, in lower case.
	Headers  map[string]string
	LeaveOut []string
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
