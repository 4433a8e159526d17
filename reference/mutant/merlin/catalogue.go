package merlin

import (
	"slices"

	"github.com/streamcert/streamcert/reference/mutant"
)

// CampaignOnly returns the mutants that no single scenario is made for: they err with the hundredth slice, the fourth call,
// the 64th block, for some texts, or where two conditions coincide. Campaigns are measured by how many of them they find.
func CampaignOnly() []Mutant {
	all := slices.Concat(rareCounts(), rareValues(), rareEvents())
	slices.SortFunc(all, mutant.Compare)
	return all
}

// Catalogue returns all mutants, sorted by requirement and then by name.
func Catalogue() []Mutant {
	all := slices.Concat(wire(), text(), chunks(), progress(), results(), upstream(), security())
	slices.SortFunc(all, mutant.Compare)
	return all
}
