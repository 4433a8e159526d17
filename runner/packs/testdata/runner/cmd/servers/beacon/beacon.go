package beacon

import (
	_ "embed" // the list of altered servers

	"github.com/streamcert/streamcert/runner/cmd/servers"
	server "github.com/streamcert/streamcert/runner/packs/testdata/reference/beacon"
)

//go:embed altered.json
var list []byte

// Pack is all that commands know of the servers of this pack.
func Pack() servers.Pack {
	return servers.Pack{
		Name: "beacon", Serves: server.Serves,
		New:     func(s servers.Settings) servers.Server { return server.New(Options(s)) },
		Altered: list,
	}
}

// Options makes the options of a server.
func Options(s servers.Settings) server.Options { return server.Options{ControlToken: s.Control} }
