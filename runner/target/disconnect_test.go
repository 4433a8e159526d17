package target

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/record"
)

// TestDisconnectAfter: a connection is closed at the byte, complete frames before are there and the incomplete one isn't, and the
// server notices.
func TestDisconnectAfter(t *testing.T) {
	const one = "id: 1\ndata: é\n\n"
	left := make(chan struct{}, 10)
	s := session(t, func(w http.ResponseWriter, r *http.Request) {
		eventStream(w, one+"id: 2\ndata: b\n\n")
		<-r.Context().Done()
		left <- struct{}{}
	})
	for bytes, frames := range map[int64]int{1: 0, 13: 0, int64(len(one)) - 1: 0, int64(len(one)): 1, int64(len(one)) + 5: 1} {
		rd := attach(t, s, ReadRequest{DisconnectAfter: bytes})
		v, err := rd.Ended()
		if err != nil || v.End != record.ClientClose || v.Err != nil || len(v.Frames) != frames {
			t.Errorf("after %d bytes: %d frames, end %v, %v, %v", bytes, len(v.Frames), v.End, v.Err, err)
		}
		select {
		case <-left:
		case <-time.After(5 * time.Second):
			t.Fatalf("after %d bytes the server still has its reader", bytes)
		}
	}
}

func TestForget(t *testing.T) {
	s := session(t, func(w http.ResponseWriter, _ *http.Request) { eventStream(w, "id: 1\ndata: a\n\n") })
	kept, dropped := attach(t, s, ReadRequest{}), attach(t, s, ReadRequest{})
	for _, rd := range []*Reader{kept, dropped} {
		if _, err := rd.Ended(); err != nil {
			t.Fatal(err)
		}
	}
	before := s.stored()
	s.Forget(dropped)
	if all := s.Exchanges(); len(all) != 1 || all[0] != kept.Exchange || s.stored() >= before {
		t.Errorf("%d exchanges are left, and room for %d bytes more", len(all), before-s.stored())
	}
}

// TestSent: who waits for a request that is on its way goes on, whether it comes
// back or not.
func TestSent(t *testing.T) {
	s := session(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	attach(t, s, ReadRequest{}).Sent()
	tg, err := New(Config{URL: "http://127.0.0.1:1"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tg.Close()
	nobody := tg.Session(context.Background())
	defer nobody.Close()
	attach(t, nobody, ReadRequest{}).Sent()
}

// TestRenderFoldsComments: heartbeats don't push out the frames that matter.
func TestRenderFoldsComments(t *testing.T) {
	rd := attach(t, session(t, func(w http.ResponseWriter, _ *http.Request) {
		eventStream(w, "id: 1\ndata: a\n\n"+strings.Repeat(": beat\n\n", 106)+"id: 2\ndata: b\n\n: beat\n\n")
	}), ReadRequest{})
	if _, err := rd.Ended(); err != nil {
		t.Fatal(err)
	}
	for frame, want := range map[int]string{
		-1: "  id: 1\n  data: a\n\n  … 106 comments\n  id: 2\n  data: b\n\n  … 1 comment\n  == server closes\n",
		0:  "✗ id: 1\n✗ data: a\n\n  … 106 comments\n  id: 2\n",
		50: "  … 49 comments\n✗ : beat\n\n  … 56 comments\n  id: 2\n",
	} {
		if got := rd.Render(frame); !strings.Contains(got, want) || strings.Contains(got, "earlier") {
			t.Errorf("frame %d: no %q in\n%s", frame, want, got)
		}
	}
}

// TestRenderMarksConnectionsThatTheSuiteClosed: a connection that the kit closed was open, whatever the
// error is.
func TestRenderMarksConnectionsThatTheSuiteClosed(t *testing.T) {
	s := impatient(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	silent := attach(t, s, ReadRequest{})
	if _, err := silent.Head(); !isTimeout(err) {
		t.Fatal(err)
	}
	if got := silent.Render(-1); !strings.Contains(got, "< no head yet; the connection is open\n") {
		t.Error(got)
	}
	silent.Disconnect()
	if got := silent.Render(-1); !strings.Contains(got, "< no head within ") || !strings.Contains(got, "; the connection was open\n") || strings.Contains(got, "cancel") {
		t.Error(got)
	}
	call, err := s.Document(DocumentRequest{Route: telling(), Stream: "s"})
	if err == nil {
		t.Fatal("it was answered")
	}
	if got := call.Render(-1); !strings.Contains(got, "did not come within 200ms") {
		t.Error(got)
	}
	reset := attach(t, session(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), ReadRequest{})
	if _, err := reset.Head(); err == nil {
		t.Fatal("it was answered")
	}
	if got := reset.Render(-1); !strings.Contains(got, "< no answer (EOF)") {
		t.Error(got)
	}
}

// TestRenderShowsCalls: the suite's calls are shown at their positions, the last five, clipped.
func TestRenderShowsCalls(t *testing.T) {
	written := make(chan string)
	s := session(t, func(w http.ResponseWriter, r *http.Request) {
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
	rd := attach(t, s, ReadRequest{})
	for _, body := range []string{"", `"first"`, `"` + strings.Repeat("x", 300) + `"`} {
		if body != "" {
			call(body)
		}
		if _, err := next(rd); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := rd.Ended(); err != nil {
		t.Fatal(err)
	}
	got := rd.Render(-1, s.Exchanges()...)
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
	if got := rd.Render(-1, s.Exchanges()...); strings.Count(got, "· ") != maxCalls {
		t.Errorf("%d calls are shown", strings.Count(got, "· "))
	}
	if got := rd.Render(-1, s.Exchanges()...); !strings.HasPrefix(got, "  … 3 control calls hidden\n") {
		t.Errorf("calls are left out without a mark:\n%s", got)
	}
	if got := rd.Render(1, s.Exchanges()...); strings.Contains(got, "xxx") {
		t.Errorf("a call is shown that came after the frame:\n%s", got)
	}
}

// TestRenderLeavesOutOtherStreams: calls on another stream explain nothing.
func TestRenderLeavesOutOtherStreams(t *testing.T) {
	s := session(t, func(w http.ResponseWriter, r *http.Request) {
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
	theirs, err := s.Attach(ReadRequest{Stream: "t"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := theirs.Ended(); err != nil {
		t.Fatal(err)
	}
	rd := attach(t, s, ReadRequest{})
	if _, err := rd.Ended(); err != nil {
		t.Fatal(err)
	}
	got := rd.Render(-1, s.Exchanges()...)
	if strings.Contains(got, "theirs") || !strings.Contains(got, "ours") || !strings.Contains(got, "… 3 control calls hidden\n") {
		t.Errorf("%s", got)
	}
}
