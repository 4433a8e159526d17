package helixui_test

import (
	"fmt"

	helixui "github.com/streamcert/streamcert/reference/mutant/helix-ui"
)

// Each entry is a server with one bug, and the requirement that a run has to name for it.
func ExampleCatalogue() {
	m := helixui.Catalogue()[0]
	fmt.Println(m.Name, "breaks", m.Requirement+":", m.Summary)
	// Output: breaks-the-connection breaks helix-ui.errors.part: What the model's connection does, the client's does too.
}
