package transcript

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/streamcert/streamcert/runner/target"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// session talks to a handler, and waits up to a deadline for it.
func session(t *testing.T, deadline time.Duration, h http.HandlerFunc) *target.Session {
	t.Helper()
	srv := httptest.NewServer(h)
	tg, err := target.New(target.Config{URL: srv.URL, Timing: target.Timing{Deadline: deadline}}, target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := tg.Session(context.Background())
	t.Cleanup(func() {
		s.Close()
		tg.Close()
		srv.CloseClientConnections()
		srv.Close()
	})
	return s
}

// info is the route of a document.
func info() target.Route { return target.Route{Name: "info", Template: "/streams/{stream}"} }

// attach begins to read the stream s.
func attach(t *testing.T, s *target.Session) *target.Reader {
	t.Helper()
	rd, err := s.Attach(target.ReadRequest{Route: target.Route{Name: "read", Template: "/streams/{stream}/events"}, Stream: "s"})
	if err != nil {
		t.Fatal(err)
	}
	return rd
}

func eventStream(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, body)
	_ = http.NewResponseController(w).Flush()
}

func TestRenderMarksTheFrame(t *testing.T) {
	rd := attach(t, session(t, 20*time.Second, func(w http.ResponseWriter, _ *http.Request) {
		eventStream(w, "id: 1\ndata: a\n\nid: 2\ndata: b\x1b[31m\r\n\nid: 3\ndata: c\n\n")
	}))
	if _, err := rd.Ended(); err != nil {
		t.Fatal(err)
	}
	got := Render(rd.Exchange, 1)
	for _, want := range []string{"> GET /streams/s/events\n", "< 200\n", "  id: 1\n", "✗ id: 2\n", `✗ data: b\x1b[31m`, "  id: 3\n", "server closes"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestRenderFoldsComments: heartbeats don't push out the frames that matter.
func TestRenderFoldsComments(t *testing.T) {
	rd := attach(t, session(t, 20*time.Second, func(w http.ResponseWriter, _ *http.Request) {
		eventStream(w, "id: 1\ndata: a\n\n"+strings.Repeat(": beat\n\n", 106)+"id: 2\ndata: b\n\n: beat\n\n")
	}))
	if _, err := rd.Ended(); err != nil {
		t.Fatal(err)
	}
	for frame, want := range map[int]string{
		-1: "  id: 1\n  data: a\n\n  … 106 comments\n  id: 2\n  data: b\n\n  … 1 comment\n  == server closes\n",
		0:  "✗ id: 1\n✗ data: a\n\n  … 106 comments\n  id: 2\n",
		50: "  … 49 comments\n✗ : beat\n\n  … 56 comments\n  id: 2\n",
	} {
		if got := Render(rd.Exchange, frame); !strings.Contains(got, want) || strings.Contains(got, "earlier") {
			t.Errorf("frame %d: no %q in\n%s", frame, want, got)
		}
	}
}

// TestRenderMarksConnectionsThatTheSuiteClosed: a connection that the kit closed was open, whatever the
// error is.
func TestRenderMarksConnectionsThatTheSuiteClosed(t *testing.T) {
	s := session(t, 200*time.Millisecond, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	silent := attach(t, s)
	if _, err := silent.Head(); !errors.As(err, new(*target.TimeoutError)) {
		t.Fatal(err)
	}
	if got := Render(silent.Exchange, -1); !strings.Contains(got, "< no head yet; the connection is open\n") {
		t.Error(got)
	}
	silent.Disconnect()
	if got := Render(silent.Exchange, -1); !strings.Contains(got, "< no head within ") || !strings.Contains(got, "; the connection was open\n") || strings.Contains(got, "cancel") {
		t.Error(got)
	}
	call, err := s.Document(target.DocumentRequest{Route: info(), Stream: "s"})
	if err == nil {
		t.Fatal("it was answered")
	}
	if got := Render(call, -1); !strings.Contains(got, "did not come within 200ms") {
		t.Error(got)
	}
	reset := attach(t, session(t, 20*time.Second, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	if _, err := reset.Head(); err == nil {
		t.Fatal("it was answered")
	}
	if got := Render(reset.Exchange, -1); !strings.Contains(got, "< no answer (EOF)") {
		t.Error(got)
	}
}

// TestRenderNamesReusedConnections: a request over the connection of an earlier one is marked, since a server may err there only.
func TestRenderNamesReusedConnections(t *testing.T) {
	s := session(t, 20*time.Second, func(w http.ResponseWriter, _ *http.Request) { eventStream(w, "data: {}\n\n") })
	for n := range 2 {
		rd, err := s.Attach(target.ReadRequest{Route: target.Route{Name: "read", Template: "/streams/{stream}/events"}, Stream: "s", ReuseConnection: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := rd.Ended(); err != nil {
			t.Fatal(err)
		}
		if got := Render(rd.Exchange, -1); strings.Contains(got, "== over the connection of an earlier request\n") != (n == 1) {
			t.Errorf("request %d: %s", n+1, got)
		}
	}
}

// TestRenderShowsCalls: the suite's calls are shown at their positions, the last five, clipped.
func TestRenderShowsCalls(t *testing.T) {
	written := make(chan string)
	s := session(t, 20*time.Second, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			text, _ := io.ReadAll(r.Body)
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, `{"ok":1}`+"\n")
			if string(text) != `"before"` { // those are made before anybody reads
				written <- string(text)
			}
			return
		}
		eventStream(w, "id: 1\ndata: a\n\n")
		for range 2 {
			<-written
			eventStream(w, "id: 2\ndata: b\n\n")
		}
	})
	call := func(body string) {
		t.Helper()
		if _, err := s.Call("POST", "/streams/s/end", []byte(body), false); err != nil {
			t.Fatal(err)
		}
	}
	for range 6 {
		call(`"before"`)
	}
	rd := attach(t, s)
	for _, body := range []string{"", `"first"`, `"` + strings.Repeat("x", 300) + `"`} {
		if body != "" {
			call(body)
		}
		if _, err := rd.Next("a frame", s.Target().By()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := rd.Ended(); err != nil {
		t.Fatal(err)
	}
	got := Render(rd.Exchange, -1, s.Exchanges()...)
	order := []string{
		"· POST /control/streams/s/end \"before\" → 201 {\"ok\":1}\n", "> GET", "< 200", "  id: 1\n", "· POST /control/streams/s/end \"first\"",
		"  id: 2\n", "xxx… (302 bytes) → 201", "== server closes",
	}
	for at, want := range order {
		_, rest, found := strings.Cut(got, want)
		if !found {
			t.Fatalf("no %q after %q", want, order[:at])
		}
		got = rest
	}
	if got := Render(rd.Exchange, -1, s.Exchanges()...); strings.Count(got, "· ") != maxCalls {
		t.Errorf("%d calls are shown", strings.Count(got, "· "))
	}
	if got := Render(rd.Exchange, -1, s.Exchanges()...); !strings.HasPrefix(got, "  … 3 control calls hidden\n") {
		t.Errorf("calls are left out without a mark:\n%s", got)
	}
	if got := Render(rd.Exchange, 1, s.Exchanges()...); strings.Contains(got, "xxx") {
		t.Errorf("a call is shown that came after the frame:\n%s", got)
	}
}

// TestRenderLeavesOutOtherStreams: calls on another stream explain nothing.
func TestRenderLeavesOutOtherStreams(t *testing.T) {
	s := session(t, 20*time.Second, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			_, _ = io.WriteString(w, `{"runId":"run-of-t"}`)
			return
		}
		eventStream(w, "id: 1\ndata: a\n\n")
	})
	for _, call := range []struct{ path, body string }{
		{"/streams/t/chunks", `"theirs"`},
		{"/runs", `{"streamId":"t","script":"theirs"}`},
		{"/runs/run-of-t/release", `"theirs"`},
		{"/streams/s/chunks", `"ours"`},
	} {
		if _, err := s.Call("POST", call.path, []byte(call.body), false); err != nil {
			t.Fatal(err)
		}
	}
	theirs, err := s.Attach(target.ReadRequest{Stream: "t"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := theirs.Ended(); err != nil {
		t.Fatal(err)
	}
	rd := attach(t, s)
	if _, err := rd.Ended(); err != nil {
		t.Fatal(err)
	}
	got := Render(rd.Exchange, -1, s.Exchanges()...)
	if strings.Contains(got, "theirs") || !strings.Contains(got, "ours") || !strings.Contains(got, "… 3 control calls hidden\n") {
		t.Errorf("%s", got)
	}
}
