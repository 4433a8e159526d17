package run

import (
	"slices"

	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
)

// Mutants returns the mutants of runs that only campaigns find.
func Mutants() []edit.Mutant {
	return slices.Concat(
		gates(), amountsOfRuns(), leftovers(), atOnce(), runsKilled(), deadlines(), emptyAgents(), lengthy(), elsewhere(),
		runFieldLimits(), runTables(), insideSubAgents(), pages(), appends(), patchMoves(), sums(), runAgain(),
		coincidences(), rollbacks(), starts(), timers(), outcomes(), reasons(), checkpoints(), branches(), runs(),
		subAgentFailures(), steered(), children(), memories(), words(), agentErrors(), answers(), calls(), reports(),
		decisions(), arguments(), results(), limited(), outputs(), runData(), runValues(),
	)
}
