package aep

import (
	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/variant"
)

// Variant is a reference server that uses one freedom.
type Variant = variant.Variant[aep.Options]

// Handler makes a server that is like the one that base describes but for the variant's freedom. Servers share no
// state, unless base brings threads or actions.
func Handler(v Variant, base aep.Options) *alter.Server {
	o := v.Applied(base.WithDefaults())
	return alter.NewServer(aep.New(o), v.Wrap)
}
