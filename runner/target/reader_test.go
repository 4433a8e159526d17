package target

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// session talks to a handler that answers. Its deadline is only reached when something is wrong.
func session(t *testing.T, h http.HandlerFunc) *Session {
	t.Helper()
	return sessionWithin(t, 20*time.Second, h)
}

// impatient talks to a handler from which something never comes.
func impatient(t *testing.T, h http.HandlerFunc) *Session {
	t.Helper()
	return sessionWithin(t, 200*time.Millisecond, h)
}

func sessionWithin(t *testing.T, deadline time.Duration, h http.HandlerFunc) *Session {
	t.Helper()
	srv := httptest.NewServer(h)
	tg, err := New(Config{URL: srv.URL, Timing: Timing{Deadline: deadline}}, Options{})
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

// The routes of the servers of these tests.
func reading() Route {
	return Route{Name: "read", Template: "/streams/{stream}/events", Placeholder: "{stream}"}
}
func telling() Route {
	return Route{Name: "info", Template: "/streams/{stream}", Placeholder: "{stream}"}
}

func attach(t *testing.T, s *Session, r ReadRequest) *Reader {
	t.Helper()
	r.Route, r.Stream = reading(), "s"
	rd, err := s.Attach(r)
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

func next(r *Reader) (*wire.Frame, error) { return r.Next("a frame", r.session.target.By()) }

func isTimeout(err error) bool {
	var late *TimeoutError
	return errors.As(err, &late)
}

func TestReaderTimesOut(t *testing.T) {
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	if _, err := attach(t, impatient(t, hang), ReadRequest{}).Head(); !isTimeout(err) {
		t.Errorf("a server that sends no head: %v, want a time-out", err)
	}
	silent := func(w http.ResponseWriter, r *http.Request) { eventStream(w, ""); <-r.Context().Done() }
	if _, err := next(attach(t, impatient(t, silent), ReadRequest{})); !isTimeout(err) {
		t.Errorf("a server that sends no frame: %v, want a time-out", err)
	}
}

func TestReaderEnds(t *testing.T) {
	rd := attach(t, session(t, func(w http.ResponseWriter, _ *http.Request) { eventStream(w, "id: 1\ndata: {}\n\n") }), ReadRequest{})
	if f, err := rd.Next("a frame", rd.session.target.By()); err != nil || f == nil || string(f.Data) != "{}" {
		t.Fatalf("frame %v, %v", f, err)
	}
	if f, err := rd.Next("the end", rd.session.target.By()); err != nil || f != nil {
		t.Fatalf("after the end: %v, %v, want nothing", f, err)
	}
	if v := rd.Now(); v.End != record.ServerClose {
		t.Errorf("end %v, want ServerClose", v.End)
	}
}

func TestReaderSeesAReset(t *testing.T) {
	rd := attach(t, session(t, func(w http.ResponseWriter, _ *http.Request) {
		eventStream(w, "id: 1\ndata: {}\n\nid: 2\nda")
		n, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_ = n.(*net.TCPConn).SetLinger(0)
			_ = n.Close()
		}
	}), ReadRequest{})
	v, err := rd.Ended()
	if err != nil || v.End != record.Broken || v.Err == nil {
		t.Errorf("end %v, %v, %v; want Broken with its reason", v.End, v.Err, err)
	}
}

// TestWhatAClientDidNotTake: frames, and the end of a body, after the last frame that a client took aren't in its exchange.
func TestWhatAClientDidNotTake(t *testing.T) {
	rd := attach(t, session(t, func(w http.ResponseWriter, _ *http.Request) { eventStream(w, "id: 1\ndata: {}\n\nid: 2\ndata: {}\n\n") }), ReadRequest{})
	if _, err := next(rd); err != nil {
		t.Fatal(err)
	}
	if _, err := rd.Ended(); err != nil {
		t.Fatal(err)
	}
	rd.Disconnect()
	rd.DropAfter(1)
	if v := rd.Now(); len(v.Frames) != 1 || v.End != record.ClientClose {
		t.Errorf("%d frames, end %v; want 1 and ClientClose", len(v.Frames), v.End)
	}
}

func TestReaderCuts(t *testing.T) {
	gone := make(chan struct{})
	rd := attach(t, session(t, func(w http.ResponseWriter, r *http.Request) {
		eventStream(w, "id: 1\ndata: {}\n\n")
		<-r.Context().Done()
		close(gone)
	}), ReadRequest{})
	if _, err := rd.Next("a frame", rd.session.target.By()); err != nil {
		t.Fatal(err)
	}
	rd.Disconnect()
	<-gone // the server notices at once, or the test hangs
	if v := rd.Now(); v.End != record.ClientClose {
		t.Errorf("end %v, want ClientClose", v.End)
	}
}

func TestReaderUndoesGzip(t *testing.T) {
	rd := attach(t, session(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") != "gzip" {
			http.Error(w, "gzip was not asked for", http.StatusNotAcceptable)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "text/event-stream")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, "id: 1\ndata: {}\n\n")
		_ = z.Flush()
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}), ReadRequest{Gzip: true})
	if f, err := rd.Next("a frame", rd.session.target.By()); err != nil || f == nil || f.ID != "1" {
		t.Errorf("frame %v, %v", f, err)
	}
}

func TestReaderStalls(t *testing.T) {
	rd := attach(t, session(t, func(w http.ResponseWriter, _ *http.Request) { eventStream(w, "id: 1\ndata: {}\n\n") }), ReadRequest{Stalled: true})
	if _, err := rd.Head(); err != nil {
		t.Fatal(err)
	}
	if n := len(rd.Now().Frames); n != 0 {
		t.Errorf("a stalled reader has %d frames", n)
	}
	rd.Resume()
	if f, err := rd.Next("a frame", rd.session.target.By()); err != nil || f == nil {
		t.Errorf("after reading on: %v, %v", f, err)
	}
}

func TestCallNamesTheMissingField(t *testing.T) {
	s := session(t, http.NotFound)
	_, err := s.Call("POST", "/streams/x/writers/w/chunks", []byte("{}"), false)
	u, ok := IsUnavailable(err)
	if !ok || u.Status != 404 || u.Call != "POST /control/streams/{stream}/writers/{writer}/chunks" {
		t.Errorf("got %v", err)
	}
	if _, err := s.Call("POST", "/streams/x/end", nil, true); err != nil {
		t.Errorf("a 404 that is allowed: %v", err)
	}
}

func TestAnswerIsBounded(t *testing.T) {
	s := session(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat("x", 4<<20+2))
	})
	if _, err := s.Document(DocumentRequest{Route: telling(), Stream: "s"}); err == nil {
		t.Error("an answer over the bound was taken")
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	s := session(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) })
	if v, err := attach(t, s, ReadRequest{}).Head(); err != nil || v.Status != 302 {
		t.Errorf("status %d, %v; want the 302 itself", v.Status, err)
	}
	e, err := s.Document(DocumentRequest{Route: telling(), Stream: "s"})
	if err != nil || e.Now().Status != 302 {
		t.Errorf("status %d, %v; want the 302 itself", e.Now().Status, err)
	}
}
