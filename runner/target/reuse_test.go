package target

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestReuseConnection: a request with ReuseConnection uses the connection of the one before, and any other a new one.
func TestReuseConnection(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: %s\n\n", r.RemoteAddr)
	}))
	defer server.Close()
	tg, err := New(Config{URL: server.URL}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tg.Close()
	session := tg.Session(t.Context())
	defer session.Close()
	ask := func(kept bool) (from string, reused bool) {
		r, err := session.RequestStream(StreamRequest{Route: asking(), PathValues: map[string]string{"agent": "a"}, Body: []byte("{}"), ReuseConnection: kept})
		if err != nil {
			t.Fatal(err)
		}
		v, err := r.Ended()
		if err != nil || len(v.Frames) != 1 {
			t.Fatal(err, v.Frames)
		}
		return string(v.Frames[0].Data), r.Reused()
	}
	own, reused := ask(false)
	first, firstReused := ask(true)
	if own == first || reused || firstReused {
		t.Errorf("from %s and %s, reused %v and %v", own, first, reused, firstReused)
	}
	found := false
	for range 5 { // the machine may be busy for longer than a connection is kept
		again, reused := ask(true)
		if reused != (again == first) {
			t.Errorf("from %s after %s, reused %v", again, first, reused)
		}
		found, first = found || reused, again
	}
	if !found {
		t.Error("no connection was used again")
	}
	if third, reused := ask(false); third == first || reused {
		t.Errorf("from %s, reused %v", third, reused)
	}
}

// TestAKeptReaderThatLeaves: a reader with ReuseConnection follows another one over its connection, and leaves without anybody
// taking the server for one that hangs up.
func TestAKeptReaderThatLeaves(t *testing.T) {
	silent := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		if r.URL.Query().Has("silent") {
			silent <- struct{}{}
			<-r.Context().Done()
			return
		}
		fmt.Fprint(w, "data: x\n\n")
	}))
	defer server.Close()
	tg, err := New(Config{URL: server.URL}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tg.Close()
	session := tg.Session(t.Context())
	defer session.Close()
	route := Route{Name: "read", Template: "/{stream}"}
	left := false
	for range 5 { // the machine may be busy for longer than a connection is kept
		first, err := session.Attach(ReadRequest{Route: route, Stream: "s", ReuseConnection: true})
		if err != nil {
			t.Fatal(err)
		}
		if v, err := first.Ended(); err != nil || len(v.Frames) != 1 {
			t.Fatal(err, v.Frames)
		}
		second, err := session.Attach(ReadRequest{Route: route, Stream: "s", ReuseConnection: true, Query: map[string]string{"silent": ""}})
		if err != nil {
			t.Fatal(err)
		}
		<-silent
		left = left || second.Reused()
		second.Disconnect()
	}
	if !left {
		t.Error("no connection was used again")
	}
	if tg.Wary() {
		t.Error("a reader that left made the server one that hangs up")
	}
}

// TestTokensThatAreNearlyRight: each differs from the right one, or isn't there.
func TestTokensThatAreNearlyRight(t *testing.T) {
	for _, c := range []struct{ right, short, other string }{
		{"Bearer token-of-ada", "Bearer token-of", "Bearer TOKEN-OF-ADA"},
		{"Bearer KRUGS4Z", "Bearer KRUG", "Bearer krugs4z"},
		{"Bearer deadbeef", "Bearer deadb", ""},
		{"Basic YWRhOnB3", "", ""},
	} {
		tg, err := New(Config{URL: "http://127.0.0.1:1", Headers: map[string]string{"Authorization": c.right}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if short, other := tg.headersOf(ShortToken)["Authorization"], tg.headersOf(CaseToken)["Authorization"]; short != c.short || other != c.other {
			t.Errorf("of %s: %q and %q", c.right, short, other)
		}
	}
}

// TestConnectionsThatIdledOut: a connection that this side closed loses a call; broken connections of a killed server lose
// none.
func TestConnectionsThatIdledOut(t *testing.T) {
	idledOut := fmt.Errorf("net/http: HTTP/1.x transport connection broken: %w", errors.New("http: idle connection timeout"))
	for _, c := range []struct {
		name         string
		err          error
		killed, lost bool
	}{
		{"of a server that lives", idledOut, false, true},
		{"of a server that was killed", idledOut, true, true},
		{"broken, never used before", io.EOF, false, false},
		{"broken by a kill", io.EOF, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := sessionWithin(t, time.Second, http.NotFound)
			s.killed.Store(c.killed)
			_, failed, done := unary{session: s}.courier(false)
			defer done()
			if failed(c.err); s.Lost() != c.lost {
				t.Errorf("lost: %v, expected %v", s.Lost(), c.lost)
			}
		})
	}
}
