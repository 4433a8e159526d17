package target

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/record"
)

// halting sends the beginning of a stream, and the remainder after a time.
func halting(begin, rest string, after time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		eventStream(w, begin)
		select {
		case <-time.After(after):
			eventStream(w, rest)
		case <-r.Context().Done():
		}
	}
}

// TestFrameInTransferIsInTime: a large frame over a slow line may take longer than the deadline. Data outside of a
// frame extends nothing, nor does a byte now and then.
func TestFrameInTransferIsInTime(t *testing.T) {
	const deadline = 900 * time.Millisecond // shorter than the deadlines that are extended on a busy machine
	much := strings.Repeat("x", 64<<10)
	for name, c := range map[string]struct {
		begin, rest string
		late        bool
	}{
		"much of a frame":   {`data: "` + much, "\"\n\n", false},
		"little of a frame": {`data: "x`, "\"\n\n", true},
		"comments":          {strings.Repeat(": "+much[:1000]+"\n\n", 64), "data: {}\n\n", true},
		"a frame before it": {"data: \"" + much + "\"\n\ndata: ", "{}\n\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := attach(t, sessionWithin(t, deadline, halting(c.begin, c.rest, deadline+deadline/4)), ReadRequest{})
			if _, err := r.Head(); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(c.begin, "\n\ndata: ") {
				if _, err := next(r); err != nil {
					t.Fatal(err)
				}
			}
			began := time.Now()
			for {
				f, err := next(r)
				if err == nil && f != nil && f.DataLines == 0 {
					continue
				}
				if isTimeout(err) != c.late {
					t.Errorf("after %v: %v", time.Since(began), err)
				}
				return
			}
		})
	}
}

// TestFrameWithoutEndTimesOut: however much has come, a wait lasts no longer than a few deadlines.
func TestFrameWithoutEndTimesOut(t *testing.T) {
	e := new(Session).newExchange(record.Read)
	e.comes(1 << 30)
	now := time.Now()
	for kind, want := range map[waitKind]time.Duration{forFrame: mostForLine * time.Second, forHead: 0} {
		if got := e.by(waiting{kind: kind, by: now}, time.Second).Sub(now); got != want {
			t.Errorf("a wait of kind %d lasts %v longer, expected %v", kind, got, want)
		}
	}
}

// TestASeriesOfWaitsIsGivenTheTimeOfOne: who passes over frames on a busy machine gets as much more time as who waits once.
func TestASeriesOfWaitsIsGivenTheTimeOfOne(t *testing.T) {
	defer strained(4)()
	frames := make(chan string)
	s := sessionWithin(t, sharp, func(w http.ResponseWriter, r *http.Request) {
		eventStream(w, "")
		for {
			select {
			case frame := <-frames:
				eventStream(w, frame)
			case <-r.Context().Done():
				return
			}
		}
	})
	r := attach(t, s, ReadRequest{})
	by := s.target.By()
	pace := time.NewTicker(sharp / 100) // a server as fast as it can sends more than a session keeps
	defer pace.Stop()
	for ; time.Now().Before(by); <-pace.C {
		frames <- "data: {}\n\n"
		if _, err := r.Next("the last frame", by); err != nil {
			t.Fatal(err)
		}
	}
	frames <- "data: {}\n\n"
	if _, err := r.Next("the last frame", by); err != nil {
		t.Errorf("%v after %v", err, sharp)
	}
	began := time.Now()
	if _, err := r.Next("what never comes", by); !isTimeout(err) || time.Since(began) > 4*sharp {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

// TestNoFrameIsAwaitedWithoutHead: a server that sends no heads gets no waits for frames, and a delayed head gives its
// frames all of their time.
func TestNoFrameIsAwaitedWithoutHead(t *testing.T) {
	const whole = 20 * time.Second
	headless := func(h http.HandlerFunc) *Reader {
		s := sessionWithin(t, whole, h)
		for range shortenAfter {
			s.target.exhausted(forHead)
		}
		return attach(t, s, ReadRequest{})
	}
	began := time.Now()
	_, err := next(headless(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	if took := time.Since(began); !isTimeout(err) || took > whole/2 {
		t.Errorf("%v after %v, expected a time-out after %v or a little more", err, took, minTimeout)
	}
	f, err := next(headless(halting("", "data: {}\n\n", 2*minTimeout)))
	if err != nil || f == nil {
		t.Errorf("a frame that comes after its head: %v, %v", f, err)
	}
}
