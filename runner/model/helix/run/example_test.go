package run_test

import (
	"fmt"

	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/run"
	"github.com/streamcert/streamcert/runner/model/helix/stream"
)

// A run has the script of the server's agent, and judges everything that a reader received of it.
func Example() {
	script, err := run.ParseScript([]byte(`[[{"text":"One."},{"text":" Two."}]]`))
	if err != nil {
		panic(err)
	}
	r := run.New(model.OccasionCounts{}, script)
	err = r.Check([]*stream.Produced{{ID: 1, Body: []byte(`{"agentId":"a","type":"text_delta","delta":"One. Three.","step":1}`)}})
	fmt.Println(err)
	// Output: the text of the agent is another: want "One. Two.", got "One. Three."
}
