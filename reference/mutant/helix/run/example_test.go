package run_test

import (
	"fmt"

	"github.com/streamcert/streamcert/reference/mutant/helix/run"
)

// Each entry is a server with one bug, and the requirement that a run has to name for it.
func ExampleMutants() {
	m := run.Mutants()[0]
	fmt.Println(m.Name, "breaks", m.Requirement+":", m.Summary)
	// Output: trims-line-ends breaks helix.text.concatenation: The line ends around each piece of text are trimmed.
}
