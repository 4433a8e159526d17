package target

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadConfigOfAgents(t *testing.T) {
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
`
	got, err := ReadConfig("c.yaml", []byte(src), env(map[string]string{"OTHER": "other-secret"}), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := AEP{
		Agent: "planner", Other: map[string]string{"Authorization": "Bearer other-secret"}, Limited: map[string]string{"X-User": "limited-user-1"},
		Message: 64 << 10, Requests: 3, StreamTimeout: 500 * time.Millisecond,
	}
	if diff := cmp.Diff(want, got.AEP); diff != "" || got.Routes.Stream != "/ask" || got.Routes.Cancel != "/stop/{requestId}" {
		t.Errorf("(-want +got):\n%s%+v", diff, got.Routes)
	}
	tg, err := New(got, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s := tg.Redact("other-secret limited-user-1"); s != "*** ***" {
		t.Errorf("a secret is visible in %q", s)
	}
	for src, want := range map[string]string{
		"aep:\n  agnt: x\n":              "c.yaml:2: unknown key `agnt` (did you mean `agent`?); expected one of agent, other, limited, message, requests, streamTimeout",
		"aep:\n  agent: \"\"\n":          "c.yaml:2: aep.agent must name an agent",
		"aep:\n  message: 1MB\n":         `c.yaml:2: aep.message must be a number of bytes such as 65536 or 1MiB, 256MiB at most, got "1MB"`,
		"aep:\n  message: 1GiB\n":        "c.yaml:2: aep.message must be a number of bytes",
		"aep:\n  requests: many\n":       `c.yaml:2: aep.requests must be a number of requests from 1 to 10000, got "many"`,
		"aep:\n  streamTimeout: 5\n":     `c.yaml:2: aep.streamTimeout must be a duration such as 250ms or 5s, got "5"`,
		"aep:\n  other:\n    \"a b\": c": `c.yaml:3: aep.other: "a b" is not a header name`,
		"routes:\n  cancel: /stop\n":     "c.yaml:2: routes.cancel must contain {requestId}",
		"routes:\n  stream: ask\n":       "c.yaml:2: routes.stream must begin with /",
	} {
		if _, err := ReadConfig("c.yaml", []byte(src), env(nil), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", src, err, want)
		}
	}
}

// TestAsk: a request goes to the agent's route, with the headers of the user that makes it and of no other.
func TestAsk(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: %s %s %s|%s|%s\n\n", r.Method, r.URL.Path, body, r.Header.Get("Authorization"), r.Header.Get("X-Tenant"))
	}))
	defer server.Close()
	tg, err := New(Config{
		URL: server.URL, Headers: map[string]string{"Authorization": "Bearer first", "X-Tenant": "t"},
		AEP: AEP{Agent: "a b", Other: map[string]string{"Authorization": "Bearer other"}},
	}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tg.Close()
	session := tg.Session(t.Context())
	defer session.Close()
	for as, want := range map[User]string{
		First: "Bearer first|t", Other: "Bearer other|", Nobody: "|", WrongToken: "Bearer nobody-was-given-this|nobody-was-given-this",
	} {
		reader, err := session.Ask(AskRequest{Body: []byte("{}"), As: as})
		if err != nil {
			t.Fatal(err)
		}
		v, err := reader.Ended()
		if err != nil || len(v.Frames) != 1 {
			t.Fatalf("user %d: %v, %d frames", as, err, len(v.Frames))
		}
		if got := string(v.Frames[0].Data); got != "POST /v1/agents/a b/stream {}|"+want {
			t.Errorf("user %d: got %q", as, got)
		}
		if reader.Origin != Produced || string(reader.Body) != "{}" {
			t.Errorf("user %d: the record is %+v", as, reader.Exchange)
		}
		call, err := session.Cancel("r/1", as)
		if err != nil {
			t.Fatal(err)
		}
		got := string(call.Now().Answer)
		if !strings.HasPrefix(got, "data: POST /v1/agents/a b/requests/r/1/cancel {}|"+want) || !strings.HasSuffix(call.Path, "/requests/r%2F1/cancel") {
			t.Errorf("user %d cancels: got %q at %s", as, got, call.Path)
		}
	}
}

// TestConnectionClose: the library takes the header away that says so.
func TestConnectionClose(t *testing.T) {
	for _, closing := range []bool{true, false} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if closing {
				w.Header().Set("Connection", "close")
			}
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "data: x\n\n")
			w.(http.Flusher).Flush()
		}))
		tg, err := New(Config{URL: server.URL}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		session := tg.Session(t.Context())
		reader, err := session.Ask(AskRequest{Body: []byte("{}")})
		if err != nil {
			t.Fatal(err)
		}
		if v, err := reader.Ended(); err != nil || (v.Get("connection") == "close") != closing {
			t.Errorf("closing %v: got %q, %v", closing, v.Get("connection"), err)
		}
		session.Close()
		tg.Close()
		server.Close()
	}
}

// TestWaitsOfTheServersOwn: what the config allows a server doesn't bound other waits.
func TestWaitsOfTheServersOwn(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, ": one\n\n: two\n\n")
		w.(http.Flusher).Flush()
		<-release
	}))
	defer server.Close()
	tg, err := New(Config{URL: server.URL}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tg.Close()
	session := tg.Session(t.Context())
	defer session.Close()
	reader, err := session.Ask(AskRequest{Body: []byte("{}")})
	if err != nil {
		t.Fatal(err)
	}
	if n := reader.CommentsWithin(2, 5*time.Second); n != 2 {
		t.Errorf("%d comments", n)
	}
	if n := reader.CommentsWithin(3, 20*time.Millisecond); n != 2 {
		t.Errorf("%d comments, want the two that came", n)
	}
	if _, ended := reader.EndedWithin(20 * time.Millisecond); ended {
		t.Error("the response is open")
	}
	close(release)
	if _, ended := reader.EndedWithin(5 * time.Second); !ended {
		t.Error("the response has ended")
	}
	if n := len(session.Waits()); n != 0 {
		t.Errorf("%d waits were recorded", n)
	}
}
