package run_test

import (
	"fmt"

	"github.com/streamcert/streamcert/reference/mutant/helix/run"
)

// Each entry is a server with one bug, and the requirement that a run has to name for it.
func ExampleMutants() {
	for _, m := range run.Mutants() {
		if m.Name == "sends-lines-so-far" {
			fmt.Println(m.Name, "breaks", m.Requirement+":", m.Summary)
		}
	}
	// Output: sends-lines-so-far breaks helix.text.concatenation: Of a text of several lines each delta is all that was said so far.
}
