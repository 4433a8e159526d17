package helixui

import (
	"slices"

	helixui "github.com/streamcert/streamcert/reference/helix-ui"
	"github.com/streamcert/streamcert/reference/mutant"
)

// Mutant is a reference server that breaks one requirement.
type Mutant = mutant.Mutant[helixui.Options]

// Catalogue returns all mutants, sorted by requirement and then by name.
func Catalogue() []Mutant {
	all := slices.Concat(parts(), flow(), texts(), reasoning(), tools(), steps(), errors_(), wire(), mapping(), metadata(), resuming(), history(), identity(), security(), historyCalls(), historyParts(), requests(), waiting())
	slices.SortFunc(all, mutant.Compare)
	return all
}

// Handler makes a server that is like the one that base describes but for the mutant's bug.
func Handler(m Mutant, base helixui.Options) *mutant.Server {
	return mutant.NewServer(helixui.New(m.Applied(base.WithDefaults())), m.Wrap)
}
