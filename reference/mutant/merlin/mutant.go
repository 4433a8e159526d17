package merlin

import (
	"slices"

	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/merlin"
	"github.com/streamcert/streamcert/reference/mutant"
)

// Mutant is a reference server that breaks one requirement.
type Mutant = mutant.Mutant[merlin.Options]

// Catalogue returns all mutants, sorted by requirement and then by name.
func Catalogue() []Mutant {
	all := slices.Concat(heads(), bodies(), ends(), texts(), events(), pacing(), chunks(), indexes(), subAgents(), steps(), courses(), tags(), managers(), calls(), citations(), moments(), failures(), upstream(), aggregates(), reasoning(), security())
	slices.SortFunc(all, mutant.Compare)
	return all
}

// Handler makes a server that is like the one that base describes but for the mutant's bug.
func Handler(m Mutant, base merlin.Options) *alter.Server {
	return alter.NewServer(merlin.New(m.Applied(base.WithDefaults())), m.Wrap)
}
