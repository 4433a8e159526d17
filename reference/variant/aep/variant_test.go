package aep

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestCatalogue(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	spec := specification(t)
	seen, base := map[string]bool{}, aep.Options{}.WithDefaults()
	for _, v := range Catalogue() {
		if !kebab.MatchString(v.Name) || seen[v.Name] {
			t.Errorf("%q is no name in kebab-case of one variant", v.Name)
		}
		seen[v.Name] = true
		if !strings.HasSuffix(v.Summary, ".") || strings.Count(v.Summary, ". ") > 0 {
			t.Errorf("%s: the summary isn't one sentence: %q", v.Name, v.Summary)
		}
		if !strings.Contains(spec, "#### "+v.Freedom+"\n") && !strings.Contains(spec, "\n| "+v.Freedom+" |") {
			t.Errorf("%s: the spec leaves no freedom %q", v.Name, v.Freedom)
		}
		for _, id := range v.Warns {
			if !strings.Contains(spec, "#### "+id+"\n") {
				t.Errorf("%s: there is no requirement %s", v.Name, id)
			}
		}
		if v.Wrap == nil && v.Idle == 0 && !v.HTTP2 && len(alter.Replaced(base, v.Applied(base))) == 0 {
			t.Errorf("%s changes nothing", v.Name)
		}
	}
	if !slices.IsSortedFunc(Catalogue(), func(a, b Variant) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the catalogue isn't sorted")
	}
}

// specification returns the text of the pack; the codes of rules are taken from the rationale's tables.
func specification(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("../../../spec/aep/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var all strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

const (
	streamPath = "/v1/agents/planner/stream"
	question   = `{"messages":[{"role":"user","content":"so"}],"context":{"conformance":{"script":[` +
		`{"thinking":"hm hm"},{"text":"Plan the trip, née 😀 "},` +
		`{"tool":{"name":"f","arguments":{"b":[1,"é/"],"a":null},"result":{"x":1}}},{"text":"done"},{"text":""},` +
		`{"continue":{"kind":"k","payload":{"q":null}}}]}}}`
)

func post(t *testing.T, url, body string) (status int, text string) {
	t.Helper()
	res, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	read, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(read)
}

// TestEveryVariantServes sends requests to each variant over a socket: the text comes completely, once in pieces and once
// in done, as far as it belongs to the message that done completes, the blocks of a message are distinguished by index and
// id, and the result of an action is accepted.
func TestEveryVariantServes(t *testing.T) {
	for _, v := range Catalogue() {
		t.Run(v.Name, func(t *testing.T) {
			h := Handler(v, aep.Options{})
			server := httptest.NewServer(h)
			defer server.Close()
			defer h.Close()
			defer http.DefaultClient.CloseIdleConnections()
			status, text := post(t, server.URL+streamPath, question)
			events := parse(t, text)
			if status != http.StatusOK || len(events) < 2 {
				t.Fatalf("%d %q", status, text)
			}
			said, own, whole := joined(events)
			if want := "Plan the trip, née 😀 done"; said != want || whole != own {
				t.Errorf("it says %q, in the last message %q and in done %q, in %s", said, own, whole, text)
			}
			last, asked := events[len(events)-1], events[len(events)-2]
			if last["event"] != "done" || last["finishReason"] != "action_required" || asked["event"] == nil {
				t.Errorf("it ends with %v", last)
			}
			starts := map[[2]any]bool{}
			for _, e := range events {
				if e["stage"] == "start" {
					place, id := [2]any{e["messageId"], e["blockIndex"]}, [2]any{e["messageId"], e["blockId"]}
					if starts[place] || starts[id] {
						t.Errorf("two blocks of a message have one place or one id: %v", e)
					}
					starts[place], starts[id] = true, true
				}
			}
			for _, body := range []string{`{`, `{"messages":[],"threadId":"x"}`,
				`{"messages":[],"context":{"conformance":{"refuse":"stream_timeout"}}}`} {
				if status, text := post(t, server.URL+streamPath, body); status < 400 && !strings.Contains(text, "stream_timeout") {
					t.Errorf("%s is answered %d %s", body, status, text)
				}
			}
		})
	}
}

// parse reads the events of a body as a reader that follows the standard does.
func parse(t *testing.T, body string) (events []map[string]any) {
	t.Helper()
	body = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(body, "\ufeff"))
	for _, block := range strings.Split(body, "\n\n") {
		var name string
		var data []string
		for _, line := range strings.Split(block, "\n") {
			field, value, _ := strings.Cut(line, ":")
			value = strings.TrimPrefix(value, " ")
			switch field {
			case "event":
				name = value
			case "data":
				data = append(data, value)
			}
		}
		if len(data) == 0 {
			continue
		}
		var e map[string]any
		if err := json.Unmarshal([]byte(strings.Join(data, "\n")), &e); err != nil || e["event"] != name {
			t.Fatalf("%q: %v", block, err)
		}
		events = append(events, e)
	}
	return events
}

// joined joins the text, from deltas or else from stops, in all messages and in the one of done, and the text of done.
func joined(events []map[string]any) (said, own, whole string) {
	begun := map[[2]any]bool{}
	message := events[len(events)-1]["messageId"]
	for _, e := range events {
		if e["event"] == "text" {
			block, piece := [2]any{e["messageId"], e["blockId"]}, ""
			if delta, ok := e["delta"].(string); ok {
				begun[block] = true
				piece = delta
			}
			if text, ok := e["text"].(string); ok && !begun[block] {
				piece = text
			}
			if said += piece; e["messageId"] == message {
				own += piece
			}
		}
		blocks, _ := e["content"].([]any)
		for _, b := range blocks {
			if b, ok := b.(map[string]any); ok && b["type"] == "text" {
				whole += b["text"].(string)
			}
		}
	}
	return said, own, whole
}

func TestSorted(t *testing.T) {
	if got := string(sorted([]byte(`{"b":"é😀/","a":[1.50,null]}`))); got != `{"a":[1.50,null],"b":"é😀/"}` {
		t.Error(got)
	}
}
