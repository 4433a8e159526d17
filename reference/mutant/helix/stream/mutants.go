package stream

import (
	"slices"

	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
)

// Mutants returns the mutants of streams, in the order of the chapters of the spec.
func Mutants() []edit.Mutant {
	return slices.Concat(
		chunks(), lifecycle(), ordering(), wire(), http_(), errors_(), resume(), truncation(), status(), security(), snapshot(),
		afterManyScenarios(), durable(), replicas(),
	)
}
