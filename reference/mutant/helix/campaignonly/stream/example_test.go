package stream_test

import (
	"fmt"

	"github.com/streamcert/streamcert/reference/mutant/helix/campaignonly/stream"
)

// Each entry is a server with one bug, and the requirement that a run has to name for it.
func ExampleMutants() {
	m := stream.Mutants()[0]
	fmt.Println(m.Name, "breaks", m.Requirement+":", m.Summary)
	// Output: twentieth-status breaks helix.status.frames: A connection is sent twenty status frames.
}
