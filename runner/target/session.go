package target

import (
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

	"github.com/streamcert/streamcert/runner/record"
)

// Session is the part of a run that one scenario owns: its streams, its
// connections and its record.
type Session struct {
	target  *Target
	caller  context.Context // outlives ctx, for tidying up
	ctx     context.Context
	cancel  context.CancelFunc
	budget  atomic.Int64 // bytes that may still be kept
	turn    turn
	lost    atomic.Bool  // a call met a connection that the server was closing
	killed  atomic.Bool  // the server was killed, and calls in flight with it
	replica atomic.Int32 // that is asked now, counted from 0
	// modelled and scripted: the server was provoked by its model, and by the control binding.
	modelled, scripted atomic.Bool
	parent             *Session // in whose context this one began; nil for none

	mu        sync.Mutex
	exchanges []*Exchange
	readers   []*Reader
	streams   []string
	names     []Name
	epoch     int64             // 0 until it is asked for
	removed   map[string]bool   // streams of which chunks were removed
	given     map[string][]byte // states that streams were given before anything was written
	refusal   []int             // statuses with which the scenario has the server refuse what it asks now
	scripts   []string          // that the model plays
	played    map[*Exchange]string
	dead      []int       // replicas that the session has killed
	timer     *time.Timer // ends the session
	began     time.Time
	until     time.Time // when it does
}

// Session begins one. The context ends every wait and every connection of it,
// and so does the time that a scenario may take.
func (t *Target) Session(caller context.Context) *Session {
	ctx, end := context.WithCancelCause(caller)
	s := &Session{target: t, caller: caller, ctx: ctx, cancel: func() { end(context.Canceled) }, removed: map[string]bool{}, given: map[string][]byte{}, turn: turn{asking: make(chan struct{}, 1)}}
	s.parent, _ = caller.Value(ofSession{}).(*Session)
	s.ctx = context.WithValue(ctx, ofSession{}, s)
	s.began = time.Now()
	s.until = s.began.Add(t.timing.Scenario)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer = time.AfterFunc(t.timing.Scenario, func() {
		if !s.goesOn() {
			end(errScenario)
		}
	})
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

// kept is how many bytes the scenario keeps.
func (s *Session) kept() int64 { return s.target.cfg.Limits.Scenario - s.budget.Load() }

// Full reports whether the server has sent more than the scenario keeps, so that what came last isn't all that was sent.
func (s *Session) Full() bool { return s.budget.Load() < 0 }

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
	if s.replica.Load() > 0 && e.Base == "" {
		e.Base = s.base()
	}
	s.mu.Lock()
	s.exchanges = append(s.exchanges, e)
	s.mu.Unlock()
}

// Given notes the state that a new stream was given, as JSON: what its root agent's patches apply to.
func (s *Session) Given(stream string, state []byte) {
	s.mu.Lock()
	s.given[stream] = state
	s.mu.Unlock()
}

func (s *Session) addReader(r *Reader) {
	s.mu.Lock()
	s.readers = append(s.readers, r)
	s.mu.Unlock()
}

func (s *Session) waited(kind waitKind, d time.Duration) {
	s.target.patience.succeeded(kind, d)
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
	if s.target.Model() != nil {
		s.forgetScripts()
	}
	// What doesn't come back is missed by whoever asks it next.
	_ = s.revive()
	s.replica.Store(0)
	for _, id := range s.Streams() {
		if !s.target.Scripts() {
			break
		}
		e := s.newExchange(record.Control)
		e.Hidden = true
		// A server that can't delete keeps the stream; ids are never reused.
		_ = s.call(s.caller, e, http.MethodDelete, s.target.controlPath("/streams/"+EscapeSegment(id)), nil, nil)
	}
	s.timer.Stop()
	s.cancel()
	if !s.turn.held.Load() {
		s.yield()
	}
}

// DocumentRequest says of which stream StreamInfo is asked for, and how.
type DocumentRequest struct {
	Route    Route
	Stream   string
	Heading  string
	Hidden   bool
	Headers  map[string]string
	LeaveOut []string
	// Control: Route is below the control prefix, and the token of control calls goes with the request. What it
	// answers is judged all the same.
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
	if r.Control {
		path = s.target.controlPath(path)
		s.byControl()
		if token := s.target.cfg.ControlToken; token != "" {
			headers[controlHeader] = token
		}
	}
	return e, s.callWith(s.ctx, e, http.MethodGet, path, headers, nil, leave)
}

