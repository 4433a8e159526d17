package interop_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/interop"
)

// TestNoRedirect: a request carries the secrets of the config, and the server chooses where a redirect leads.
func TestNoRedirect(t *testing.T) {
	asked := make(chan http.Header, 1)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.Header }))
	defer elsewhere.Close()
	for _, code := range []int{301, 302, 303, 307, 308} {
		server := httptest.NewServer(http.RedirectHandler(elsewhere.URL, code))
		tg, err := target.New(target.Config{URL: server.URL, Headers: map[string]string{"Authorization": "Bearer secret-token", "X-Api-Key": "another-secret"}}, target.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := tg.Session(t.Context())
		r := interop.Subscribe(s, target.Route{Name: "stream", Template: "/{stream}"}, "a", "")
		_, err = r.Next("an event", time.Now().Add(20*time.Second))
		r.Close()
		if err == nil {
			t.Errorf("%d: the subscription ended without an error", code)
		}
		select {
		case got := <-asked:
			t.Errorf("%d: the reader followed it, with the headers %v", code, got)
		default:
		}
		tg.Close()
		server.Close()
	}
}
