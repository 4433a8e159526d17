package lab

import (
	"slices"

	"github.com/streamcert/streamcert/runner/cmd/altered"
	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/runner/prove"
)

// embedded starts servers in this process: the reference and the altered ones.
type embedded struct {
	*command.Embedded
	altered altered.List
}

// mutants lists the mutants of a pack, each with a function that starts it.
func (e *embedded) mutants(pack string) []prove.Mutant {
	return startable(e, e.altered.Mutants(pack), startsMutant)
}

// campaignOnly lists the campaign-only mutants of a pack: those of the holdout, or the others.
func (e *embedded) campaignOnly(holdout bool) func(pack string) []prove.Mutant {
	return func(pack string) []prove.Mutant {
		all := startable(e, e.altered.CampaignOnly(pack), startsMutant)
		return slices.DeleteFunc(all, func(m prove.Mutant) bool { return m.Holdout != holdout })
	}
}

func startsMutant(m *prove.Mutant, start prove.Start) { m.Start = start }

// variants lists the correct servers of a pack that differ from the reference, each with a function that starts it.
func (e *embedded) variants(pack string) []prove.Variant {
	return startable(e, e.altered.Variants(pack), func(v *prove.Variant, start prove.Start) { v.Start = start })
}

// idle lists the servers of a pack that never show some of it, each with a function that starts it.
func (e *embedded) idle(pack string) []prove.IdleServer {
	return startable(e, e.altered.Idle(pack), func(i *prove.IdleServer, start prove.Start) { i.Start = start })
}

// startable returns the descriptions of a catalogue's servers, each with a function that starts it.
func startable[T prove.Mutant | prove.Variant | prove.IdleServer](e *embedded, catalogue []altered.Entry[T], set func(*T, prove.Start)) []T {
	var out []T
	for _, s := range catalogue {
		set(&s.Of, func() (string, func(), error) { return e.Start(s.New, s.Unused) })
		out = append(out, s.Of)
	}
	return out
}
