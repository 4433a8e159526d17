package aep

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/target"
)

// TestPreflightOfAModel: a server that doesn't call its model, or has got its key wrong, can't be certified by it.
func TestPreflightOfAModel(t *testing.T) {
	p, err := provider.Start(provider.Options{Key: "right"})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte("event: error\ndata: {\"event\":\"error\",\"requestId\":\"r\",\"code\":\"agent_error\"}\n\n"))
	}))
	defer server.Close()
	tg, err := target.New(target.Config{URL: server.URL, Model: target.Model{Listen: "127.0.0.1:0", Player: p}}, target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tg.Close()
	if _, err := preflight(context.Background(), tg); err == nil || !strings.Contains(err.Error(), "the model at "+p.URL()+" got no request") {
		t.Error(err)
	}
	res, err := http.Post(p.URL()+"/chat/completions", "application/json", strings.NewReader(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if _, err := preflight(context.Background(), tg); err == nil || !strings.Contains(err.Error(), "had no key") {
		t.Error(err)
	}
}
