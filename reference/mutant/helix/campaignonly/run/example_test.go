package run_test

import (
	"fmt"

	"github.com/streamcert/streamcert/reference/mutant/helix/campaignonly/run"
)

// Each entry is a server with one bug, and the requirement that a run has to name for it.
func ExampleMutants() {
	m := run.Mutants()[0]
	fmt.Println(m.Name, "breaks", m.Requirement+":", m.Summary)
	// Output: broken-gate-deep-down breaks helix.approval.fails-closed: Where the gate of a call fails that a sub-agent of a sub-agent makes, the call runs.
}
