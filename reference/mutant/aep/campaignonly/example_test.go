package campaignonly_test

import (
	"fmt"

	"github.com/streamcert/streamcert/reference/mutant/aep/campaignonly"
)

// Each entry is a server with one bug, and the requirement that a run has to name for it.
func ExampleMutants() {
	m := campaignonly.Mutants()[0]
	fmt.Println(m.Name, "breaks", m.Requirement+":", m.Summary)
	// Output: who-has-answered-answers-anywhere breaks aep.actions.other-thread: A thread that has had a result is trusted, and may bring those of its user's other threads.
}
