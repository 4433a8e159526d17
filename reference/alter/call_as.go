package alter

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
)

// CallAs makes a call with the credentials of another request. It panics at an invalid URI.
func CallAs(next http.Handler, by *http.Request, method, uri string, body []byte) *httptest.ResponseRecorder {
	at, err := url.ParseRequestURI(uri)
	if err != nil {
		panic(err)
	}
	call := by.Clone(by.Context())
	call.Method, call.URL, call.RequestURI = method, at, uri
	SetBody(call, body)
	call.Header.Set("Content-Type", "application/json") // the request that this one goes with may have had no body
	answer := httptest.NewRecorder()
	next.ServeHTTP(answer, call)
	return answer
}

// BeforeAnswer lets the server answer the requests that of matches, and calls then before the answer is sent: it may change the
// answer and make further requests.
func BeforeAnswer(of func(*http.Request) bool, then func(next http.Handler, r *http.Request, sent []byte, answer *httptest.ResponseRecorder)) Around {
	return OnRequests(of, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		if err != nil { // the client has gone
			panic(http.ErrAbortHandler)
		}
		SetBody(r, sent)
		answer := httptest.NewRecorder()
		next.ServeHTTP(answer, r)
		then(next, r, sent, answer)
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes()) // a client that has gone needs no answer
	})
}

// Instead replaces an answer that was recorded.
func Instead(answer *httptest.ResponseRecorder, status int, body string) {
	answer.Header().Del("Content-Length")
	answer.Code, answer.Body = status, bytes.NewBufferString(body)
}
