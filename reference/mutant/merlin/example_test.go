package merlin_test

import (
	"fmt"

	"github.com/streamcert/streamcert/reference/mutant/merlin"
)

// Each entry is a server with one bug, and the requirement that a run has to name for it.
func ExampleCatalogue() {
	m := merlin.Catalogue()[0]
	fmt.Println(m.Name, "breaks", m.Requirement+":", m.Summary)
	// Output: keeps-the-last-citation breaks merlin.aggregate.citations: Of the citations the last one is kept.
}
