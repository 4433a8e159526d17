package campaignonly

import (
	"slices"

	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// Mutants returns the mutants that no single scenario is made for: they err on the 256th piece, with the third action,
// after the second disconnect, for some texts, or where two conditions coincide. Those of Holdout have Holdout set.
func Mutants() []edit.Mutant {
	all := slices.Concat(rareActions(), amounts(), rareRequests(), rareConnections(), content(), rareNames(), crashes(), resultBatches(), rareValues(), threads())
	for i := range all {
		all[i].Holdout = slices.Contains(Holdout(), all[i].Name)
	}
	return all
}
