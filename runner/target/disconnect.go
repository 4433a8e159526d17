package target

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
)

// ErrDisconnected ends a body that we have read enough of.
var ErrDisconnected = errors.New("the client closed the connection")

// cutter ends a body after a number of bytes.
type cutter struct {
	src        io.Reader // the body
	left       int64     // bytes until it ends; never negative
	disconnect func()    // closes the connection; called once left is 0
}

func (c *cutter) Read(p []byte) (int, error) {
	if c.left == 0 {
		c.disconnect()
		return 0, ErrDisconnected
	}
	n, err := c.src.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}

// dispatch is the progress of a reader's request.
type dispatch struct {
	sent   chan struct{} // closed when the request was sent, or failed before
	once   sync.Once     // of closing sent
	reused atomic.Bool   // the request went over a connection of an earlier one
}

// traced returns the request with a note of when it was sent.
func (d *dispatch) traced(req *http.Request) *http.Request {
	return req.WithContext(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		GotConn:      func(c httptrace.GotConnInfo) { d.reused.Store(c.Reused) },
		WroteRequest: func(httptrace.WroteRequestInfo) { d.wrote() },
	}))
}

// Reused reports whether the request went over an idle connection. If no response came on one, it is unknown whether the
// server had closed the connection before.
func (d *dispatch) Reused() bool { return d.reused.Load() }

// wrote notes that the request is on its way, or won't be.
func (d *dispatch) wrote() { d.once.Do(func() { close(d.sent) }) }

// Sent waits until the request is on its way to the server, or failed before.
func (d *dispatch) Sent() { <-d.sent }
