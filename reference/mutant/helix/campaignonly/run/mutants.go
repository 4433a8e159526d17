package run

import (
	"slices"

	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
)

// Mutants returns the mutants of runs that only campaigns find.
func Mutants() []edit.Mutant {
	return slices.Concat(rareCalls(), rareValues(), sessions(), rareSubagents())
}
