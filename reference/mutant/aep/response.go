package aep

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
)

// onRequest handles requests to agents; control calls pass untouched.
func onRequest(serve func(next http.Handler, w http.ResponseWriter, r *http.Request)) around {
	return alter.OnRequests(func(r *http.Request) bool { return !alter.IsControl(r) }, serve)
}

// onStream changes streams. The function is called once for each request.
func onStream(begin func(w *alter.Response, r *http.Request)) around {
	return onRequest(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		changed := &alter.Response{ResponseWriter: w, StreamOnly: true}
		begin(changed, r)
		next.ServeHTTP(changed, r)
	})
}

// onHead changes the heads of streams.
func onHead(change func(http.Header)) around {
	return onStream(func(w *alter.Response, _ *http.Request) {
		w.Head = func(status int) int {
			change(w.Header())
			return status
		}
	})
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
	if members := alter.Members(a.body); members != nil {
		change(members)
		a.body = alter.Encode(members)
	}
}

// code is the code in a refusal's body.
func (a *refusal) code() string { return strings.Trim(string(alter.Members(a.body)["code"]), `"`) }

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
