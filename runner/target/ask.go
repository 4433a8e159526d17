package target

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"
)

// User says with whose credential a request is made.
type User int

// The users.
const (
	First      User = iota // the config's headers
	Other                  // aep.other
	Limited                // aep.limited
	Nobody                 // without any credential
	WrongToken             // with another credential in the place of the right one
)

// AskRequest is a request whose answer is a stream.
type AskRequest struct {
	Body    []byte
	As      User
	Headers map[string]string // beside those of the user
	Heading string
	Hidden  bool
}

// Ask posts a request to the stream route. It returns at once; the answer is
// waited for by Head and Next. It fails only on a request that can't be made.
func (s *Session) Ask(r AskRequest) (*Reader, error) {
	e := newExchange(Read)
	e.Heading, e.Hidden, e.Origin, e.Body = r.Heading, r.Hidden, Produced, r.Body
	ctx, cancel := context.WithCancel(s.ctx)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.target.base+s.target.agentPath(s.target.cfg.Routes.Stream, ""), bytes.NewReader(r.Body))
	if err != nil {
		cancel()
		return nil, fmt.Errorf("making the request to agent %q: %w", s.target.cfg.AEP.Agent, err)
	}
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Accept-Encoding", "identity")
	req.Header.Set("Content-Type", "application/json")
	for name, v := range r.Headers {
		req.Header.Set(name, v)
	}
	s.target.signAs(req, r.As)
	return s.follow(e, req, cancel, false, false), nil
}

// Cancel asks the server to cancel a request. An error means that no answer came.
// The answer isn't certified: the response that ends is.
func (s *Session) Cancel(requestID string, as User) (*Exchange, error) {
	e := newExchange(Control)
	e.Heading = "cancel"
	s.add(e)
	headers := map[string]string{"Content-Type": "application/json"}
	maps.Copy(headers, s.target.headersOf(as))
	leave := map[string]bool{}
	for name := range s.target.cfg.Headers {
		leave[strings.ToLower(name)] = as != First
	}
	path := s.target.agentPath(s.target.cfg.Routes.Cancel, requestID)
	return e, s.callWith(s.ctx, e, http.MethodPost, path, headers, []byte("{}"), leave)
}

// AEP is what the config says for pack aep, defaults filled in.
func (t *Target) AEP() AEP { return t.cfg.AEP }

func (t *Target) agentPath(template, requestID string) string {
	return strings.NewReplacer("{agent}", EscapeSegment(t.cfg.AEP.Agent), "{requestId}", EscapeSegment(requestID)).Replace(template)
}

// signAs adds the headers of a user.
func (t *Target) signAs(req *http.Request, as User) {
	for name, v := range t.headersOf(as) {
		if req.Header.Get(name) == "" {
			req.Header.Set(name, v)
		}
	}
}

func (t *Target) headersOf(as User) map[string]string {
	switch as {
	case Other:
		return t.cfg.AEP.Other
	case Limited:
		return t.cfg.AEP.Limited
	case Nobody:
		return nil
	case WrongToken:
		return wrong(t.cfg.Headers)
	}
	return t.cfg.Headers
}

// wrong puts something that nobody was given in the place of each credential, and
// keeps the scheme before it.
func wrong(headers map[string]string) map[string]string {
	out := map[string]string{}
	for name, v := range headers {
		scheme, _, found := strings.Cut(v, " ")
		out[name] = "nobody-was-given-this"
		if found {
			out[name] = scheme + " " + out[name]
		}
	}
	return out
}

// EndedWithin waits up to d for the end of the body and reports whether it came.
// It doesn't count among the waits that bound others: d is the server's own.
func (r *Reader) EndedWithin(d time.Duration) (View, bool) {
	v, open := r.Silent(d)
	return v, !open
}

// CommentsWithin waits up to d for n comments and returns how many came.
func (r *Reader) CommentsWithin(n int, d time.Duration) int {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		v, changed := r.watch()
		if len(v.Comments) >= n || v.End != Open {
			return len(v.Comments)
		}
		select {
		case <-changed:
		case <-timer.C:
			return len(v.Comments)
		case <-r.session.ctx.Done():
			return len(v.Comments)
		}
	}
}
