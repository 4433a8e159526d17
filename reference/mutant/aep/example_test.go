package aep_test

import (
	"fmt"

	"github.com/streamcert/streamcert/reference/mutant/aep"
)

// Each entry is a server with one bug, and the requirement that a run has to name for it.
func ExampleCatalogue() {
	m := aep.Catalogue()[0]
	fmt.Println(m.Name, "breaks", m.Requirement+":", m.Summary)
	// Output: asking-again-stops breaks aep.actions.action-required: A response with more than one continuation ends with stop.
}
