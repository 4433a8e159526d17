package command

import (
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
)

// noticing is a server that records the path and credential of requests.
type noticing struct {
	mu   sync.Mutex
	seen map[string]bool
}

func (n *noticing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.seen[r.URL.Path+" "+r.Header.Get("Authorization")] = true
	w.WriteHeader(http.StatusNotFound)
}

func (n *noticing) saw(what string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.seen[what]
}

func listening(t *testing.T) (*noticing, string) {
	t.Helper()
	n := &noticing{seen: map[string]bool{}}
	server := httptest.NewServer(n)
	t.Cleanup(server.Close)
	return n, server.URL
}

// configuredFolder is a folder to work in that has a config.
func configuredFolder(t *testing.T, text string) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile(defaultConfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestTargetKeepsTheConfig: --target states where the server is, the config everything else.
func TestTargetKeepsTheConfig(t *testing.T) {
	server, url := listening(t)
	configuredFolder(t, "target: {url: \"http://127.0.0.1:1\"}\nlaunch: {command: [no-such-program]}\n"+
		"headers: {Authorization: Bearer of-the-file}\nroutes: {read: \"/s/{stream}/live\", control: /test}\n")
	streamcert(t, "", "probe", "--pack", "helix", "--target", url)
	if !server.saw("/test/runs Bearer of-the-file") && !server.saw("/test/streams Bearer of-the-file") {
		t.Errorf("the server saw %v; expected the control routes and the credential of the config", server.seen)
	}
	streamcert(t, "", "certify", "--pack", "helix", "--target", url).OneLine(t, failed, "/test/streams/{stream}/writers")
}

// TestConfigOfTheEnvironment: the environment comes before the file, and is enough alone.
func TestConfigOfTheEnvironment(t *testing.T) {
	server, url := listening(t)
	configuredFolder(t, "target: {url: \"http://127.0.0.1:1\"}\nheaders: {Authorization: Bearer of-the-file}\nroutes: {control: /test}\n")
	t.Setenv("STREAMCERT_TARGET_URL", url)
	t.Setenv("STREAMCERT_HEADERS_AUTHORIZATION", "Bearer of-the-environment")
	streamcert(t, "", "probe", "--pack", "helix")
	if !server.saw("/test/runs Bearer of-the-environment") {
		t.Errorf("the server saw %v; expected the credential of the environment and the control routes of the file", server.seen)
	}
	t.Chdir(t.TempDir())
	streamcert(t, "", "probe", "--pack", "helix")
	if !server.saw("/control/runs Bearer of-the-environment") {
		t.Errorf("the server saw %v; expected the credential of the environment without any file", server.seen)
	}
	other, otherURL := listening(t)
	streamcert(t, "", "probe", "--pack", "helix", "--target", otherURL)
	if !other.saw("/control/runs Bearer of-the-environment") {
		t.Errorf("--target's server saw %v; expected a flag to come before the environment", other.seen)
	}
	t.Setenv("STREAMCERT_TIMING_DEADLIN", "5s")
	streamcert(t, "", "probe").OneLine(t, misuse, "STREAMCERT_TIMING_DEADLIN", "did you mean `STREAMCERT_TIMING_DEADLINE`?")
	os.Unsetenv("STREAMCERT_TIMING_DEADLIN")
	t.Setenv("STREAMCERT_TIMING_DEADLINE", "soon")
	streamcert(t, "", "probe").OneLine(t, misuse, "STREAMCERT_TIMING_DEADLINE: timing.deadline must be a duration from 1ms to 24h such as 250ms or 5s, got \"soon\"")
}
