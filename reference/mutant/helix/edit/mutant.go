package edit

import (
	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/mutant"
)

// Mutant is a reference server that breaks one requirement.
type Mutant = mutant.Mutant[reference.Options]
