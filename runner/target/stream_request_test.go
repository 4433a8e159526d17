package target

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/record"
)

func asking() Route { return Route{Name: "stream", Template: "/v1/agents/{agent}/stream"} }

// TestRequestStream: a request goes to its route, with the headers of the user that makes it and of no other.
func TestRequestStream(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: %s %s %s|%s|%s\n\n", r.Method, r.URL.Path, body, r.Header.Get("Authorization"), r.Header.Get("X-Tenant"))
	}))
	defer server.Close()
	tg, err := New(Config{
		URL: server.URL, Headers: map[string]string{"Authorization": "Bearer first", "X-Tenant": "t"},
		Sections: []any{words{Other: map[string]string{"Authorization": "Bearer other"}}},
	}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tg.Close()
	session := tg.Session(t.Context())
	defer session.Close()
	for as, want := range map[User]string{
		First: "Bearer first|t", "other": "Bearer other|", Anonymous: "|", WrongToken: "Bearer nobody-was-given-this|nobody-was-given-this",
	} {
		reader, err := session.RequestStream(StreamRequest{Route: asking(), PathValues: map[string]string{"agent": "a b"}, Body: []byte("{}"), As: as})
		if err != nil {
			t.Fatal(err)
		}
		v, err := reader.Ended()
		if err != nil || len(v.Frames) != 1 {
			t.Fatalf("user %q: %v, %d frames", as, err, len(v.Frames))
		}
		if got := string(v.Frames[0].Data); got != "POST /v1/agents/a b/stream {}|"+want {
			t.Errorf("user %q: got %q", as, got)
		}
		if reader.Origin != record.Produced || string(reader.Body) != "{}" {
			t.Errorf("user %q: the record is %+v", as, reader.Exchange)
		}
		call, err := session.Post(StreamRequest{
			Route: Route{Name: "cancel", Template: "/v1/agents/{agent}/requests/{requestId}/cancel"}, PathValues: map[string]string{"agent": "a b", "requestId": "r/1"},
			Body: []byte("{}"), As: as,
		})
		if err != nil {
			t.Fatal(err)
		}
		got := string(call.Now().Answer)
		if !strings.HasPrefix(got, "data: POST /v1/agents/a b/requests/r/1/cancel {}|"+want) || !strings.HasSuffix(call.Path, "/requests/r%2F1/cancel") {
			t.Errorf("user %q cancels: got %q at %s", as, got, call.Path)
		}
	}
}

// TestConnectionClose: the library removes the header Connection.
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
		reader, err := session.RequestStream(StreamRequest{Route: asking(), Body: []byte("{}")})
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

// TestWaitsThatTheServerSets: a time that the config allows a server doesn't bound other waits.
func TestWaitsThatTheServerSets(t *testing.T) {
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
	reader, err := session.RequestStream(StreamRequest{Route: asking(), Body: []byte("{}")})
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
	if usual := tg.Usual(); usual != 0 {
		t.Errorf("waits of %v were recorded", usual)
	}
}
