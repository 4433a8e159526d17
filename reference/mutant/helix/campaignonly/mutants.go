package campaignonly

import (
	"slices"

	"github.com/streamcert/streamcert/reference/mutant/helix/campaignonly/run"
	"github.com/streamcert/streamcert/reference/mutant/helix/campaignonly/stream"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
)

// Mutants returns the mutants that no single scenario is made for: they err on the 256th chunk, at the second reset, with
// the fourth reader, for some texts, or where two conditions coincide. Those of Holdout have Holdout set.
func Mutants() []edit.Mutant {
	all := slices.Concat(stream.Mutants(), run.Mutants())
	for i := range all {
		all[i].Holdout = slices.Contains(Holdout(), all[i].Name)
	}
	return all
}
