package aep

import (
	"slices"

	"github.com/streamcert/streamcert/reference/variant"
)

// Catalogue returns all variants, sorted by name.
func Catalogue() []Variant {
	all := slices.Concat(wire(), blocks(), tools(), members(), refusals(), cancellations(), oneAtATime(), letter(), messages(), actions(), guesses(), memory(), timings())
	slices.SortFunc(all, variant.Compare)
	return all
}
