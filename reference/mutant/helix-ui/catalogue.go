package helixui

import (
	"slices"

	"github.com/streamcert/streamcert/reference/mutant"
)

// Catalogue returns all mutants, sorted by requirement and then by name.
func Catalogue() []Mutant {
	all := slices.Concat(parts(), flow(), content(), tools(), wire(), mapping(), resume(), atMoments(), security(), historyMutants())
	slices.SortFunc(all, mutant.Compare)
	return all
}

// CampaignOnly returns the mutants that no single scenario is made for: they err with the hundredth part, the fourth
// reader, the third refresh, for some values, or where two conditions coincide. Campaigns are measured by how many of them
// they find.
func CampaignOnly() []Mutant {
	all := slices.Concat(rareCounts(), rareValues(), rareHistories(), names(), changedHistoryCalls())
	slices.SortFunc(all, mutant.Compare)
	return all
}
