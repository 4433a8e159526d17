package target_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/streamcert/streamcert/runner/target"
)

// A session attaches a reader to a stream, takes its frames, and records the exchange.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "id: 1\ndata: {}\n\n")
	}))
	defer server.Close()
	t, err := target.New(target.Config{URL: server.URL}, target.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	session := t.Session(context.Background())
	defer session.Close()
	reader, err := session.Attach(target.ReadRequest{Route: target.Route{Name: "read", Template: "/streams/{stream}/events", Placeholder: "{stream}"}, Stream: "s"})
	if err != nil {
		log.Fatal(err)
	}
	frame, err := reader.Next("the first frame", t.By())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(frame.ID, string(frame.Data))
	// Output: 1 {}
}
