package record

import (
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/wire"
)

// Header is one header field as it went over the wire, its name in lower case.
type Header struct{ Name, Value string }

// Request is a request of the suite, with the circumstances that the judge has to know.
type Request struct {
	Kind    Kind   // decides how the judge takes the response
	Origin  Origin // of the stream's chunks
	Heading string // text of the scenario step that sent it
	Hidden  bool   // made by the runner for its bookkeeping, left out of transcripts
	Stream  string // the stream's id
	Route   string // name of the route, if the protocol of the response depends on it; "" for none
	Removed bool   // chunks of the stream had been removed before this reader attached
	Until   int64  // the id up to which the runner reads; 0 where it reads to the end or as the scenario states
	State   []byte // initial state of the stream as JSON; nil for none

	Method string
	Path   string   // path and query as sent
	Header []Header // in the order of names; with secrets, which reports redact
	Body   []byte   // nil for none
}

// Response is the part of a response that had been received at some moment.
type Response struct {
	Status   int           // 0 until the head came
	Proto    string        // such as "HTTP/1.1"; "" until the head came
	Reused   bool          // the request went over the connection of an earlier one
	Header   []Header      // in the order of names
	Answer   []byte        // body of a unary answer
	Frames   []*wire.Frame // in the order of the body; only appended
	Comments []time.Time   // when comments were received
	End      End           // Open until the response ended
	Err      error         // why there is no response, or why the body is incomplete
	Took     time.Duration // from the request until the end; 0 while it is open
}

// Exchange is one request and everything that came back for it.
type Exchange struct {
	Request
	Response
}

// Cursor returns the cursor that the request carried, as it was sent: the header
// before the query.
func (r *Request) Cursor() (string, bool) {
	for _, h := range r.Header {
		if h.Name == "last-event-id" {
			return h.Value, true
		}
	}
	_, query, _ := strings.Cut(r.Path, "?")
	for kv := range strings.SplitSeq(query, "&") {
		if v, ok := strings.CutPrefix(kv, "fromSequence="); ok {
			return v, true
		}
	}
	return "", false
}

// Get returns the first value of a response header, "" when there is none.
func (r Response) Get(name string) string {
	for _, h := range r.Header {
		if h.Name == name {
			return h.Value
		}
	}
	return ""
}

// HeaderMap returns the response headers by lower-case name.
func (r Response) HeaderMap() map[string][]string {
	m := make(map[string][]string, len(r.Header))
	for _, h := range r.Header {
		m[h.Name] = append(m[h.Name], h.Value)
	}
	return m
}

// IsEventStream reports whether the answer's media type is text/event-stream.
func (r Response) IsEventStream() bool {
	media, _, _ := strings.Cut(r.Get("content-type"), ";")
	return strings.EqualFold(strings.TrimSpace(media), "text/event-stream")
}
