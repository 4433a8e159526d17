package stream

import (
	"slices"

	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
)

// Mutants returns the mutants of streams, in the order of the chapters of the spec.
func Mutants() []edit.Mutant {
	return slices.Concat(
		chunks(), values(), lifecycle(), readers(), ordering(), wire(), httpMutants(), errors_(), resume(), resumeCursors(), resumeSweep(), truncation(), status(),
		security(), snapshot(), snapshotState(), snapshotCuts(), snapshotMessages(),
		afterManyScenarios(), durable(), replicas(),
	)
}
