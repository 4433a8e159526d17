package alter

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
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

// TestAnswers: the effect of an alteration on a stream and on a document, which echo the request.
func TestAnswers(t *testing.T) {
	echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", map[bool]string{true: "text/event-stream", false: "text/plain"}[r.URL.Path == "/stream"])
		_, _ = io.Copy(w, r.Body)
	})
	streams, others := AnswersTo(Any).When(IsStream), AnswersTo(func(r *http.Request) bool { return r.URL.Path != "/stream" })
	is := func(r *http.Request) bool { return r.URL.Path == "/stream" }
	excited := func(p []byte) []byte { return append(p, '!') }
	for _, c := range []struct {
		name           string
		do             Around
		stream, others string
	}{
		{"set", streams.Set("X", "y"), "200 text/event-stream y abc", "200 text/plain  abc"},
		{"set to nothing", others.Set("Content-Type", ""), "200 text/event-stream  abc", "200   abc"},
		{"as", others.When(Status(200)).As(202), "200 text/event-stream  abc", "202 text/plain  abc"},
		{"as, of another status", others.When(Status(404, 410)).As(202), "200 text/event-stream  abc", "200 text/plain  abc"},
		{"body", streams.Body(excited), "200 text/event-stream  abc!", "200 text/plain  abc"},
		{"replace", others.Replace(0, "text/html", "x"), "200 text/event-stream  abc", "200 text/html  x"},
		{"send", streams.Send(func(w http.ResponseWriter, p []byte) error { _, err := w.Write(p[1:]); return err }),
			"200 text/event-stream  bc", "200 text/plain  abc"},
		{"edit", streams.Edit(func(w *Response, r *http.Request, status int) int {
			w.Header().Set("X", r.URL.Path)
			return status + 6
		}), "206 text/event-stream /stream abc", "200 text/plain  abc"},
		{"answering", Answering(is, 405, "", "x"), "405   ", "200 text/plain  abc"},
		{"answering with a body", Answering(is, 404, "text/plain", "x"), "404 text/plain  x", "200 text/plain  abc"},
		{"bodies", OnBodies(is, excited), "200 text/event-stream  abc!", "200 text/plain  abc"},
	} {
		for path, want := range map[string]string{"/stream": c.stream, "/document": c.others} {
			a := httptest.NewRecorder()
			c.do(echo).ServeHTTP(a, httptest.NewRequest("POST", path, strings.NewReader("abc")))
			if got := fmt.Sprint(a.Code, " ", a.Header().Get("Content-Type"), " ", a.Header().Get("X"), " ", a.Body); got != want {
				t.Errorf("%s %s: got %q, want %q", c.name, path, got, want)
			}
		}
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
	type scripted struct {
		cut  func()
		some []int
	}
	before.Any, after = scripted{}, before
	after.Any = scripted{cut: func() {}}
	if got := Replaced(before, after); !slices.Equal(got, []string{"any"}) {
		t.Errorf("a function in an interface: got %v", got)
	}
	if got := Replaced(after, after); len(got) > 0 {
		t.Errorf("got %v of equal options", got)
	}
}
