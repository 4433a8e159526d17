package target

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Session is the part of a run that one scenario owns: its streams, its
// connections and its record.
type Session struct {
	target *Target
	caller context.Context // outlives ctx, for tidying up
	ctx    context.Context
	cancel context.CancelFunc
	budget atomic.Int64 // bytes that may still be kept

	mu        sync.Mutex
	exchanges []*Exchange
	readers   []*Reader
	streams   []string
	names     []string
	waits     []time.Duration
	removed   map[string]bool // streams of which chunks were removed
}

// Session begins one. The context ends every wait and every connection of it,
// and so does the time that a scenario may take.
func (t *Target) Session(caller context.Context) *Session {
	ctx, cancel := context.WithTimeoutCause(caller, t.timing.Scenario, errScenario)
	s := &Session{target: t, caller: caller, ctx: ctx, cancel: cancel, removed: map[string]bool{}}
	s.budget.Store(t.cfg.Limits.Scenario)
	return s
}

// errScenario ends a scenario in which something always came just in time.
var errScenario = errors.New("the scenario took too long")

// ended says why the session's context is done.
func (s *Session) ended(awaited string) error {
	if context.Cause(s.ctx) == errScenario {
		return &TimeoutError{awaited, s.target.timing.Scenario}
	}
	return s.ctx.Err()
}

// keep charges n bytes that are about to be kept to the scenario. The error is a
// *LimitError.
func (s *Session) keep(n int) error {
	if s.budget.Add(-int64(n)) < 0 {
		return &LimitError{"what the server sent in one scenario", s.target.cfg.Limits.Scenario}
	}
	return nil
}

// answer reads the body of a unary answer. It returns what fits the limit, with
// a *LimitError if there was more.
func (s *Session) answer(body io.Reader) ([]byte, error) {
	limit := s.target.cfg.Limits.Answer
	b, err := io.ReadAll(io.LimitReader(body, limit+1))
	if int64(len(b)) > limit {
		b, err = b[:limit], &LimitError{"the answer", limit}
	}
	if spent := s.keep(len(b)); spent != nil {
		return nil, spent
	}
	return b, err
}

// Target is the server that the session talks to.
func (s *Session) Target() *Target { return s.target }

// Context ends when the session does.
func (s *Session) Context() context.Context { return s.ctx }

// NewStream coins the id of a stream that only this session uses.
func (s *Session) NewStream() string { return s.Owns(s.target.name()) }

// NewName coins a name that nothing has, not even a stream of this session.
func (s *Session) NewName() string {
	name := s.target.name()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names = append(s.names, name)
	return name
}

// Names are those that nothing has, in the order of their coining.
func (s *Session) Names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.names)
}

// Owns registers a stream id, so that the stream is deleted at the end.
func (s *Session) Owns(id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.streams, id) {
		s.streams = append(s.streams, id)
	}
	return id
}

// Streams are the ids that this session owns, in the order of their making.
func (s *Session) Streams() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.streams)
}

func (s *Session) add(e *Exchange) {
	s.mu.Lock()
	s.exchanges = append(s.exchanges, e)
	s.mu.Unlock()
}

// Removed notes that chunks of a stream were removed: what a reader that
// attaches from now on is sent needn't end at the latest sequence.
func (s *Session) Removed(stream string) {
	s.mu.Lock()
	s.removed[stream] = true
	s.mu.Unlock()
}

func (s *Session) addReader(r *Reader) {
	s.mu.Lock()
	s.readers = append(s.readers, r)
	s.mu.Unlock()
}

func (s *Session) waited(d time.Duration) {
	s.mu.Lock()
	s.waits = append(s.waits, d)
	s.mu.Unlock()
}

// Waits are the times that each successful wait took.
func (s *Session) Waits() []time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.waits)
}

// Exchanges is the record so far, in the order in which the exchanges began.
func (s *Session) Exchanges() []*Exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.exchanges)
}

// Close cuts every reader and deletes the session's streams where the server
// lets us. The record stays readable.
func (s *Session) Close() {
	s.mu.Lock()
	readers := slices.Clone(s.readers)
	s.mu.Unlock()
	for _, r := range readers {
		r.Cut()
	}
	for _, id := range s.Streams() {
		e := newExchange(Control)
		e.Hidden = true
		// A server that can't delete keeps the stream; ids are never reused.
		_ = s.call(s.caller, e, http.MethodDelete, s.target.controlPath("/streams/"+EscapeSegment(id)), nil, nil)
	}
	s.cancel()
}

