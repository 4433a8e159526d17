package merlin

import (
	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/merlin"
	"github.com/streamcert/streamcert/reference/mutant"
)

// Mutant is a reference server that breaks one requirement.
type Mutant = mutant.Mutant[merlin.Options]

// Handler makes a server that is like the one that base describes but for the mutant's bug.
func Handler(m Mutant, base merlin.Options) *alter.Server {
	return alter.NewServer(merlin.New(m.Applied(base.WithDefaults())), m.Wrap)
}
