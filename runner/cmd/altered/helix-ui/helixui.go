package helixui

import (
	idle "github.com/streamcert/streamcert/reference/idle/helix-ui"
	mutant "github.com/streamcert/streamcert/reference/mutant/helix-ui"
	variant "github.com/streamcert/streamcert/reference/variant/helix-ui"
	"github.com/streamcert/streamcert/runner/cmd/altered"
	servers "github.com/streamcert/streamcert/runner/cmd/servers/helix-ui"
	target "github.com/streamcert/streamcert/runner/target/helix-ui"
)

// sections returns the config of a variant, nil for none.
func sections(v variant.Variant) []any {
	if v.Names == nil && v.Page == 0 {
		return nil
	}
	name := func(kind string) string { return v.Names[kind] }
	return []any{&target.Config{Page: v.Page, Names: target.Names{
		Subagent: name("data-subagent"), State: name("data-state"), Output: name("data-output"),
		Run: name("data-run"), Error: name("data-error"), Resync: name("data-resync"),
	}}}
}

// Pack lists the altered servers of this pack.
func Pack() altered.Pack {
	return altered.Pack{
		Name:         "helix-ui",
		Mutants:      altered.Mutants(mutant.Catalogue, mutant.Handler, servers.Options),
		CampaignOnly: altered.Mutants(mutant.CampaignOnly, mutant.Handler, servers.Options),
		Variants:     altered.Variants(variant.Catalogue, variant.Handler, servers.Options, sections),
		Idle:         altered.Idle(idle.Catalogue, idle.Handler, servers.Options),
	}
}
