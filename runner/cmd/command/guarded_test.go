package command

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestPagesCannotSpend: requests that a page of another origin can send reach no server whose answers cost money.
func TestPagesCannotSpend(t *testing.T) {
	served := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "served") })
	for name, c := range map[string]struct {
		model, host, origin string
		status              int
	}{
		"a client":      {"http://127.0.0.1:1/v1", "127.0.0.1", "", http.StatusOK},
		"another page":  {"http://127.0.0.1:1/v1", "127.0.0.1", "https://example.org", http.StatusForbidden},
		"rebinding":     {"http://127.0.0.1:1/v1", "example.org", "", http.StatusForbidden},
		"allowed":       {"http://127.0.0.1:1/v1", "kit.example.org", "", http.StatusOK},
		"without model": {"", "example.org", "https://example.org", http.StatusOK},
	} {
		r := httptest.NewRequest(http.MethodPost, "/chat", strings.NewReader("{}"))
		r.Host = c.host
		r.Header.Set("Content-Type", "text/plain")
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		w := httptest.NewRecorder()
		if (&serve{model: c.model, hosts: []string{"kit.example.org"}}).guarded(served).ServeHTTP(w, r); w.Code != c.status {
			t.Errorf("%s: %d, want %d", name, w.Code, c.status)
		}
	}
}

// TestArgumentsHoldNoTokens: neither a list of processes nor the help shows a secret.
func TestArgumentsHoldNoTokens(t *testing.T) {
	cfg, err := launchedReference("redis://127.0.0.1:6379", 2)
	if err != nil {
		t.Fatal(err)
	}
	line := strings.Join(cfg.Launch.Command, " ")
	if strings.Contains(line, cfg.ControlToken) || strings.Contains(line, strings.TrimPrefix(cfg.Headers["Authorization"], "Bearer ")) {
		t.Errorf("a token stands in %s", line)
	}
	t.Setenv("MODEL_KEY", "very-secret-key")
	t.Setenv(controlVariable, "very-secret-token")
	if r := streamcert(t, "", "serve", "--help"); r.Code != 0 || strings.Contains(r.Out+r.Errs, "very-secret") {
		t.Errorf("%+v", r)
	}
}
