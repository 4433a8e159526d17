package aep

import (
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/mutant"
	"github.com/streamcert/streamcert/reference/mutant/aep/campaignonly"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// Mutant is a reference server that breaks one requirement.
type Mutant = edit.Mutant

// Catalogue returns the mutants that scenarios find, sorted by requirement and then by name.
func Catalogue() []Mutant {
	all := slices.Concat(
		events(), requests(), threads(), flow(), stages(), content(), tools(), done(), errorsMutants(), cancel(), actions(),
		http_(), wire(), security(), wholes(), durable(), replicas(),
	)
	slices.SortFunc(all, mutant.Compare)
	return all
}

// Handler makes a server that is like the one that base describes but for the mutant's bug. Servers share no state,
// unless base brings threads or actions.
func Handler(m Mutant, base aep.Options) *mutant.Server {
	return mutant.NewServer(aep.New(m.Applied(base.WithDefaults())), m.Wrap)
}

// CampaignOnly returns the mutants that only campaigns find, sorted as those of Catalogue.
func CampaignOnly() []Mutant {
	all := campaignonly.Mutants()
	slices.SortFunc(all, mutant.Compare)
	return all
}
