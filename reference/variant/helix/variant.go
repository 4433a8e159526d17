package helix

import (
	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/variant"
)

// Variant is a reference server that uses one freedom.
type Variant = variant.Variant[reference.Options]

// Handler makes a server as base describes it, except for the variant's freedom. Servers share no state, unless base has a
// store. Callers that make many should also set Validate: the default loads the schemas each time.
func Handler(v Variant, base reference.Options) *alter.Server {
	o := v.Applied(reference.Defaults(base))
	return alter.NewServer(reference.New(o), v.Wrap)
}
