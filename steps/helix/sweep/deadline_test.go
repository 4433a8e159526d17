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

// beating serves one event and then heartbeats, so that whoever waits for a second event is never alone.
func beating(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, "id: 1\ndata: {\"type\":\"chunk\",\"chunk\":{},\"sequence\":1}\n\n")
	for r.Context().Err() == nil {
		fmt.Fprint(w, ": beat\n\n")
		w.(http.Flusher).Flush()
		time.Sleep(10 * time.Millisecond)
	}
}

// TestHeartbeatsDontMoveTheDeadline: a client that is cut waits no longer for an event because the server sends comments.
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
			// A wait that only the end of the scenario ends says how long a scenario may take.
			if err := read(cl); err == nil || !strings.Contains(err.Error(), "nothing within ") || strings.Contains(err.Error(), "nothing within 4s") {
				t.Errorf("got %v", err)
			}
		})
	}
}
