package aep

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestThreadsAreBounded: a thread, and all of them, refuse messages at their limits, with a code of the table; others
// continue.
func TestThreadsAreBounded(t *testing.T) {
	text := strings.Repeat("x", 600)
	c := start(t, Options{Threads: &MemoryThreads{MaxThread: 1_000, MaxTotal: 4_000}})
	say := func(thread string) (status int, code, id string) {
		t.Helper()
		member := ""
		if thread != "" {
			member = fmt.Sprintf(`,"threadId":%q`, thread)
		}
		res := c.post(streamPath, "", `{"messages":[{"role":"user","content":"`+text+`"}],"context":{"conformance":{"script":[]}}`+member+`}`)
		defer res.Body.Close()
		if res.StatusCode == 200 {
			return 200, "", (&reader{t: t, res: res, lines: bufio.NewScanner(res.Body)}).last().ThreadID
		}
		var e struct{ Code string }
		if err := json.NewDecoder(res.Body).Decode(&e); err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, e.Code, ""
	}
	_, _, first := say("")
	if status, _, _ := say(first); status != 200 {
		t.Errorf("a thread below its limit is answered %d", status)
	}
	if status, code, _ := say(first); status != 413 || code != "message_too_large" {
		t.Errorf("a full thread is answered %d %s", status, code)
	}
	began := 0
	for ; began < 20; began++ {
		if status, code, _ := say(""); status != 200 {
			if status != 429 || code != "rate_limit_exceeded" {
				t.Errorf("beyond the limit of all threads: %d %s", status, code)
			}
			break
		}
	}
	if began == 0 || began == 20 {
		t.Errorf("%d more threads are begun", began)
	}
}

// TestActionsAreBounded: the oldest actions are forgotten, and refused like those that never were.
func TestActionsAreBounded(t *testing.T) {
	s := &MemoryActions{MaxTotal: 10 * (actionCost + 1_000)}
	for i := range 1_000 {
		s.Open(Open{ID: fmt.Sprint(i), Owner: "o", Thread: "t", Payload: json.RawMessage(strings.Repeat("1", 900))})
	}
	if len(s.actions) != len(s.order) || len(s.actions) > 11 || s.used > s.MaxTotal {
		t.Errorf("%d actions in %d bytes are kept", len(s.actions), s.used)
	}
	if err := s.Resolve("o", "t", []string{"0"}); !errors.Is(err, ErrUnknownAction) {
		t.Errorf("a forgotten action: %v", err)
	}
	if err := s.Resolve("o", "t", []string{"999"}); err != nil {
		t.Errorf("the youngest action: %v", err)
	}
}

// TestPagesDriveNothing: requests that a page of another origin can make a browser send open no barrier.
func TestPagesDriveNothing(t *testing.T) {
	h := New(Options{})
	defer h.Close()
	for _, c := range []struct {
		status            int
		name, value, host string
	}{
		{http.StatusNotFound, "Content-Type", "application/json", "127.0.0.1:1"},
		{http.StatusUnsupportedMediaType, "Content-Type", "text/plain", "127.0.0.1:1"},
		{http.StatusForbidden, "Origin", "http://evil.example", "127.0.0.1:1"},
		{http.StatusForbidden, "Content-Type", "application/json", "evil.example"},
	} {
		r := httptest.NewRequest(http.MethodPost, "/control/aep/release", strings.NewReader(`{"requestId":"r","barrier":"b"}`))
		r.Host = c.host
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set(c.name, c.value)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.status {
			t.Errorf("%s: %s at %s: got %d, want %d: %s", c.name, c.value, c.host, w.Code, c.status, w.Body)
		}
	}
}
