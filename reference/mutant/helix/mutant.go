package helix

import (
	"slices"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/mutant"
	"github.com/streamcert/streamcert/reference/mutant/helix/campaignonly"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/mutant/helix/run"
	"github.com/streamcert/streamcert/reference/mutant/helix/stream"
)

// Mutant is a reference server that breaks one requirement.
type Mutant = edit.Mutant

// Catalogue returns the mutants that scenarios find, sorted by requirement and then by name.
func Catalogue() []Mutant {
	all := slices.Concat(stream.Mutants(), run.Mutants())
	slices.SortFunc(all, mutant.Compare)
	return all
}

// CampaignOnly returns the mutants that only campaigns find, sorted as those of Catalogue.
func CampaignOnly() []Mutant {
	all := campaignonly.Mutants()
	slices.SortFunc(all, mutant.Compare)
	return all
}

// Handler makes a server that is like the one that base describes but for the mutant's bug. Servers share no state, unless
// base has a store. A caller that makes many servers should set Validate: the default loads the schemas each time.
func Handler(m Mutant, base reference.Options) *alter.Server {
	o := m.Applied(reference.Defaults(base))
	return alter.NewServer(reference.New(o), m.Wrap)
}
