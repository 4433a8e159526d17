package runtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/reference/runtime/script"
)

// A run takes its decisions from a Model, here a script, and writes chunks to a Journal.
func Example() {
	agent, err := script.Parse(json.RawMessage(`[[{"text":"Hello."}]]`))
	if err != nil {
		log.Fatal(err)
	}
	journal := new(record)
	r := runtime.New(runtime.Ports{Journal: journal, Tools: script.Tools{}}.WithDefaults())
	defer r.Close()
	run, err := r.Start(context.Background(), runtime.Start{Stream: "s", AgentType: "greeter", Model: agent})
	if err != nil {
		log.Fatal(err)
	}
	session, err := r.Session(run)
	if err != nil {
		log.Fatal(err)
	}
	state, err := session.Settled(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(state.Status, journal.text("text_delta", "delta"))
	// Output: completed [Hello.]
}
