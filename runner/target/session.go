package target

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/streamcert/streamcert/runner/record"
)

// Session is the part of a run that one scenario owns: its streams, its
// connections and its record.
type Session struct {
	target *Target
	caller context.Context // outlives ctx, for tidying up
	ctx    context.Context
	cancel context.CancelFunc
	killed atomic.Bool // the server was killed, and calls in flight with it

	book
	belongings
	budget
	deadline
	provocation
	address
	turn

	mu      sync.Mutex
	refusal []int // statuses that the scenario currently provokes
	dead    []int // replicas that the session has killed
}

// Session begins one. The context ends every wait and every connection of it,
// and so does the time that a scenario may take.
func (t *Target) Session(caller context.Context) *Session {
	ctx, end := context.WithCancelCause(caller)
	s := &Session{target: t, caller: caller, cancel: func() { end(context.Canceled) }}
	if parent, ok := caller.Value(ofSession{}).(*Session); ok {
		s.parent = &parent.provocation
	}
	s.ctx = context.WithValue(ctx, ofSession{}, s)
	s.belongings.target, s.removed, s.given = t, map[string]bool{}, map[string][]byte{}
	s.limits = t.cfg.Limits
	s.provocation.target = t
	s.address.target, s.address.ctx = t, s.ctx
	s.turn.bulky, s.asking = t.bulky, make(chan struct{}, 1)
	s.deadline.target, s.deadline.ctx = t, s.ctx
	s.start(end)
	return s
}

// Target returns the server that the session talks to.
func (s *Session) Target() *Target { return s.target }

// Context ends when the session does.
func (s *Session) Context() context.Context { return s.ctx }

func (s *Session) add(e *Exchange) {
	if s.replica.Load() > 0 && e.Base == "" {
		e.Base = s.base()
	}
	s.enter(e)
}

// Close cuts every reader and deletes the session's streams where the server
// lets us. The record stays readable.
func (s *Session) Close() {
	for _, r := range s.attached() {
		r.Disconnect()
	}
	if s.target.Model() != nil {
		s.forgetScripts()
	}
	// The next request to a replica that doesn't come back fails.
	_ = s.revive()
	s.replica.Store(0)
	for _, id := range s.Streams() {
		if !s.target.Scripts() {
			break
		}
		e := s.newExchange(record.Control)
		e.Hidden = true
		// A server that can't delete keeps the stream; ids are never reused.
		_ = s.control(s.caller, e, http.MethodDelete, "/streams/"+EscapeSegment(id), nil)
	}
	s.stop()
	s.cancel()
	if !s.callerReleases.Load() {
		s.yield()
	}
}

// DocumentRequest describes a request for a document, such as StreamInfo.
type DocumentRequest struct {
	Route    Route
	Stream   string
	Query    string // behind the path, escaped; "" for none
	Heading  string
	Hidden   bool
	Headers  map[string]string
	LeaveOut []string
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
		if token := s.target.cfg.ControlToken; token != "" {
			headers[controlHeader] = token
		}
	}
	return e, unary{e, s, headers, nil, leave}.send(s.ctx, http.MethodGet, path)
}

func (t *Target) controlPath(path string) string { return t.Path(ControlPrefix()) + path }

// Call makes a control call. path is relative to the control prefix and escaped. The error is an *UnavailableError if the
// server has no such route (404, 405 or 501 and not allow404); otherwise it reports that no answer came.
func (s *Session) Call(method, path string, body []byte, allow404 bool) (*Exchange, error) {
	return s.CallAt(0, method, path, body, allow404)
}

// CallAt is Call at a replica, counted from 1; 0 is the current one.
func (s *Session) CallAt(replica int, method, path string, body []byte, allow404 bool) (*Exchange, error) {
	e := s.newExchange(record.Control)
	ctx := s.at(replica)
	if replica > 0 {
		e.Base = s.baseOf(ctx)
	}
	if !s.target.Scripts() {
		return e, unasked(method + " " + s.target.template(path))
	}
	s.add(e)
	s.byControl()
	if err := s.control(ctx, e, method, path, body); err != nil {
		return e, err
	}
	switch st := e.Now().Status; {
	case st == http.StatusNotFound && !allow404, st == http.StatusMethodNotAllowed, st == http.StatusNotImplemented:
		return e, &UnavailableError{Call: method + " " + s.target.template(path), Status: st}
	}
	return e, nil
}

// controlHeader carries the token of control calls.
const controlHeader = "X-Streamcert-Control"

// control makes a control call, with the token of the config; path is relative to the control prefix.
func (s *Session) control(ctx context.Context, e *Exchange, method, path string, body []byte) error {
	headers := map[string]string{}
	if body != nil {
		headers["Content-Type"] = "application/json"
	}
	if s.target.cfg.ControlToken != "" {
		headers[controlHeader] = s.target.cfg.ControlToken
	}
	return unary{Exchange: e, session: s, headers: headers, body: body}.send(ctx, method, s.target.controlPath(path))
}

// template makes a path readable again: the ids become their names.
func (t *Target) template(path string) string {
	parts := strings.Split(t.controlPath(path), "/")
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
