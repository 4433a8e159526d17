package run

import (
	"slices"

	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
)

// Mutants returns the mutants of runs, in the order of the chapters of the spec.
func Mutants() []edit.Mutant {
	return slices.Concat(
		runText(), runThinking(), runTools(), runApproval(), runCustom(), runOutput(), runErrors(), runSubagents(), runState(),
		runRuns(), runCheckpoints(), runResync(), repeatedIDs(),
	)
}
