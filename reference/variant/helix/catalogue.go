package helix

import (
	"slices"

	"github.com/streamcert/streamcert/reference/variant"
)

// Catalogue returns all variants, sorted by name.
func Catalogue() []Variant {
	all := slices.Concat(wire(), response(), sequences(), chunk(), finishes(), cursors(), notice(), errorVariants(), strings_(), control(), timings(), snapshots(), models(), tools(), state(), subagents(), runs(), outputs(), guesses(), limits())
	slices.SortFunc(all, variant.Compare)
	return all
}
