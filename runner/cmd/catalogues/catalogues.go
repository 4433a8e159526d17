package catalogues

import (
	"github.com/streamcert/streamcert/runner/cmd/altered"
	"github.com/streamcert/streamcert/runner/cmd/altered/aep"
	"github.com/streamcert/streamcert/runner/cmd/altered/helix"
	helixui "github.com/streamcert/streamcert/runner/cmd/altered/helix-ui"
	"github.com/streamcert/streamcert/runner/cmd/altered/merlin"
)

// All lists the altered servers of every pack of this build: a new protocol adds its line here.
func All() altered.List {
	return altered.List{
		helix.Pack(),
		aep.Pack(),
		helixui.Pack(),
		merlin.Pack(),
	}
}
