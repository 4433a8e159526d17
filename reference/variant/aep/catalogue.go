package aep

import (
	"slices"

	"github.com/streamcert/streamcert/reference/variant"
)

// Catalogue returns all variants, sorted by name.
func Catalogue() []Variant {
	all := slices.Concat(
		texts(), framing(), responses(), blocks(), blockContents(), tools(), outcomes(), members(), ids(), refusals(),
		cancellations(), oneAtATime(), letter(), messages(), actions(), guesses(), memories(), scripting(), timings(),
	)
	slices.SortFunc(all, variant.Compare)
	return all
}
