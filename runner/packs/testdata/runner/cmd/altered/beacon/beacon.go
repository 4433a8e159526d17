package beacon

import (
	"github.com/streamcert/streamcert/runner/cmd/altered"
	idle "github.com/streamcert/streamcert/runner/packs/testdata/reference/idle/beacon"
	mutant "github.com/streamcert/streamcert/runner/packs/testdata/reference/mutant/beacon"
	variant "github.com/streamcert/streamcert/runner/packs/testdata/reference/variant/beacon"
	servers "github.com/streamcert/streamcert/runner/packs/testdata/runner/cmd/servers/beacon"
)

// Pack lists the altered servers of this pack.
func Pack() altered.Pack {
	return altered.Pack{
		Name:     "beacon",
		Mutants:  altered.Mutants(mutant.Catalogue, mutant.Handler, servers.Options),
		Variants: altered.Variants(variant.Catalogue, variant.Handler, servers.Options, nil),
		Idle:     altered.Idle(idle.Catalogue, idle.Handler, servers.Options),
	}
}
