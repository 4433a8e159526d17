package alter

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestBeforeAnswer: the request with the answer, and its result.
func TestBeforeAnswer(t *testing.T) {
	var asked []string
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		asked = append(asked, r.Method+" "+r.URL.RequestURI()+" "+string(body))
		w.Header().Set("X", "y")
		w.WriteHeader(http.StatusConflict)
		_, _ = w.Write(body)
	})
	of := func(r *http.Request) bool { return r.URL.Path == "/a" }
	h := BeforeAnswer(of, func(next http.Handler, r *http.Request, sent []byte, answer *httptest.ResponseRecorder) {
		if more := CallAs(next, r, "PUT", "/b?c", []byte("more")); more.Body.String() != "more" || string(sent) != "body" {
			t.Errorf("got %q and %q", more.Body, sent)
		}
		Instead(answer, answer.Code+1, answer.Body.String()+"!")
	})(server)
	for path, want := range map[string]struct {
		status int
		body   string
	}{"/a": {410, "body!"}, "/other": {409, "body"}} {
		asked = nil
		a := httptest.NewRecorder()
		h.ServeHTTP(a, httptest.NewRequest("POST", path, strings.NewReader("body")))
		if a.Code != want.status || a.Body.String() != want.body || a.Header().Get("X") != "y" {
			t.Errorf("%s: got %d %q %v", path, a.Code, a.Body, a.Header())
		}
		if path == "/a" && strings.Join(asked, ", ") != "POST /a body, PUT /b?c more" {
			t.Errorf("asked %q", asked)
		}
	}
}
