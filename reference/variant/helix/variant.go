package helix

import (
	"slices"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/variant"
)

// Variant is a reference server that uses one freedom.
type Variant = variant.Variant[reference.Options]

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

// Handler makes a server as base describes it, except for the variant's freedom. Servers share no state, unless base has a
// store. Callers that make many should also set Validate: the default loads the schemas each time.
func Handler(v Variant, base reference.Options) *alter.Server {
	o := v.Applied(reference.Defaults(base))
	return alter.NewServer(reference.New(o), v.Wrap)
}
