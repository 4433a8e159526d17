package merlin

import (
	idle "github.com/streamcert/streamcert/reference/idle/merlin"
	server "github.com/streamcert/streamcert/reference/merlin"
	mutant "github.com/streamcert/streamcert/reference/mutant/merlin"
	variant "github.com/streamcert/streamcert/reference/variant/merlin"
	"github.com/streamcert/streamcert/runner/cmd/servers"
)

// Pack is all that commands know of the servers of pack merlin.
func Pack() servers.Pack {
	return servers.Pack{
		Name: "merlin", Serves: server.Serves,
		New:      func(s servers.Settings) servers.Server { return server.New(of(s)) },
		Mutants:  servers.Mutants(mutant.Catalogue, mutant.Handler, of),
		Deep:     servers.Mutants(mutant.Deep, mutant.Handler, of),
		Variants: servers.Variants(variant.Catalogue, variant.Handler, of, nil),
		Idle:     servers.Idle(idle.Catalogue, idle.Handler, of),
	}
}

// of makes the options of a server.
func of(s servers.Settings) server.Options {
	return server.Options{ControlToken: s.Control, KnownHost: s.KnownHost, Model: s.Model}
}
