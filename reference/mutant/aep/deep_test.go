package aep

import (
	"slices"
	"testing"

	"github.com/streamcert/streamcert/reference/mutant/mutanttest"
)

// TestDeep: the deep mutants and the others are one catalogue.
func TestDeep(t *testing.T) {
	var all []entry
	for _, m := range slices.Concat(Catalogue(), Deep()) {
		all = append(all, entry(m))
	}
	mutanttest.Check(t, all, func(m entry) []string { return Mutant(m).Seams() }, len(putAside))
}
