package aep

import (
	idle "github.com/streamcert/streamcert/reference/idle/aep"
	mutant "github.com/streamcert/streamcert/reference/mutant/aep"
	variant "github.com/streamcert/streamcert/reference/variant/aep"
	"github.com/streamcert/streamcert/runner/cmd/altered"
	servers "github.com/streamcert/streamcert/runner/cmd/servers/aep"
)

// Pack lists the altered servers of this pack.
func Pack() altered.Pack {
	return altered.Pack{
		Name:         "aep",
		Mutants:      altered.Mutants(mutant.Catalogue, mutant.Handler, servers.Options),
		CampaignOnly: altered.Mutants(mutant.CampaignOnly, mutant.Handler, servers.Options),
		Variants:     altered.Variants(variant.Catalogue, variant.Handler, servers.Options, nil),
		Idle:         altered.Idle(idle.Catalogue, idle.Handler, servers.Options),
	}
}
