package command

import (
	"github.com/streamcert/streamcert/runner/cmd/servers"
	"github.com/streamcert/streamcert/runner/cmd/servers/aep"
	"github.com/streamcert/streamcert/runner/cmd/servers/helix"
	helixui "github.com/streamcert/streamcert/runner/cmd/servers/helix-ui"
	"github.com/streamcert/streamcert/runner/cmd/servers/merlin"
)

// Servers lists the reference servers of every pack of this build: a new protocol adds its line here.
func Servers() servers.List {
	return servers.List{
		helix.Pack(),
		aep.Pack(),
		helixui.Pack(),
		merlin.Pack(),
	}
}
