package alter

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Around wraps the handler of a server.
type Around = func(http.Handler) http.Handler

// Response is a ResponseWriter that does some things differently; each function may be nil.
type Response struct {
	http.ResponseWriter
	StreamOnly bool // the functions are for event streams; other responses pass unchanged

	Head    func(status int) int                        // before the head is sent; returns the status to send
	Body    func(written []byte) []byte                 // returns the bytes to write instead
	Send    func(w http.ResponseWriter, p []byte) error // called instead of a write; Body isn't called then
	OnFlush func(flush func() error) error              // called instead of a flush

	sent   bool
	stream bool // the head is that of an event stream, before Head changes it
}

// IsStream reports whether a head is that of an event stream.
func IsStream(status int, h http.Header) bool {
	return status == http.StatusOK && strings.HasPrefix(h.Get("Content-Type"), "text/event-stream")
}

// Stream reports whether the server has sent the head of an event stream.
func (w *Response) Stream() bool { return w.stream }

func (w *Response) active() bool { return w.stream || !w.StreamOnly }

// WriteHeader implements http.ResponseWriter.
func (w *Response) WriteHeader(status int) {
	if !w.sent {
		w.sent, w.stream = true, IsStream(status, w.Header())
		if w.Head != nil && w.active() {
			status = w.Head(status)
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter; the head goes out first.
func (w *Response) Write(p []byte) (int, error) {
	if !w.sent {
		w.WriteHeader(http.StatusOK)
	}
	var err error
	switch {
	case w.Send != nil && w.active():
		err = w.Send(w.ResponseWriter, p)
	case w.Body != nil && w.active():
		_, err = w.ResponseWriter.Write(w.Body(slices.Clone(p)))
	default:
		return w.ResponseWriter.Write(p)
	}
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// FlushError is the method by which a ResponseController flushes.
func (w *Response) FlushError() error {
	flush := http.NewResponseController(w.ResponseWriter).Flush
	if w.OnFlush != nil && w.active() {
		return w.OnFlush(flush)
	}
	return flush()
}

// Unwrap lets a ResponseController reach the deadlines of the connection.
func (w *Response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Replace sends another content type and body. It returns the status, for Head to return in its turn.
func (w *Response) Replace(status int, contentType, body string) int {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.Send = func(inner http.ResponseWriter, _ []byte) error {
		_, err := inner.Write([]byte(body))
		return err
	}
	return status
}

// OnRequests handles the requests that of matches; all others pass untouched.
func OnRequests(of func(*http.Request) bool, serve func(next http.Handler, w http.ResponseWriter, r *http.Request)) Around {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if of(r) {
				serve(next, w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// EchoesHeaders adds the headers of a request to its refusal with 400, unless it is a control call.
func EchoesHeaders() Around {
	return OnRequests(func(r *http.Request) bool { return !IsControl(r) }, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		var headers bytes.Buffer
		_ = r.Header.Write(&headers) // a buffer takes everything
		next.ServeHTTP(&Response{ResponseWriter: w, Head: func(status int) int {
			if status == http.StatusBadRequest {
				w.Header().Set("X-Request", strconv.Quote(headers.String()))
			}
			return status
		}}, r)
	})
}

// LeftOpen keeps the streams that answer the requests that of matches open after their end, until the client leaves.
func LeftOpen(of func(*http.Request) bool) Around {
	return OnRequests(of, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		changed := &Response{ResponseWriter: w}
		next.ServeHTTP(changed, r)
		if changed.Stream() {
			<-r.Context().Done()
		}
	})
}

// SetBody replaces the body of a request.
func SetBody(r *http.Request, body []byte) {
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
}

// OnResponses changes the responses to requests that of matches. begin is called once for each request.
func OnResponses(of func(*http.Request) bool, begin func(w *Response, r *http.Request)) Around {
	return OnRequests(of, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		changed := &Response{ResponseWriter: w}
		begin(changed, r)
		next.ServeHTTP(changed, r)
	})
}

// Any matches every request.
func Any(*http.Request) bool { return true }

// IsControl reports whether a request is a control call.
func IsControl(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/control/") }
