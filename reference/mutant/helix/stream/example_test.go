package stream_test

import (
	"fmt"

	"github.com/streamcert/streamcert/reference/mutant/helix/stream"
)

// Each entry is a server with one bug, and the requirement that a run has to name for it.
func ExampleMutants() {
	m := stream.Mutants()[0]
	fmt.Println(m.Name, "breaks", m.Requirement+":", m.Summary)
	// Output: accepts-untyped-chunk breaks helix.chunks.object: The type is checked only if it is truthy, so that a chunk with an empty type or none passes.
}
