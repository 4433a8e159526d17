package alter

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
)

func TestBlock(t *testing.T) {
	const whole = "event: a\nid: 7\ndata: {\"x\":1.0}\n\n"
	b := ParseBlock([]byte(whole))
	if got := string(b.Append(nil)); got != whole {
		t.Errorf("got %q, want %q", got, whole)
	}
	b.Members(func(members Object) { members["y"] = Encode("<&>") })
	const want = "event: a\nid: 7\ndata: {\"x\":1.0,\"y\":\"<&>\"}\n\n"
	if got := string(b.Append(nil)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	changed := OnData([]byte(whole), func(text []byte) []byte { return append(text, ' ') })
	if got := string(changed); got != "event: a\nid: 7\ndata: {\"x\":1.0} \n\n" {
		t.Errorf("got %q", got)
	}
}

// TestResponse: of a response that isn't a stream nothing changes, where streams alone are meant.
func TestResponse(t *testing.T) {
	h := OnResponses(Any, func(w *Response, r *http.Request) {
		w.StreamOnly = r.URL.Path != "/all"
		w.Head = func(int) int { return http.StatusTeapot }
		w.Body = func(p []byte) []byte { return append(p, '!') }
	})(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/stream" {
			w.Header().Set("Content-Type", "text/event-stream")
		}
		w.WriteHeader(http.StatusOK)
		if n, err := io.WriteString(w, "abc"); n != 3 || err != nil {
			t.Errorf("wrote %d, %v", n, err)
		}
	}))
	for path, want := range map[string]struct {
		status int
		body   string
	}{"/stream": {418, "abc!"}, "/other": {200, "abc"}, "/all": {418, "abc!"}} {
		a := httptest.NewRecorder()
		h.ServeHTTP(a, httptest.NewRequest("GET", path, nil))
		if a.Code != want.status || a.Body.String() != want.body {
			t.Errorf("%s: got %d %q, want %d %q", path, a.Code, a.Body, want.status, want.body)
		}
	}
}

func TestReplace(t *testing.T) {
	h := OnResponses(Any, func(w *Response, _ *http.Request) {
		w.Head = func(int) int { return w.Replace(http.StatusGone, "text/plain", "gone") }
	})(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"error":"unknown"}`)
	}))
	a := httptest.NewRecorder()
	h.ServeHTTP(a, httptest.NewRequest("GET", "/", nil))
	if a.Code != http.StatusGone || a.Body.String() != "gone" || a.Header().Get("Content-Length") != "4" {
		t.Errorf("got %d %q %v", a.Code, a.Body, a.Header())
	}
}

func TestReplaced(t *testing.T) {
	type options struct {
		Do  func()
		Max int
		Who map[string]string
		Any any
	}
	before := options{Do: func() {}, Max: 1, Who: map[string]string{}, Any: 1}
	after := before
	if got := Replaced(before, after); len(got) > 0 {
		t.Errorf("got %v of equal options", got)
	}
	after = All(
		func(o options) options { o.Do = func() { panic("never called") }; return o },
		func(o options) options { o.Who = map[string]string{}; return o },
	)(before)
	if got := Replaced(before, after); !slices.Equal(got, []string{"do", "who"}) {
		t.Errorf("got %v", got)
	}
}
