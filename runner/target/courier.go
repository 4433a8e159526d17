package target

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"syscall"
)

// HungUp reports whether an error says that the other side closed the connection.
func HungUp(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
		err != nil && strings.Contains(err.Error(), "server closed idle connection") || idledOut(err) // net/http has no names for these
}

// Unreached reports whether an error says that no connection came about.
func Unreached(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// idledOut reports whether an error says that our own side closed the connection because it had been idle.
func idledOut(err error) bool {
	return err != nil && strings.Contains(err.Error(), "idle connection timeout")
}

// Lost reports whether a call met a connection that the server closed because it
// had been idle. Nobody knows whether the server received it, so it isn't sent
// again; the scenario as a whole can be run again, on streams of its own.
func (s *Session) Lost() bool { return s.lost.Load() }

// Wary reports whether a call ever met a connection that the server closed because
// it had been idle. Since then every call has a connection of its own.
func (t *Target) Wary() bool { return t.wary.Load() }

// courier returns what sends one unary request, what is told of the error with
// which it failed, and what ends it. alone asks for a connection of its own, which
// every call gets once one was lost.
func (s *Session) courier(alone bool) (send func(*http.Request) (*http.Response, error), failed func(error), done func()) {
	if alone || s.target.wary.Load() {
		own := &conns{}
		c := http.Client{Transport: s.target.transport(own, s.target.opt.HTTP2, 0), CheckRedirect: noRedirect}
		return c.Do, func(error) {}, own.abort
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
		// A connection that was made for another call, and never used, doesn't count as one that is used again.
		if s.killed.Load() {
			return
		}
		if idledOut(err) || used.Load() && !answered.Load() && HungUp(err) {
			s.target.wary.Store(true)
			for of := range s.outwards() { // a scenario of campaigns calls in sessions of their own
				of.lost.Store(true)
			}
		}
	}
	return send, failed, func() {}
}
