package helix

import (
	idle "github.com/streamcert/streamcert/reference/idle/helix"
	mutant "github.com/streamcert/streamcert/reference/mutant/helix"
	variant "github.com/streamcert/streamcert/reference/variant/helix"
	"github.com/streamcert/streamcert/runner/cmd/altered"
	servers "github.com/streamcert/streamcert/runner/cmd/servers/helix"
	target "github.com/streamcert/streamcert/runner/target/helix"
)

// Pack lists the altered servers of this pack.
func Pack() altered.Pack {
	return altered.Pack{
		Name:         "helix",
		Mutants:      altered.Mutants(mutant.Catalogue, mutant.Handler, servers.Options),
		CampaignOnly: altered.Mutants(mutant.CampaignOnly, mutant.Handler, servers.Options),
		Variants: altered.Variants(variant.Catalogue, variant.Handler, servers.Options, func(v variant.Variant) []any {
			return []any{target.Config{Replay: v.Replays, Partial: v.Partial, Persistent: v.Persistent}}
		}),
		Idle: altered.Idle(idle.Catalogue, idle.Handler, servers.Options),
	}
}
