package campaignonly_test

import (
	"fmt"

	"github.com/streamcert/streamcert/reference/mutant/aep/campaignonly"
)

// Each entry is a server with one bug, and the requirement that a run has to name for it.
func ExampleMutants() {
	m := campaignonly.Mutants()[0]
	fmt.Println(m.Name, "breaks", m.Requirement+":", m.Summary)
	// Output: asks-first-of-the-thread-again breaks aep.actions.unchanged: From the third response on that asks, the client is asked for what the first one of the thread asked for.
}