// DocumentRequest says of which stream StreamInfo is asked for, and how.
type DocumentRequest struct {
	Stream   string
	Heading  string
	Hidden   bool
	Headers  map[string]string
	LeaveOut []string
}

// Document reads StreamInfo. An error means that no answer came.
func (s *Session) Document(r DocumentRequest) (*Exchange, error) {
	e := newExchange(Document)
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
	return e, s.callWith(s.ctx, e, http.MethodGet, s.target.path(s.target.cfg.Routes.Info, r.Stream), headers, nil, leave)
}

func (t *Target) controlPath(path string) string { return t.cfg.Routes.Control + path }

// Call makes a control call. path is relative to the control prefix and must be
// escaped already. The error is an *UnavailableError when the server has no such
// route (404, 405 or 501 and not allow404), and otherwise says that no answer
// came.
func (s *Session) Call(method, path string, body []byte, allow404 bool) (*Exchange, error) {
	e := newExchange(Control)
	s.add(e)
	headers := map[string]string{}
	if body != nil {
		headers["Content-Type"] = "application/json"
	}
	if err := s.call(s.ctx, e, method, s.target.controlPath(path), headers, body); err != nil {
		return e, err
	}
	switch st := e.Now().Status; {
	case st == http.StatusNotFound && !allow404, st == http.StatusMethodNotAllowed, st == http.StatusNotImplemented:
		return e, &UnavailableError{Call: method + " " + s.template(path), Status: st}
	}
	return e, nil
}

// template makes a path readable again: the ids become their names.
func (s *Session) template(path string) string {
	parts := strings.Split(s.target.controlPath(path), "/")
	for i := 1; i < len(parts); i++ {
		switch parts[i-1] {
		case "streams":
			parts[i] = "{stream}"
		case "writers":
			parts[i] = "{writer}"
		case "runs":
			parts[i] = "{run}"
		}
	}
	return strings.Join(parts, "/")
}

func (s *Session) call(ctx context.Context, e *Exchange, method, path string, headers map[string]string, body []byte) error {
	if headers == nil {
		headers = map[string]string{}
	}
	if s.target.cfg.ControlToken != "" {
		headers["X-Streamcert-Control"] = s.target.cfg.ControlToken
	}
	return s.callWith(ctx, e, method, path, headers, body, nil)
}

func (s *Session) callWith(ctx context.Context, e *Exchange, method, path string, headers map[string]string, body []byte, leave map[string]bool) error {
	// A large body needs time to be sent, and to be read on the other side.
	ctx, cancel := context.WithTimeout(ctx, s.target.timing.Deadline+time.Duration(len(body)>>20)*250*time.Millisecond)
	defer cancel()
	var rd io.Reader
	if body != nil {
		rd = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, s.target.base+path, rd)
	if err != nil {
		return fmt.Errorf("making the request %s %s: %w", method, path, err)
	}
	for k, v := range headers {
		req.Header.Set(k, v)
	}
	s.target.sign(req, leave)
	e.Method, e.Path, e.Request, e.Body = method, req.URL.RequestURI(), sortedHeaders(req.Header), body
	began := time.Now()
	res, err := s.target.unary.Do(req)
	if err != nil {
		return s.noAnswer(e, err)
	}
	defer res.Body.Close()
	answer, err := s.answer(res.Body)
	e.update(func() {
		e.status, e.proto, e.response, e.answer, e.end = res.StatusCode, res.Proto, sortedHeaders(res.Header), answer, ServerClose
		e.over = time.Now()
	})
	if err != nil {
		return s.noAnswer(e, err)
	}
	s.waited(time.Since(began))
	return nil
}

// noAnswer records why no whole answer came.
func (s *Session) noAnswer(e *Exchange, err error) error {
	var repeated *url.Error // it says the method and the address once more
	if errors.As(err, &repeated) {
		err = repeated.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = &TimeoutError{"the answer to " + e.Method + " " + e.Path, s.target.timing.Deadline}
	}
	e.update(func() { e.err, e.end, e.over = err, Broken, time.Now() })
	return fmt.Errorf("%s %s: %w", e.Method, e.Path, err)
}
