package target

import (
	"context"
	"net/http"

	"github.com/streamcert/streamcert/runner/record"
)

// controlHeader carries the token of control calls.
const controlHeader = "X-Streamcert-Control"

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

// control makes a control call, with the token of the config; path is relative to the control prefix.
func (s *Session) control(ctx context.Context, e *Exchange, method, path string, body []byte) error {
	headers := map[string]string{}
	if body != nil {
		headers["Content-Type"] = "application/json"
	}
	if s.target.controlToken != "" {
		headers[controlHeader] = s.target.controlToken
	}
	return unary{exchange: e, session: s, headers: headers, body: body}.send(ctx, method, s.target.controlPath(path))
}
