package view_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/streamcert/streamcert/runner/view"
	"github.com/streamcert/streamcert/runner/wire"
)

func Example() {
	body := `data: {"type":"chunk","sequence":1,"chunk":{"type":"text_delta","delta":"Looking","agentId":"a","agentType":"planner","timestamp":1}}

data: {"type":"chunk","sequence":2,"chunk":{"type":"text_delta","delta":" it up.","agentId":"a","agentType":"planner","timestamp":2}}

data: {"type":"end"}

`
	w := view.NewTranscript(os.Stdout, view.Options{Width: 80})
	for e, err := range view.Events(wire.NewReader(strings.NewReader(body), wire.Options{})) {
		if err == nil {
			err = w.Event(e)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// ● planner · a
	//   Looking it up.
	// ■ end of the stream
}
