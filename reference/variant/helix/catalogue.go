package helix

import (
	"slices"

	"github.com/streamcert/streamcert/reference/variant"
)

// Catalogue returns all variants, sorted by name.
func Catalogue() []Variant {
	all := slices.Concat(
		texts(), events(), fields(), responses(), heads(), connections(), sequences(), chunks(), finishes(), cursors(),
		truncations(), statuses(), greetings(), errors_(), security(), strings_(), control(), timings(), snapshots(), models(), tools(), statePatches(),
		subagents(), runs(), outputs(), guesses(), limits(),
	)
	slices.SortFunc(all, variant.Compare)
	return all
}
