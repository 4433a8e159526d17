package merlin

import (
	idle "github.com/streamcert/streamcert/reference/idle/merlin"
	mutant "github.com/streamcert/streamcert/reference/mutant/merlin"
	variant "github.com/streamcert/streamcert/reference/variant/merlin"
	"github.com/streamcert/streamcert/runner/cmd/altered"
	servers "github.com/streamcert/streamcert/runner/cmd/servers/merlin"
)

// Pack lists the altered servers of this pack.
func Pack() altered.Pack {
	return altered.Pack{
		Name:         "merlin",
		Mutants:      altered.Mutants(mutant.Catalogue, mutant.Handler, servers.Options),
		CampaignOnly: altered.Mutants(mutant.CampaignOnly, mutant.Handler, servers.Options),
		Variants:     altered.Variants(variant.Catalogue, variant.Handler, servers.Options, nil),
		Idle:         altered.Idle(idle.Catalogue, idle.Handler, servers.Options),
	}
}
