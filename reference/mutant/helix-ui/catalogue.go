package helixui

import (
	"slices"

	"github.com/streamcert/streamcert/reference/mutant"
)

// Catalogue returns all mutants, sorted by requirement and then by name.
func Catalogue() []Mutant {
	all := slices.Concat(parts(), flow(), texts(), reasoning(), tools(), steps(), errors_(), wire(), mapping(), metadata(), resuming(), history(), identity(), security(), historyCalls(), historyParts(), requests(), waiting())
	slices.SortFunc(all, mutant.Compare)
	return all
}

// CampaignOnly returns the mutants that no single scenario is made for: they err with the hundredth part, the fourth
// reader, the third refresh, for some values, or where two conditions coincide. Campaigns are measured by how many of them
// they find.
func CampaignOnly() []Mutant {
	all := slices.Concat(rareCounts(), sizes(), rareTexts(), outputs(), inputs(), severalCalls(), agents(), rareMetadata(), turns(), histories(), readers(), pages(), treated(), names(), emptyContent(), equals(), alikes(), extents(), members(), endings(), repeatedReasoning(), completeReasoning(), emptyTexts(), chats(), carriage(), unauthorized(), configured(), envelopes(), doubles(), credentials(), replays(), changedHistoryCalls(), clients())
	slices.SortFunc(all, mutant.Compare)
	return all
}
