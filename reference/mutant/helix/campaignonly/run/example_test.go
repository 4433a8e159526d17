package run_test

import (
	"fmt"

	"github.com/streamcert/streamcert/reference/mutant/helix/campaignonly/run"
)

// Each entry is a server with one bug, and the requirement that a run has to name for it.
func ExampleMutants() {
	m := run.Mutants()[0]
	fmt.Println(m.Name, "breaks", m.Requirement+":", m.Summary)
	// Output: answers-out-of-order-are-swapped breaks helix.tools.result: Where two calls wait for the client and the second is answered first, each ends with the answer to the other.
}
