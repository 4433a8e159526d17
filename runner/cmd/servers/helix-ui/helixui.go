package helixui

import (
	server "github.com/streamcert/streamcert/reference/helix-ui"
	idle "github.com/streamcert/streamcert/reference/idle/helix-ui"
	mutant "github.com/streamcert/streamcert/reference/mutant/helix-ui"
	variant "github.com/streamcert/streamcert/reference/variant/helix-ui"
	"github.com/streamcert/streamcert/runner/cmd/servers"
)

// Pack is all that commands know of the servers of this pack.
func Pack() servers.Pack {
	return servers.Pack{
		Name: "helix-ui", Serves: server.Serves,
		New:      func(s servers.Settings) servers.Server { return server.New(of(s)) },
		Mutants:  servers.Mutants(mutant.Catalogue, mutant.Handler, of),
		Deep:     servers.Mutants(mutant.Deep, mutant.Handler, of),
		Variants: servers.Variants(variant.Catalogue, variant.Handler, of, nil),
		Idle:     servers.Idle(idle.Catalogue, idle.Handler, of),
	}
}

// of makes the options of a server. Who may read streams may ask chats.
func of(s servers.Settings) server.Options {
	return server.Options{ControlToken: s.Control, Token: s.Reader, KnownHost: s.KnownHost, Model: s.Model}
}
