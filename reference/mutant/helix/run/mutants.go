package run

import (
	"slices"

	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
)

// Mutants returns the mutants of runs, in the order of the chapters of the spec.
func Mutants() []edit.Mutant {
	return slices.Concat(
		runText(), thinking(), tools(), toolsArguments(), toolsResults(), approval(), runCustom(), runOutput(), errorsMutants(), errorStops(), subagents(), subagentsInside(), state(), stateSum(),
		runsMutants(), runsResuming(), runsStream(), runsTable(), checkpoints(), runResync(), repeatedIDs(),
	)
}
