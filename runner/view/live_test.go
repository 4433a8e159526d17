package view_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/streamcert/streamcert/runner/client"
	"github.com/streamcert/streamcert/runner/view"
)

// server answers request n, from 0, with one of its answers; it notes the cursors.
func server(t *testing.T, answers ...string) (url string, cursors *[]string) {
	cursors = &[]string{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := len(*cursors)
		*cursors = append(*cursors, r.Header.Get("Last-Event-ID"))
		answer := answers[min(n, len(answers)-1)]
		if status := 0; len(answer) == 3 {
			_, _ = fmt.Sscan(answer, &status)
			http.Error(w, "no\x1b[2J such stream", status)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(s.Close)
	return s.URL, cursors
}

func follow(t *testing.T, l *client.EventSource) (out string, err error) {
	t.Helper()
	if err := l.Open(context.Background()); err != nil {
		return "", err
	}
	defer l.Close()
	for e, err := range view.Events(l) {
		if err != nil {
			return out, err
		}
		out += fmt.Sprint(e.Chunk.Sequence.N, " ")
		if e.Terminal() {
			break
		}
	}
	return out, nil
}

// patient counts the waits and takes none of them.
func patient(waits *[]time.Duration) func(context.Context, time.Duration) error {
	return func(_ context.Context, d time.Duration) error {
		*waits = append(*waits, d)
		return nil
	}
}

func TestALiveStreamIsResumed(t *testing.T) {
	end := "id: 4\ndata: {\"type\":\"end\"}\n\n"
	one, two, three := textChunk(1, "r", text("a")), textChunk(2, "r", text("b")), textChunk(3, "r", text("c"))
	// The second connection breaks within an event; the third begins with one that was there.
	url, cursors := server(t, one, two+three[:20], "503", "", two+three+end)
	var notes []string
	var waits []time.Duration
	l := &client.EventSource{Request: client.Request{URL: url}, Repeated: view.Repeated, Again: true, Wait: patient(&waits), Note: func(s string) { notes = append(notes, s) }}
	out, err := follow(t, l)
	if err != nil || out != "1 2 3 0 " {
		t.Errorf("%q %v", out, err)
	}
	if got := strings.Join(*cursors, ","); got != ",1,2,2,2" {
		t.Errorf("cursors %s", got)
	}
	if len(notes) != 4 || !strings.Contains(notes[0], "after event 1") {
		t.Errorf("%q", notes)
	}
	if fmt.Sprint(waits) != "[0s 0s 2s 4s]" {
		t.Errorf("waits %v", waits)
	}
}

func TestServerSetsTheRetryDelay(t *testing.T) {
	url, _ := server(t, "retry: 5000\nid: 1\ndata: {}\n\n", "data: {\"type\":\"end\"}\n\n")
	var waits []time.Duration
	if _, err := follow(t, &client.EventSource{Request: client.Request{URL: url}, Repeated: view.Repeated, Again: true, Wait: patient(&waits)}); err != nil || fmt.Sprint(waits) != "[5s]" {
		t.Error(err, waits)
	}
}

func TestALiveStreamThatCantBeResumed(t *testing.T) {
	var waits []time.Duration
	for name, c := range map[string]struct {
		answers []string
		want    string
	}{
		"gone":   {[]string{textChunk(1, "r", text("a")), "404"}, "resuming after event 1: the server answers 404"},
		"no ids": {[]string{"data: {}\n\n"}, "no ids"},
		"never":  {[]string{"503"}, `503 with text/plain, expected 200 with text/event-stream: no\x1b[2J such stream`},
	} {
		url, _ := server(t, c.answers...)
		if _, err := follow(t, &client.EventSource{Request: client.Request{URL: url}, Repeated: view.Repeated, Again: true, Wait: patient(&waits)}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	stop := errors.New("stopped")
	url, _ := server(t, textChunk(1, "r", text("a")))
	_, err := follow(t, &client.EventSource{Request: client.Request{URL: url}, Repeated: view.Repeated, Again: true, Wait: func(context.Context, time.Duration) error { return stop }})
	if !errors.Is(err, stop) {
		t.Error(err)
	}
}

func TestWithoutAgainAStreamIsReadOnce(t *testing.T) {
	url, cursors := server(t, textChunk(1, "r", text("a")))
	if out, err := follow(t, &client.EventSource{Request: client.Request{URL: url}, Repeated: view.Repeated}); err != nil || out != "1 " || len(*cursors) != 1 {
		t.Error(out, err, *cursors)
	}
}

func TestHeadersDontGoToAnotherHost(t *testing.T) {
	var seen string
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.Header.Get("X-Key") }))
	defer other.Close()
	s := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusFound))
	defer s.Close()
	_, err := follow(t, &client.EventSource{Request: client.Request{URL: s.URL, Header: http.Header{"X-Key": {"secret"}}}})
	if err == nil || !strings.Contains(err.Error(), "redirects to "+other.URL) || seen != "" {
		t.Error(err, seen)
	}
}

func TestTailWaitsForMore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	grows := io.MultiReader(strings.NewReader("a"), iotest.ErrReader(io.EOF), strings.NewReader("b"))
	r := view.Tail(ctx, grows)
	b := make([]byte, 8)
	if n, err := r.Read(b); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if n, err := r.Read(b); n != 1 || b[0] != 'b' || err != nil {
		t.Fatal(n, err, b)
	}
	cancel()
	if n, err := r.Read(b); n != 0 || !errors.Is(err, io.EOF) {
		t.Fatal(n, err)
	}
	broken := errors.New("broken")
	if _, err := view.Tail(ctx, iotest.ErrReader(broken)).Read(b); !errors.Is(err, broken) {
		t.Error(err)
	}
}
