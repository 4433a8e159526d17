package aep

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// around is what a mutant puts around the handler of its server.
type around = func(http.Handler) http.Handler

// onRequest handles requests to agents; control calls pass untouched.
func onRequest(serve func(next http.Handler, w http.ResponseWriter, r *http.Request)) around {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/control/") {
				next.ServeHTTP(w, r)
				return
			}
			serve(next, w, r)
		})
	}
}

// response is a ResponseWriter that does some things differently; each function may be nil.
type response struct {
	http.ResponseWriter
	head  func()                         // before the head of a stream is sent
	body  func(written []byte) []byte    // returns what is written to a stream instead
	flush func(flush func() error) error // called instead of a flush

	stream bool
}

func (w *response) WriteHeader(status int) {
	w.stream = status == http.StatusOK && strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream")
	if w.stream && w.head != nil {
		w.head()
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *response) Write(p []byte) (int, error) {
	written := p
	if w.stream && w.body != nil {
		written = w.body(slices.Clone(p))
	}
	if _, err := w.ResponseWriter.Write(written); err != nil {
		return 0, err
	}
	return len(p), nil
}

// FlushError is how a ResponseController flushes.
func (w *response) FlushError() error {
	flush := http.NewResponseController(w.ResponseWriter).Flush
	if w.stream && w.flush != nil {
		return w.flush(flush)
	}
	return flush()
}

// Unwrap lets a ResponseController reach the deadlines of the connection.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// onStream changes streams. The function is called once for each request.
func onStream(begin func(w *response, r *http.Request)) around {
	return onRequest(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		changed := &response{ResponseWriter: w}
		begin(changed, r)
		next.ServeHTTP(changed, r)
	})
}

// onHead changes the heads of streams.
func onHead(change func(http.Header)) around {
	return onStream(func(w *response, _ *http.Request) { w.head = func() { change(w.Header()) } })
}

// refusal is an answer that is no stream.
type refusal struct {
	status  int
	kind    string // of the body
	body    []byte
	request *http.Request
}

// members changes the members of a refusal's body.
func (a *refusal) members(change func(object)) {
	if members := objectOf(a.body); members != nil {
		change(members)
		a.body = encode(members)
	}
}

// code is what a refusal's body says it is.
func (a *refusal) code() string { return strings.Trim(string(objectOf(a.body)["code"]), `"`) }

// onRefusals changes answers with an error status.
func onRefusals(change func(*refusal)) around {
	return onRequest(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		held := &holding{ResponseWriter: w}
		next.ServeHTTP(held, r)
		if held.status == 0 {
			return
		}
		a := &refusal{status: held.status, kind: w.Header().Get("Content-Type"), body: held.body.Bytes(), request: r}
		change(a)
		w.Header().Set("Content-Type", a.kind)
		w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
		w.WriteHeader(a.status)
		_, _ = w.Write(a.body) // a client that has gone needs no answer
	})
}

// holding keeps answers with an error status back.
type holding struct {
	http.ResponseWriter
	status int // 0: not an error
	body   bytes.Buffer
}

func (w *holding) WriteHeader(status int) {
	if status >= http.StatusBadRequest {
		w.status = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *holding) Write(p []byte) (int, error) {
	if w.status != 0 {
		return w.body.Write(p)
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap lets a ResponseController reach the connection.
func (w *holding) Unwrap() http.ResponseWriter { return w.ResponseWriter }
