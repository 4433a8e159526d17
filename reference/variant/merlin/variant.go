package merlin

import (
	"slices"

	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/merlin"
	"github.com/streamcert/streamcert/reference/variant"
)

// Variant is a reference server that uses one freedom.
type Variant = variant.Variant[merlin.Options]

// Catalogue returns all variants, sorted by name.
func Catalogue() []Variant {
	all := slices.Concat(contents(), letters(), wire(), variant.Latencies[merlin.Options]("Q-46"))
	slices.SortFunc(all, variant.Compare)
	return all
}

// Handler makes a server that is like the one that base describes but for the variant's freedom, or the one that the variant makes
// itself.
func Handler(v Variant, base merlin.Options) *alter.Server {
	o := v.Applied(base.WithDefaults())
	if v.Serve != nil {
		return alter.NewServer(v.Serve(o), v.Wrap)
	}
	return alter.NewServer(merlin.New(o), v.Wrap)
}
