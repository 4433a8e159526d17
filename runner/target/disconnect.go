package target

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"slices"

	"github.com/streamcert/streamcert/runner/record"
)

// ErrDisconnected ends a body that we have read enough of.
var ErrDisconnected = errors.New("the client closed the connection")

// cutter ends a body after a number of bytes.
type cutter struct {
	src        io.Reader
	left       int64
	disconnect func()
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

// cutting returns the body up to the requested disconnect. The connection is closed there, and the incomplete
// frame is dropped, as a client drops it.
func (r *Reader) cutting(body io.Reader) io.Reader {
	if r.disconnectAt <= 0 {
		return body
	}
	return &cutter{src: body, left: r.disconnectAt, disconnect: func() { r.update(func(*record.Response) { r.over(record.ClientClose) }) }}
}

// Forget removes an ended reader from the record, to save memory when a scenario cuts thousands of connections.
func (s *Session) Forget(r *Reader) {
	r.Disconnect()
	s.ForgetCall(r.Exchange)
	s.dropReader(r)
	s.credit(r.Now().Frames)
}

// ForgetTaken removes the frames that Next has returned from the reader's record, except the last few: a response may be
// longer than the memory for it.
func (r *Reader) ForgetTaken() {
	const few = 4
	n := r.next - few
	if n <= 0 {
		return
	}
	r.next = few
	r.update(func(came *record.Response) {
		r.session.credit(came.Frames[:n])
		came.Frames = slices.Clone(came.Frames[n:])
	})
}

// traced returns the request with a note of when it was sent.
func (r *Reader) traced(req *http.Request) *http.Request {
	return req.WithContext(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		GotConn:      func(c httptrace.GotConnInfo) { r.reused.Store(c.Reused) },
		WroteRequest: func(httptrace.WroteRequestInfo) { r.wrote() },
	}))
}

// Reused reports whether the request went over an idle connection. If no response came on one, it is unknown whether the
// server had closed the connection before.
func (r *Reader) Reused() bool { return r.reused.Load() }

// wrote notes that the request is on its way, or won't be.
func (r *Reader) wrote() { r.once.Do(func() { close(r.sent) }) }

// Sent waits until the request is on its way to the server, or failed before.
func (r *Reader) Sent() { <-r.sent }
