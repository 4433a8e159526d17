package edit

import (
	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/mutant"
)

// Mutant is a reference server that breaks one requirement.
type Mutant = mutant.Mutant[aep.Options]
