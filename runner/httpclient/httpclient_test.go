package httpclient_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/httpclient"
)

// serving answers by the path: with a redirect to another server, to itself, or with a long body.
func serving(t *testing.T) (url string, other *string) {
	seen := ""
	foreign := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.Header.Get("X-Key") }))
	t.Cleanup(foreign.Close)
	mux := http.NewServeMux()
	mux.Handle("/away", http.RedirectHandler(foreign.URL+"/?key=secret", http.StatusTemporaryRedirect))
	mux.Handle("/loop", http.RedirectHandler("/loop", http.StatusTemporaryRedirect))
	mux.Handle("/here", http.RedirectHandler("/long", http.StatusTemporaryRedirect))
	mux.HandleFunc("/long", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat("x", 1000)) })
	mux.HandleFunc("/never", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/head", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X-Long", strings.Repeat("x", 80<<10)) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL, &seen
}

func TestClients(t *testing.T) {
	url, seen := serving(t)
	for _, c := range []struct {
		path    string
		options httpclient.Options
		status  int
		body    int
		says    string
	}{
		{"/away", httpclient.Options{}, http.StatusTemporaryRedirect, 0, ""},
		{"/loop", httpclient.Options{}, http.StatusTemporaryRedirect, 0, ""},
		{"/here", httpclient.Options{Follow: true}, http.StatusOK, 1000, ""},
		{"/loop", httpclient.Options{Follow: true}, 0, 0, "redirects ten times"},
		{"/away", httpclient.Options{Follow: true}, 0, 0, "redirects to another host"},
		{"/long", httpclient.Options{Body: 1000}, http.StatusOK, 1000, ""},
		{"/long", httpclient.Options{Body: 999}, http.StatusOK, 999, "more than 999 bytes"},
		{"/never", httpclient.Options{Within: 50 * time.Millisecond}, 0, 0, "Client.Timeout"},
		{"/head", httpclient.Options{}, 0, 0, "headers exceeded"},
	} {
		dial := (&net.Dialer{}).DialContext
		client := httpclient.New(httpclient.Transport(httpclient.Connections{Dial: dial}), c.options)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+c.path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Key", "secret")
		status, text := 0, []byte(nil)
		res, err := client.Do(req)
		if err == nil {
			status = res.StatusCode
			text, err = io.ReadAll(res.Body)
			_ = res.Body.Close()
		}
		if status != c.status || status == http.StatusOK && len(text) != c.body || (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s, %+v: %d, %d bytes, %v; expected %d, %d, %q", c.path, c.options, status, len(text), err, c.status, c.body, c.says)
		}
		var away *httpclient.RedirectError
		if errors.As(err, &away) && !strings.HasSuffix(away.To, "/?key=secret") {
			t.Errorf("the redirect led to %s", away.To)
		}
	}
	if *seen != "" {
		t.Error("another server received the key")
	}
}
