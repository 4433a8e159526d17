package idle_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference"
	agents "github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/idle/aep"
	"github.com/streamcert/streamcert/reference/idle/helix"
)

// TestCatalogues: every server has a name, a sentence and subjects, and does something.
func TestCatalogues(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	check := func(name, summary string, never []string, changes bool) {
		t.Helper()
		if !kebab.MatchString(name) {
			t.Errorf("%q is no name in kebab-case", name)
		}
		if !strings.HasSuffix(summary, ".") || strings.Contains(summary, ". ") {
			t.Errorf("%s: the summary isn't one sentence: %q", name, summary)
		}
		if len(never) == 0 || !changes {
			t.Errorf("%s shows everything", name)
		}
	}
	for _, s := range aep.Catalogue() {
		check(s.Name, s.Summary, s.Never, s.Apply != nil || s.Wrap != nil)
	}
	for _, s := range helix.Catalogue() {
		check(s.Name, s.Summary, s.Never, s.Apply != nil || s.Wrap != nil)
	}
	if n := len(aep.Catalogue()) + len(helix.Catalogue()); n < 8 {
		t.Errorf("%d idle servers", n)
	}
}

// TestAgentsShowNoTools: the answers to a script with a tool, by servers that declare tools in Never.
func TestAgentsShowNoTools(t *testing.T) {
	const body = `{"messages":[{"role":"user","content":[{"type":"text","text":"so"}]}],"context":{"conformance":{"script":[` +
		`{"text":"one "},{"tool":{"name":"f","arguments":{},"result":1}}]}}}`
	for _, s := range aep.Catalogue() {
		if s.Name == "never-asks" || s.Name == "no-deltas" || s.Name == "no-optional-members" {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			said := posted(t, aep.Handler(s, agents.Options{}), "/v1/agents/planner/stream", body)
			if strings.Contains(said, "tool_") {
				t.Errorf("a tool is shown: %s", said)
			}
		})
	}
}

// TestStreamsHoldOneChunk: the first chunk is the server's to take or to refuse, a second is refused, and so are two at once.
func TestStreamsHoldOneChunk(t *testing.T) {
	validate, err := reference.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range helix.Catalogue() {
		if s.Name != "one-chunk-a-stream" {
			continue
		}
		h := helix.Handler(s, reference.Options{Validate: validate})
		defer h.Close()
		for _, c := range []struct {
			body    string
			refused bool
		}{{"{}", false}, {"{}", true}, {"[{},{}]", true}} {
			answer := httptest.NewRecorder()
			r := httptest.NewRequest(http.MethodPost, "/control/streams/s/writers/w/chunks", strings.NewReader(c.body))
			h.ServeHTTP(answer, r)
			if got := answer.Code == http.StatusNotImplemented; got != c.refused {
				t.Errorf("%s: answered %d", c.body, answer.Code)
			}
		}
	}
}

func posted(t *testing.T, h *alter.Server, path, body string) string {
	t.Helper()
	server := httptest.NewServer(h)
	defer server.Close()
	defer h.Close()
	res, err := http.Post(server.URL+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	said, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(said)
}
