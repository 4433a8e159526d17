package target

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/record"
)

// TestFewHoldMuch: of many scenarios with large responses, few store much at a time, whether of one frame or of many; the
// others wait, which doesn't count against the server, and each has its turn.
func TestFewHoldMuch(t *testing.T) {
	for name, piece := range map[string]string{"one frame": "data: " + strings.Repeat("x", 2*bulk), "frames": strings.Repeat("data: {}\n\n", 2*bulk/frameOverhead)} {
		t.Run(name, func(t *testing.T) {
			began, goOn := atomic.Int64{}, make(chan struct{})
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, piece)
				_ = http.NewResponseController(w).Flush()
				began.Add(1)
				<-goOn
				_, _ = io.WriteString(w, "\n\n")
			}))
			defer srv.Close()
			tg, err := New(Config{URL: srv.URL}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer tg.Close()
			const all = bulky + 3
			var readers []*Reader
			ended := make(chan error, all)
			for range all {
				s := tg.Session(context.Background())
				rd := attach(t, s, ReadRequest{})
				readers = append(readers, rd)
				go func() {
					release := s.Hold()
					v, err := rd.Ended()
					if err == nil && v.End != record.ServerClose {
						err = v.Err
					}
					s.Close()
					if !s.turn.has.Load() {
						err = errors.Join(err, errors.New("its turn ended with the session"))
					}
					release()
					ended <- err
				}()
			}
			for by := time.Now().Add(10 * time.Second); began.Load() < bulky || queued(readers) < all-bulky; {
				if time.Sleep(time.Millisecond); time.Now().After(by) {
					t.Fatalf("%d wait for their turn", queued(readers))
				}
			}
			if n := len(tg.bulky); n != bulky {
				t.Errorf("%d hold much", n)
			}
			for _, rd := range readers {
				if before := rd.waitedFor(); !rd.session.turn.has.Load() && rd.waitedFor() <= before {
					t.Error("the time in which it waits for its turn is held against the server")
				}
			}
			close(goOn)
			for range all {
				if err := <-ended; err != nil {
					t.Error(err)
				}
			}
			if n := len(tg.bulky); n != 0 {
				t.Errorf("%d turns were not given back", n)
			}
		})
	}
}

// TestFewReadersHoldLargeFrames: of many readers of one scenario, few store a large incomplete frame; the others wait, and
// each has its turn.
func TestFewReadersHoldLargeFrames(t *testing.T) {
	goOn := make(chan struct{})
	s := session(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: "+strings.Repeat("x", large+large/8)) // a reader that left is no concern of this test
		_ = http.NewResponseController(w).Flush()
		<-goOn
		_, _ = io.WriteString(w, "\n\n")
	})
	const all = largeReaders + 3
	var readers []*Reader
	for range all {
		readers = append(readers, attach(t, s, ReadRequest{}))
	}
	for by := time.Now().Add(10 * time.Second); len(s.target.large) < largeReaders || queued(readers) < all-largeReaders; {
		if time.Sleep(time.Millisecond); time.Now().After(by) {
			t.Fatalf("%d hold large frames, %d wait for their turn", len(s.target.large), queued(readers))
		}
	}
	close(goOn)
	for _, rd := range readers {
		if v, err := rd.Ended(); err != nil || v.End != record.ServerClose || len(v.Frames) != 1 {
			t.Errorf("ended by %v with %d frames, %v, %v", v.End, len(v.Frames), v.Err, err)
		}
	}
	if n := len(s.target.large); n != 0 {
		t.Errorf("%d turns were not given back", n)
	}
}

// TestWhoWaitsForItsTurnCanLeave: a reader that is closed meanwhile ends at once.
func TestWhoWaitsForItsTurnCanLeave(t *testing.T) {
	s := bounded(t, endless("data: x"), Timing{}, Limits{})
	for range bulky {
		s.target.bulky <- struct{}{}
	}
	rd := attach(t, s, ReadRequest{})
	for queued([]*Reader{rd}) == 0 {
		time.Sleep(time.Millisecond)
	}
	rd.Disconnect()
	if v := rd.Now(); v.End != record.ClientClose {
		t.Errorf("it ended by %v", v.End)
	}
}

// queued returns the number of readers that wait for their turn.
func queued(readers []*Reader) int {
	n := 0
	for _, r := range readers {
		r.mu.Lock()
		if !r.queued.IsZero() {
			n++
		}
		r.mu.Unlock()
	}
	return n
}
