package sweep

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

// beating serves one event and then heartbeats, so that a client that waits for a second event keeps receiving bytes.
func beating(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, "id: 1\ndata: {\"type\":\"chunk\",\"chunk\":{},\"sequence\":1}\n\n")
	for r.Context().Err() == nil {
		fmt.Fprint(w, ": beat\n\n")
		w.(http.Flusher).Flush()
		time.Sleep(10 * time.Millisecond)
	}
}

// TestHeartbeatsDontMoveTheDeadline: heartbeats don't extend the wait of a disconnected client for an event.
func TestHeartbeatsDontMoveTheDeadline(t *testing.T) {
	for name, read := range map[string]func(*disconnectingClient) error{
		"while writing": func(cl *disconnectingClient) error { return cl.readN(2, 0, make(chan *target.Reader, 1)) },
		"to the end": func(cl *disconnectingClient) error {
			_, err := cl.connection(0, func(*disconnectingClient, *world.Message) error { return nil })
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(beating))
			defer srv.Close()
			tg, err := target.New(target.Config{URL: srv.URL, Timing: target.Timing{Deadline: 200 * time.Millisecond}}, target.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer tg.Close()
			w := world.Of(steps.NewWorld(steps.Env{}, tg.Session(t.Context()), ""))
			defer w.Session().Close()
			cl := &disconnectingClient{sweep: &sweep{w: w, stream: world.StreamOf(w, "", "s")}, from: map[*world.Message]*target.Reader{}}
			cl.sweep.whileWriting = cl
			world.Put(w, cl.sweep)
			// The message of a wait that ends with the scenario has the time limit of a scenario.
			if err := read(cl); err == nil || !strings.Contains(err.Error(), "nothing within ") || strings.Contains(err.Error(), "nothing within 4s") {
				t.Errorf("got %v", err)
			}
		})
	}
}
