package target

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/streamcert/streamcert/runner/wire"
)

// Kind says what an exchange was for.
type Kind int

// The kinds of exchange.
const (
	Read     Kind = iota // a reader of a stream: certified
	Document             // a request for StreamInfo: certified
	Snapshot             // a request for a snapshot: certified
	Control              // a call of the control binding: provokes, is never certified
)

// Origin says who made the chunks of a stream.
type Origin int

// The origins of a stream's chunks.
const (
	Relayed  Origin = iota // the runner wrote them through the control binding
	Produced               // the server made them itself
)

// End says how the body of a response ended.
type End int

// The ends of a body.
const (
	Open        End = iota // nothing ended it yet
	ServerClose            // the server finished the body cleanly
	Broken                 // the connection broke: a reset, or a body cut short
	ClientClose            // we closed it
)

// Header is one header field as it went over the wire, its name in lower case.
type Header struct{ Name, Value string }

// Exchange is one request and everything that came back for it. Its fields are
// complete once the session is closed; before that use the methods.
type Exchange struct {
	Kind    Kind
	Origin  Origin
	Heading string // what the scenario was doing: the step that began it
	Hidden  bool   // made by the runner for its own bookkeeping, left out of transcripts
	Stream  string // the stream's id
	Removed bool   // chunks of the stream had been removed before this reader attached

	Method  string
	Path    string // path and query as sent
	Request []Header
	Body    []byte // request body

	mu       sync.Mutex
	status   int // 0 until the head came
	proto    string
	response []Header
	answer   []byte // body of a unary answer
	frames   []*wire.Frame
	comments []time.Time
	end      End
	err      error // why there is no answer, or why the body broke
	began    time.Time
	over     time.Time     // when the body ended, or no answer could come any more
	changed  chan struct{} // closed and replaced at each change
}

func newExchange(kind Kind) *Exchange {
	return &Exchange{Kind: kind, began: time.Now(), changed: make(chan struct{})}
}

// update changes the exchange and wakes everyone who waits for it.
func (e *Exchange) update(f func()) {
	e.mu.Lock()
	f()
	close(e.changed)
	e.changed = make(chan struct{})
	e.mu.Unlock()
}

// View is what an exchange holds at one moment.
type View struct {
	Status   int
	Proto    string
	Response []Header
	Answer   []byte
	Frames   []*wire.Frame
	Comments []time.Time
	End      End
	Err      error
	Took     time.Duration // until the end; 0 while it is open
}

// Now returns what has come back so far.
func (e *Exchange) Now() View {
	v, _ := e.watch()
	return v
}

// watch returns the present view and a channel that is closed when it is out of
// date.
func (e *Exchange) watch() (View, <-chan struct{}) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var took time.Duration
	if e.end != Open {
		took = e.over.Sub(e.began)
	}
	return View{
		Took: took, Status: e.status, Proto: e.proto, Response: e.response, Answer: e.answer,
		Frames: e.frames[:len(e.frames):len(e.frames)], Comments: e.comments[:len(e.comments):len(e.comments)],
		End: e.end, Err: e.err,
	}, e.changed
}

// Get returns the first value of a response header, "" when there is none.
func (v View) Get(name string) string {
	for _, h := range v.Response {
		if h.Name == name {
			return h.Value
		}
	}
	return ""
}

// HeaderMap returns the response headers by lower-case name.
func (v View) HeaderMap() map[string][]string {
	m := map[string][]string{}
	for _, h := range v.Response {
		m[h.Name] = append(m[h.Name], h.Value)
	}
	return m
}

// IsEventStream reports whether the answer's media type is text/event-stream.
func (v View) IsEventStream() bool {
	media, _, _ := strings.Cut(v.Get("content-type"), ";")
	return strings.EqualFold(strings.TrimSpace(media), "text/event-stream")
}

// Cursor returns the cursor that the request carried, as it was sent: the header
// before the query.
func (e *Exchange) Cursor() (string, bool) {
	for _, h := range e.Request {
		if h.Name == "last-event-id" {
			return h.Value, true
		}
	}
	_, query, _ := strings.Cut(e.Path, "?")
	for _, kv := range strings.Split(query, "&") {
		if v, ok := strings.CutPrefix(kv, "fromSequence="); ok {
			return v, true
		}
	}
	return "", false
}

func sortedHeaders(m map[string][]string) []Header {
	var out []Header
	for name, values := range m {
		for _, v := range values {
			out = append(out, Header{strings.ToLower(name), v})
		}
	}
	slices.SortStableFunc(out, func(a, b Header) int { return strings.Compare(a.Name, b.Name) })
	return out
}
