package observe_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/streamcert/streamcert/runner/observe"
	"github.com/streamcert/streamcert/runner/packs"
)

func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Last-Event-ID") == "4" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Cache-Control", "no-cache")
		fmt.Fprint(w, three()+end) // whatever the cursor
	}))
	defer server.Close()
	request := observe.Request{URL: server.URL}
	result, err := observe.Observe(context.Background(), request, observe.Options{Packs: packs.All(), Load: load, Sweep: &observe.SweepOptions{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, q := range result.Requirements {
		for _, f := range q.Findings {
			fmt.Println(q.ID+":", f.Message)
		}
	}
	// Output:
	// helix.resume.after-cursor: the stream can't be resumed: whatever the cursor, it comes from its first event
}
