package target

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// bounded is a session with a server and with limits.
func bounded(t *testing.T, h http.HandlerFunc, timing Timing, limits Limits) *Session {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	tg, err := New(Config{URL: srv.URL, Timing: timing, Limits: limits}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tg.Close)
	s := tg.Session(context.Background())
	t.Cleanup(s.Close)
	return s
}

// endless sends a piece again and again until the client hangs up.
func endless(piece string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for {
			if _, err := io.WriteString(w, strings.Repeat(piece, 100)); err != nil {
				return
			}
		}
	}
}

func TestWhatAScenarioKeepsIsBounded(t *testing.T) {
	s := bounded(t, endless("data: {}\n\n"), Timing{}, Limits{Scenario: 100 << 10})
	frames := 0
	for range 3 { // all of them share it
		v, err := attach(t, s, ReadRequest{}).Ended()
		var limit *LimitError
		if err != nil || v.End != Broken || !errors.As(v.Err, &limit) || limit.Limit != 100<<10 {
			t.Errorf("got %v, %v, %v", v.End, v.Err, err)
		}
		frames += len(v.Frames)
	}
	if frames == 0 || frames > 200 {
		t.Errorf("%d frames of 10 bytes were kept", frames)
	}
	if _, err := s.Document(DocumentRequest{Stream: "s"}); err == nil {
		t.Error("an answer was taken though nothing was left")
	}
}

func TestAFrameIsBounded(t *testing.T) {
	s := bounded(t, endless("data: x"), Timing{}, Limits{Frame: 2000})
	if v, err := attach(t, s, ReadRequest{}).Ended(); err != nil || v.End != Broken || len(v.Frames) != 0 {
		t.Errorf("got %v, %d frames, %v", v.End, len(v.Frames), err)
	}
}

func TestTimesOfCommentsAreBounded(t *testing.T) {
	s := bounded(t, func(w http.ResponseWriter, _ *http.Request) {
		eventStream(w, strings.Repeat(":\n\n", 3*maxComments))
	}, Timing{}, Limits{})
	if v, err := attach(t, s, ReadRequest{}).Ended(); err != nil || len(v.Comments) != maxComments {
		t.Errorf("the times of %d comments were kept, %v", len(v.Comments), err)
	}
}

// TestAScenarioEnds: each frame comes in time, and yet it isn't waited for ever.
func TestAScenarioEnds(t *testing.T) {
	s := bounded(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_, _ = io.WriteString(w, "data: {}\n\n")
				_ = http.NewResponseController(w).Flush()
			case <-r.Context().Done():
				return
			}
		}
	}, Timing{Deadline: time.Minute, Scenario: 100 * time.Millisecond}, Limits{})
	rd := attach(t, s, ReadRequest{})
	for {
		f, err := rd.Next("the end", s.Target().By())
		var late *TimeoutError
		if errors.As(err, &late) && late.After == 100*time.Millisecond || err == nil && f == nil && rd.Now().End == Broken {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
