package beacon

import (
	"github.com/streamcert/streamcert/runner/cmd/servers"
	server "github.com/streamcert/streamcert/runner/packs/testdata/reference/beacon"
	idle "github.com/streamcert/streamcert/runner/packs/testdata/reference/idle/beacon"
	mutant "github.com/streamcert/streamcert/runner/packs/testdata/reference/mutant/beacon"
	variant "github.com/streamcert/streamcert/runner/packs/testdata/reference/variant/beacon"
)

// Pack is all that commands know of the servers of this pack.
func Pack() servers.Pack {
	return servers.Pack{
		Name: "beacon", Serves: server.Serves,
		New:      func(s servers.Settings) servers.Server { return server.New(of(s)) },
		Mutants:  servers.Mutants(mutant.Catalogue, mutant.Handler, of),
		Variants: servers.Variants(variant.Catalogue, variant.Handler, of, nil),
		Idle:     servers.Idle(idle.Catalogue, idle.Handler, of),
	}
}

// of makes the options of a server.
func of(s servers.Settings) server.Options { return server.Options{ControlToken: s.Control} }