func (t *Target) controlPath(path string) string { return t.Path(ControlPrefix()) + path }

// Call makes a control call. path is relative to the control prefix and must be
// escaped already. The error is an *UnavailableError when the server has no such
// route (404, 405 or 501 and not allow404), and otherwise says that no answer
// came.
func (s *Session) Call(method, path string, body []byte, allow404 bool) (*Exchange, error) {
	return s.CallAt(0, method, path, body, allow404)
}

// CallAt is Call at a replica, counted from 1; 0 is the one that is asked now.
func (s *Session) CallAt(replica int, method, path string, body []byte, allow404 bool) (*Exchange, error) {
	e := s.newExchange(record.Control)
	ctx := s.at(replica)
	if replica > 0 {
		e.Base = s.baseOf(ctx)
	}
	if !s.target.Scripts() {
		return e, unasked(method + " " + s.template(path))
	}
	s.add(e)
	s.byControl()
	headers := map[string]string{}
	if body != nil {
		headers["Content-Type"] = "application/json"
	}
	if err := s.call(ctx, e, method, s.target.controlPath(path), headers, body); err != nil {
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

// controlHeader carries the token of control calls.
const controlHeader = "X-Streamcert-Control"

func (s *Session) call(ctx context.Context, e *Exchange, method, path string, headers map[string]string, body []byte) error {
	if headers == nil {
		headers = map[string]string{}
	}
	if s.target.cfg.ControlToken != "" {
		headers[controlHeader] = s.target.cfg.ControlToken
	}
	return s.callWith(ctx, e, method, path, headers, body, nil)
}

func (s *Session) callWith(ctx context.Context, e *Exchange, method, path string, headers map[string]string, body []byte, leave map[string]bool) error {
	waited, err := s.target.admit(ctx)
	s.extend(waited)
	if err != nil {
		return s.noAnswer(e, err, waited)
	}
	kind := ofAnswer(e.Kind)
	within := s.target.patience.limit(kind)
	large := len(body) >= 1<<20
	if large { // it needs time to be sent, and to be read on the other side
		within = s.target.timing.Deadline + time.Duration(len(body)>>20)*250*time.Millisecond
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := s.alarm(kind, within, func() { cancel(context.DeadlineExceeded) })
	defer timer.stop()
	req, err := s.request(ctx, method, path, headers, body)
	if err != nil {
		return err
	}
	s.target.sign(req, leave)
	e.Method, e.Path, e.Header, e.Body = method, req.URL.RequestURI(), sortedHeaders(req.Header), body
	fail := func(err error) error {
		if context.Cause(ctx) == context.DeadlineExceeded { // HTTP/2 doesn't say so
			err = context.DeadlineExceeded
		}
		return s.noAnswer(e, err, timer.given())
	}
	send, hungUp, done := s.courier(large)
	defer done()
	began := time.Now()
	res, err := send(req)
	if err == nil {
		held := func(d time.Duration) {
			timer.hold(d)
			began = time.Now().Add(d)
		}
		res, err = s.again(e, res, req, held, send)
	}
	if err != nil {
		hungUp(err)
		return fail(err)
	}
	defer res.Body.Close()
	answer, err := s.answer(res.Body)
	e.update(func(came *record.Response) {
		came.Status, came.Proto, came.Header, came.Answer = res.StatusCode, res.Proto, sortedHeaders(res.Header), answer
		e.over(record.ServerClose)
	})
	if err != nil {
		return fail(err)
	}
	if !large {
		s.waited(kind, time.Since(began))
	}
	return nil
}

// noAnswer records why no whole answer came within a time.
func (s *Session) noAnswer(e *Exchange, err error, within time.Duration) error {
	var repeated *url.Error // it says the method and the address once more
	if errors.As(err, &repeated) {
		err = repeated.Err
	}
	switch {
	case context.Cause(s.ctx) == errScenario:
		err = &TimeoutError{"the answer to " + e.Method + " " + e.Path, s.target.timing.Scenario}
	case errors.Is(err, context.DeadlineExceeded):
		s.target.patience.exhausted(ofAnswer(e.Kind))
		err = &TimeoutError{"the answer to " + e.Method + " " + e.Path, within}
	}
	e.update(func(came *record.Response) {
		came.Err, came.End = err, record.Open // an answer that was too large had an end of its own
		e.over(record.Broken)
	})
	return fmt.Errorf("%s %s: %w", e.Method, e.Path, err)
}
