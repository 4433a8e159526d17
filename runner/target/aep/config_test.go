package aep

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
)

func read(src string, variables map[string]string) (target.Config, error) {
	lookup := func(name string) (string, bool) { v, ok := variables[name]; return v, ok }
	return target.Format{Sections: []target.Section{Section()}}.Read("c.yaml", []byte(src), target.Environment{Lookup: lookup})
}

func TestReadConfig(t *testing.T) {
	src := `
target: {url: http://x}
routes: {stream: /ask, cancel: "/stop/{requestId}"}
aep:
  agent: planner
  other: {authorization: "Bearer ${OTHER}"}
  limited: {X-User: limited-user-1}
  message: 64KiB
  requests: 3
  streamTimeout: 500ms
  idleTimeout: true
  input: '["{text}"]'
  result: value
  callId: id
  toolName: name
  fragment: partial
  arguments: input
  status: state
  summary: note
  text: content
  thinking: thought
`
	got, err := read(src, map[string]string{"OTHER": "other-secret"})
	if err != nil {
		t.Fatal(err)
	}
	tg, err := target.New(got, target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Agent: "planner", Other: map[string]string{"Authorization": "Bearer other-secret"}, Limited: map[string]string{"X-User": "limited-user-1"},
		Message: 64 << 10, Requests: 3, StreamTimeout: 500 * time.Millisecond, IdleTimeout: true,
		Input: `["{text}"]`, Result: "value", CallID: "id", ToolName: "name", Fragment: "partial", Args: "input",
		Status: "state", Summary: "note", Text: "content", Thinking: "thought",
	}
	if diff := cmp.Diff(want, target.SectionOf[Config](tg)); diff != "" || got.Routes["stream"] != "/ask" || got.Routes["cancel"] != "/stop/{requestId}" {
		t.Errorf("(-want +got):\n%s%+v", diff, got.Routes)
	}
	call := map[string]string{"toolCallId": "id", "toolName": "name", "delta": "partial", "args": "input"}
	names := record.Names{
		"tool_call": call, "tool_use": call,
		"tool_result": {"toolCallId": "id", "delta": "partial", "status": "state", "summary": "note"},
		"text":        {"text": "content"}, "thinking": {"text": "content", "thinking": "thought"},
	}
	if diff := cmp.Diff(names, want.Names()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if s := tg.Redact("other-secret limited-user-1"); s != "*** ***" {
		t.Errorf("a secret is visible in %q", s)
	}
	for src, want := range map[string]string{
		"aep:\n  agnt: x\n":              "c.yaml:2: unknown key `agnt` (did you mean `agent`?); expected one of agent, other, limited, message, requests, streamTimeout, idleTimeout, timeoutAgent, input, result, callId, toolName, fragment, arguments, status, summary, text, thinking",
		"aep:\n  agent: \"\"\n":          "c.yaml:2: aep.agent must name an agent",
		"aep:\n  message: 1MB\n":         `c.yaml:2: aep.message must be a number of bytes such as 65536 or 16MiB, 256MiB at most, got "1MB"`,
		"aep:\n  message: 1GiB\n":        "c.yaml:2: aep.message must be a number of bytes",
		"aep:\n  requests: many\n":       `c.yaml:2: aep.requests must be a number from 1 to 10000, got "many"`,
		"aep:\n  streamTimeout: 5\n":     `c.yaml:2: aep.streamTimeout must be a duration from 1ms to 24h such as 250ms or 5s, got "5"`,
		"aep:\n  input: '{text}'\n":      `c.yaml:2: aep.input must be JSON that holds the string "{text}" once, got "{text}"`,
		"aep:\n  fragment: ''\n":         "c.yaml:2: aep.fragment must name a member",
		"aep:\n  other:\n    \"a b\": c": `c.yaml:3: aep.other: "a b" is not a header name`,
		"routes:\n  cancel: /stop\n":     "c.yaml:2: routes.cancel must contain {requestId}",
		"routes:\n  stream: ask\n":       "c.yaml:2: routes.stream must begin with /",
	} {
		if _, err := read(src, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", src, err, want)
		}
	}
}

// TestRequestStream: a request goes to the agent that the config names, a cancellation to the request of it.
func TestRequestStream(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: %s %s %s\n\n", r.Method, r.URL.EscapedPath(), r.Header.Get("Authorization"))
	}))
	defer server.Close()
	for agent, want := range map[string]string{"": "conformance", "a b": "a%20b"} {
		tg, err := target.New(target.Config{URL: server.URL, Sections: []any{Config{
			Agent: agent, Other: map[string]string{"Authorization": "Bearer other"}, Limited: map[string]string{"Authorization": "Bearer limited"},
		}}}, target.Options{})
		if err != nil {
			t.Fatal(err)
		}
		session := tg.Session(t.Context())
		reader, err := RequestStream(session, target.StreamRequest{Body: []byte("{}"), As: Limited})
		if err != nil {
			t.Fatal(err)
		}
		v, err := reader.Ended()
		if err != nil || len(v.Frames) != 1 || string(v.Frames[0].Data) != "POST /v1/agents/"+want+"/stream Bearer limited" {
			t.Errorf("agent %q was asked with %v, %v", agent, v.Frames, err)
		}
		call, err := Cancel(session, "r/1", Other)
		if got := string(call.Now().Answer); err != nil || got != "data: POST /v1/agents/"+want+"/requests/r%2F1/cancel Bearer other\n\n" {
			t.Errorf("agent %q: the cancellation is %q, %v", agent, got, err)
		}
		session.Close()
		tg.Close()
	}
}
