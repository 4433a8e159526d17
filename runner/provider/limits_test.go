package provider

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// soon fails a test whose work takes longer than a pass over its input may, even on a busy machine.
func soon(t *testing.T, what string, work func()) {
	t.Helper()
	began := time.Now()
	if work(); time.Since(began) > 5*time.Second {
		t.Errorf("%s took %v", what, time.Since(began))
	}
}

// TestTimeGrowsWithTheInput: texts of a server cost one pass each.
func TestTimeGrowsWithTheInput(t *testing.T) {
	const n = 200_000
	soon(t, "removing markers", func() {
		if got := unmarked(strings.Repeat(Marker("x")+"a", n)); got != strings.Repeat("a", n) {
			t.Errorf("%d bytes are left", len(got))
		}
	})
	soon(t, "removing half a marker", func() {
		if half := strings.Repeat(opening, n); unmarked(half) != half {
			t.Error("half a marker was removed")
		}
	})
	soon(t, "joining an answer", func() {
		said := []message{{Role: "user", Content: "q"}}
		for range n {
			said = append(said, message{Role: "tool"}, message{Role: "assistant", Content: "0123456789"})
		}
		if got := history(said); len(got) != 2 || len(got[1]["agent"]) != 10*n {
			t.Errorf("%d messages", len(got))
		}
	})
	soon(t, "fitting arguments to a large schema", func() {
		schema := `{"properties":{` + properties(29_000) + `}}`
		if _, err := fitArguments(json.RawMessage(schema), `{}`); err == nil || !strings.Contains(err.Error(), "at most") {
			t.Errorf("a schema of 29,000 properties: %v", err)
		}
	})
}

// properties returns so many members of a schema's properties.
func properties(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"p%d":{"type":"string"},`, i)
	}
	return strings.TrimSuffix(b.String(), ",")
}

// TestRequestsAreBounded: a request costs no more memory than its bytes, and is limited to the size of a conversation.
func TestRequestsAreBounded(t *testing.T) {
	p := serve(t, Options{})
	for name, c := range map[string]struct {
		body, want string
		status     int
	}{
		"bytes":    {`{"messages":[{"role":"user","content":"` + strings.Repeat("x", largest) + `"}]}`, "bytes", http.StatusRequestEntityTooLarge},
		"messages": {`{"messages":[` + strings.Repeat("{},", mostItems) + `{}]}`, "more than", http.StatusBadRequest},
		"parts":    {`{"messages":[{"role":"user","content":[` + strings.Repeat("{},", mostItems) + `{}]}]}`, "more than", http.StatusBadRequest},
		"tools":    {`{"messages":[{"role":"user","content":"a"}],"tools":[` + strings.Repeat("{},", mostItems) + `{}]}`, "more than", http.StatusBadRequest},
	} {
		res := post(t, p, "/chat/completions", c.body)
		text, _ := io.ReadAll(res.Body)
		if res.StatusCode != c.status || !strings.Contains(string(text), c.want) {
			t.Errorf("%s: %d %.200s", name, res.StatusCode, text)
		}
	}
	if p.server.IdleTimeout == 0 || p.server.ReadHeaderTimeout == 0 {
		t.Error("a connection may stay for ever")
	}
}

// TestPagesCannotSendRequests: without a key, a page of another origin could send requests; with one it would need the key.
func TestPagesCannotSendRequests(t *testing.T) {
	for key, want := range map[string]int{"": http.StatusForbidden, "key": http.StatusOK} {
		p := serve(t, Options{Key: key})
		for header, value := range map[string]string{"Origin": "https://example.org", "Host": "example.org"} {
			req, err := http.NewRequest(http.MethodGet, p.URL()+"/models", nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "Bearer "+key)
			req.Header.Set(header, value)
			if header == "Host" {
				req.Host = value
			}
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
			if res.StatusCode != want {
				t.Errorf("key %q, %s %s: %d, want %d", key, header, value, res.StatusCode, want)
			}
		}
	}
}

// TestAKeyWhereOthersReach: no address that other machines reach is served without a key.
func TestAKeyWhereOthersReach(t *testing.T) {
	if p, err := Start(Options{Listen: "0.0.0.0:0"}); err == nil {
		p.Close()
		t.Error("served without a key")
	} else if !strings.Contains(err.Error(), "model.key") {
		t.Errorf("%v doesn't say what to do", err)
	}
	serve(t, Options{Listen: "0.0.0.0:0", Key: "key"})
}
