package target

import (
	"context"
	"net/http"
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
