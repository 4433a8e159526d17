package aep

import (
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/variant"
)

// Variant is a reference server that uses one freedom.
type Variant = variant.Variant[aep.Options]

// Catalogue returns all variants, sorted by name.
func Catalogue() []Variant {
	all := slices.Concat(
		texts(), framing(), responses(), blocks(), blockContents(), tools(), outcomes(), members(), ids(), refusals(),
		cancellations(), oneAtATime(), letter(), messages(), actions(), guesses(), memories(), scripting(), timings(),
	)
	slices.SortFunc(all, variant.Compare)
	return all
}

// Handler makes a server that is like the one that base describes but for the variant's freedom. Servers share no
// state, unless base brings threads or actions.
func Handler(v Variant, base aep.Options) *alter.Server {
	o := v.Applied(base.WithDefaults())
	return alter.NewServer(aep.New(o), v.Wrap)
}
