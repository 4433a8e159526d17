package target

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/record"
)

// bounded returns a session with a server and with limits.
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
		if err != nil || v.End != record.Broken || !errors.As(v.Err, &limit) || limit.Limit != 100<<10 {
			t.Errorf("got %v, %v, %v", v.End, v.Err, err)
		}
		frames += len(v.Frames)
	}
	if frames == 0 || frames > 200 {
		t.Errorf("%d frames of 10 bytes were kept", frames)
	}
	if _, err := s.Document(DocumentRequest{Route: telling(), Stream: "s"}); err == nil {
		t.Error("an answer was taken though nothing was left")
	}
}

func TestAFrameIsBounded(t *testing.T) {
	s := bounded(t, endless("data: x"), Timing{}, Limits{Frame: 2000})
	if v, err := attach(t, s, ReadRequest{}).Ended(); err != nil || v.End != record.Broken || len(v.Frames) != 0 {
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
		if errors.As(err, &late) && late.After == 100*time.Millisecond || err == nil && f == nil && rd.Now().End == record.Broken {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestDeclared(t *testing.T) {
	l := Limits{Frame: 1 << 20, Events: 500, String: 256 << 10, Chunk: 1<<20 + 1, Readers: 3, Streams: 8, Silence: 30 * time.Second}
	want := []string{"events: 500", "string: 256KiB", "chunk: 1048577", "readers: 3", "streams: 8", "silence: 30s"}
	if diff := cmp.Diff(want, l.Declared()); diff != "" {
		t.Error(diff)
	}
	if got := (Limits{Frame: 1 << 20}).Declared(); len(got) != 0 {
		t.Errorf("nothing is declared, and it says %q", got)
	}
}

func TestWithin(t *testing.T) {
	for _, c := range []struct{ declared, want Limits }{
		{Limits{}, Limits{Events: 10_000, String: 8 << 20, Chunk: 16 << 20, Readers: 32}},
		{Limits{Chunk: 4 << 10}, Limits{Events: 10_000, String: 4 << 10, Chunk: 4 << 10, Readers: 32}},
		{Limits{Events: 1, String: 2 << 10, Readers: 2, Streams: 3, Silence: time.Second},
			Limits{Events: 1, String: 2 << 10, Chunk: 16 << 20, Readers: 2, Streams: 3, Silence: time.Second}},
	} {
		if diff := cmp.Diff(c.want, c.declared.Within()); diff != "" {
			t.Errorf("%+v: %s", c.declared, diff)
		}
	}
}

// TestSilence: a stream isn't left silent for longer than the server keeps it open.
func TestSilence(t *testing.T) {
	for silence, want := range map[time.Duration]time.Duration{0: time.Second, time.Minute: time.Second, time.Millisecond: time.Millisecond} {
		tg, err := New(Config{URL: "http://127.0.0.1:1", Timing: Timing{Idle: time.Second}, Limits: Limits{Silence: silence}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := tg.Timing().Idle; got != want {
			t.Errorf("silence %v: idle %v, expected %v", silence, got, want)
		}
	}
}

// TestAwait: a wait ends with its event, or with the longest declared silence, and doesn't use the scenario's time.
func TestAwait(t *testing.T) {
	over := make(chan struct{})
	close(over)
	for _, c := range []struct {
		name    string
		silence time.Duration
		over    chan struct{}
	}{{"over", 0, over}, {"over before the silence is", time.Hour, over}, {"a declared silence", 20 * time.Millisecond, nil}} {
		t.Run(c.name, func(t *testing.T) {
			tg, err := New(Config{URL: "http://127.0.0.1:1", Limits: Limits{Silence: c.silence}}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			s := tg.Session(t.Context())
			defer s.Close()
			until := s.until
			waited, err := s.Await(c.over)
			if err != nil || c.over == nil && waited < c.silence || !s.until.Equal(until.Add(waited)) {
				t.Errorf("%v, %v, until %v later", waited, err, s.until.Sub(until))
			}
		})
	}
	tg, err := New(Config{URL: "http://127.0.0.1:1"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := tg.Session(ctx)
	cancel()
	if _, err := s.Await(nil); err == nil {
		t.Error("a session that was ended waits on")
	}
}

// TestEpoch: each scenario has other moments, as long as there are any.
func TestEpoch(t *testing.T) {
	tg, err := New(Config{URL: "http://127.0.0.1:1"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	one, two := tg.Session(t.Context()), tg.Session(t.Context())
	if one.Epoch() != one.Epoch() || EpochOf(one.Epoch()) != 1 || EpochOf(two.Epoch()+EpochLength-1) != 2 || EpochOf(two.Epoch()+EpochLength) != 3 {
		t.Errorf("%d, %d", one.Epoch(), two.Epoch())
	}
	tg.epochs.Store(epochs)
	if got := EpochOf(tg.Session(t.Context()).Epoch()); got != 0 || EpochOf(0) != 0 || EpochOf(time.Now().UnixMilli()) != 0 {
		t.Errorf("beyond the last: %d", got)
	}
}

func TestLongHeadsAreShortened(t *testing.T) {
	long := strings.Repeat("x", 5<<10)
	cut := long[:1<<10] + "… (5120 bytes)"
	for name, c := range map[string]struct{ second, first, after string }{
		"long, and not too long": {"", long, ""},
		"too long together":      {long, cut, cut},
		"short beside long":      {"short", long, "short"},
	} {
		rd := attach(t, session(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-First", long)
			w.Header().Set("X-Second", c.second)
			eventStream(w, ": hello\n\n")
		}), ReadRequest{})
		head, err := rd.Head()
		if err != nil {
			t.Fatal(err)
		}
		got := head.HeaderMap()
		if !slices.Equal(got["x-first"], []string{c.first}) || !slices.Equal(got["x-second"], []string{c.after}) {
			t.Errorf("%s: %.40q and %.40q", name, got["x-first"], got["x-second"])
		}
	}
}

func TestShortenedHeadsContainNoPartOfASecret(t *testing.T) {
	const secret = "sesame-open-the-door"
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Seen", strings.Repeat("x", 1<<10-8)+secret+strings.Repeat("x", 9<<10))
		eventStream(w, ": hello\n\n")
	}))
	defer srv.Close()
	tg, err := New(Config{URL: srv.URL, Headers: map[string]string{"Authorization": "Bearer " + secret}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tg.Close()
	s := tg.Session(t.Context())
	defer s.Close()
	head, err := attach(t, s, ReadRequest{}).Head()
	if err != nil {
		t.Fatal(err)
	}
	if seen := head.Get("x-seen"); strings.Contains(seen, secret[:8]) || !strings.Contains(seen, " bytes)") {
		t.Errorf("got %q", seen[1000:])
	}
}
