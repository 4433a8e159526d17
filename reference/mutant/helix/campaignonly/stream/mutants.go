package stream

import (
	"slices"

	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
)

// Mutants returns the mutants of streams that only campaigns find.
func Mutants() []edit.Mutant {
	return slices.Concat(removal(), rareStreams(), rareChunks(), crashes(), rareReaders(), writers(), largeStreams())
}
