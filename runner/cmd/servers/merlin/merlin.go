package merlin

import (
	_ "embed" // the list of altered servers
	server "github.com/streamcert/streamcert/reference/merlin"
	"github.com/streamcert/streamcert/runner/cmd/servers"
)

//go:embed altered.json
var list []byte

// Pack returns all that commands know of the servers of pack merlin.
func Pack() servers.Pack {
	return servers.Pack{
		Name: "merlin", Serves: server.Serves,
		New:     func(s servers.Settings) servers.Server { return server.New(Options(s)) },
		Altered: list,
	}
}

// Options makes the options of a server.
func Options(s servers.Settings) server.Options {
	return server.Options{ControlToken: s.Control, KnownHost: s.KnownHost, Model: s.Model}
}
