package target

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/streamcert/streamcert/runner/httpclient"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target/connection"
)

// unary is a request that is answered with a document, and the exchange that records it.
type unary struct {
	exchange *Exchange // complete before the request is sent
	session  *Session
	headers  map[string]string // in addition to those of the config
	body     []byte            // nil is none
	leave    map[string]bool   // headers of the config that don't go along, in lower case
}

// send makes the request and reads its answer. The error explains why there is none.
func (u unary) send(ctx context.Context, method, path string) error {
	s := u.session
	waited, err := s.target.admit(ctx)
	s.extend(waited)
	if err != nil {
		return u.failed(err, waited)
	}
	s.target.open.Add(1)
	defer s.target.open.Add(-1)
	kind := ofAnswer(u.exchange.Kind)
	within := s.target.limit(kind)
	large := len(u.body) >= 1<<20
	if large { // it needs time to be sent, and to be read on the other side
		within = s.target.timing.Deadline + time.Duration(len(u.body)>>20)*250*time.Millisecond
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := s.alarm(kind, within, func() { cancel(context.DeadlineExceeded) })
	defer timer.stop()
	req, err := u.request(ctx, method, path)
	if err != nil {
		return err
	}
	u.exchange.asks(req)
	u.exchange.Body = u.body
	fail := func(err error) error {
		if context.Cause(ctx) == context.DeadlineExceeded { // HTTP/2 doesn't say so
			err = context.DeadlineExceeded
		}
		return u.failed(err, timer.given())
	}
	send, hungUp, done := u.courier(large)
	defer done()
	began := time.Now()
	res, err := send(req)
	if err == nil {
		onWait := func(d time.Duration) {
			timer.hold(d)
			began = time.Now().Add(d)
		}
		res, err = s.again(u.exchange, res, req, onWait, send)
	}
	if err != nil {
		hungUp(err)
		return fail(err)
	}
	defer res.Body.Close()
	answer, err := s.answer(res.Body)
	u.exchange.update(func(came *record.Response) {
		came.Status, came.Proto, came.Header, came.Answer = res.StatusCode, res.Proto, s.target.storedHeaders(res.Header), answer
		u.exchange.over(record.ServerClose)
	})
	if err != nil {
		return fail(err)
	}
	if !large {
		s.target.succeeded(kind, time.Since(began))
	}
	return nil
}

// request makes the request of net/http.
func (u unary) request(ctx context.Context, method, path string) (*http.Request, error) {
	var rd io.Reader
	if u.body != nil {
		rd = bytes.NewReader(u.body)
	}
	req, err := http.NewRequestWithContext(ctx, method, u.session.baseOf(ctx)+path, rd)
	if err != nil {
		return nil, fmt.Errorf("making the request %s %s: %w", method, path, err)
	}
	for k, v := range u.headers {
		req.Header.Set(k, v)
	}
	u.session.target.sign(req, u.leave)
	return req, nil
}

// failed records why no complete answer came within a time.
func (u unary) failed(err error, within time.Duration) error {
	u.session.broken(err)
	var repeated *url.Error // it says the method and the address once more
	if errors.As(err, &repeated) {
		err = repeated.Err
	}
	switch {
	case context.Cause(u.session.ctx) == ErrScenario:
		err = &TimeoutError{Awaited: "the answer to " + u.exchange.Method + " " + u.exchange.Path, After: u.session.target.timing.Scenario}
	case errors.Is(err, context.DeadlineExceeded):
		u.session.target.exhausted(ofAnswer(u.exchange.Kind))
		err = &TimeoutError{"the answer to " + u.exchange.Method + " " + u.exchange.Path, within, u.session.target.concurrentRequests()}
	}
	u.exchange.update(func(came *record.Response) {
		came.Err, came.End = err, record.Open // an answer above the limit has recorded its end
		u.exchange.over(record.Broken)
	})
	return fmt.Errorf("%s %s: %w", u.exchange.Method, u.exchange.Path, err)
}

// courier returns a function that sends one unary request, one that receives the error with which it failed, and one that
// ends it. alone requests a new connection, which every call uses after one was lost.
func (u unary) courier(alone bool) (send func(*http.Request) (*http.Response, error), failed func(error), done func()) {
	s := u.session
	if alone || s.target.wary.Load() {
		own := &connection.Set{}
		c := httpclient.New(s.target.network.Transport(own, s.target.overHTTP2, 0), httpclient.Options{})
		return c.Do, func(error) {}, own.Abort
	}
	var used, answered atomic.Bool
	trace := &httptrace.ClientTrace{
		GotConn:              func(got httptrace.GotConnInfo) { used.Store(got.Reused) },
		GotFirstResponseByte: func() { answered.Store(true) },
	}
	send = func(req *http.Request) (*http.Response, error) {
		return s.target.unary.Do(req.WithContext(httptrace.WithClientTrace(req.Context(), trace)))
	}
	failed = func(err error) {
		// A connection that was made for another call, and never used, doesn't count as one that is used again. Of a server
		// that was killed every connection breaks.
		if idledOut(err) || !s.killed.Load() && used.Load() && !answered.Load() && HungUp(err) {
			s.target.wary.Store(true)
			for of := range s.outwards() { // a scenario of campaigns calls in sessions of their own
				of.lost.Store(true)
			}
		}
	}
	return send, failed, func() {}
}
