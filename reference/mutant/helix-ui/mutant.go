package helixui

import (
	helixui "github.com/streamcert/streamcert/reference/helix-ui"
	"github.com/streamcert/streamcert/reference/mutant"
)

// Mutant is a reference server that breaks one requirement.
type Mutant = mutant.Mutant[helixui.Options]

// Handler makes a server that is like the one that base describes but for the mutant's bug.
func Handler(m Mutant, base helixui.Options) *mutant.Server {
	return mutant.NewServer(helixui.New(m.Applied(base.WithDefaults())), m.Wrap)
}
