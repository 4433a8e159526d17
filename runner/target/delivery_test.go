package target

import (
	"net/http"
	"testing"
	"time"
)

// TestDeliveryReplacesTheDeadline: a frame may take as long as the config states, whatever else may take less.
func TestDeliveryReplacesTheDeadline(t *testing.T) {
	for _, c := range []struct {
		delivery time.Duration
		late     bool
	}{{0, true}, {time.Minute, false}} {
		written := make(chan struct{})
		s := bounded(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_ = http.NewResponseController(w).Flush()
			select {
			case <-written:
			case <-r.Context().Done():
			}
			_, _ = w.Write([]byte("data: {}\n\n"))
		}, Timing{Deadline: 100 * time.Millisecond, Delivery: c.delivery}, Limits{})
		r, err := s.Attach(ReadRequest{Stream: "t"})
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(300*time.Millisecond, func() { close(written) })
		if _, err := next(r); isTimeout(err) != c.late {
			t.Errorf("delivery %v: %v", c.delivery, err)
		}
		<-written
	}
}
