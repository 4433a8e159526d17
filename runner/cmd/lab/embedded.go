package lab

import (
	"slices"
	"time"

	"github.com/streamcert/streamcert/runner/cmd/altered"
	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/runner/cmd/servers"
	"github.com/streamcert/streamcert/runner/prove"
)

// embedded starts servers in this process: the reference and the altered ones.
type embedded struct {
	*command.Embedded
	altered altered.List
}

// mutants lists the mutants of a pack, each with what starts it.
func (e *embedded) mutants(pack string) []prove.Mutant { return e.startable(e.altered.Mutants(pack)) }

// deep lists the deep mutants of a pack: those that were put aside, or the others.
func (e *embedded) deep(aside bool) func(pack string) []prove.Mutant {
	return func(pack string) []prove.Mutant {
		return slices.DeleteFunc(e.startable(e.altered.Deep(pack)), func(m prove.Mutant) bool { return m.Aside != aside })
	}
}

func (e *embedded) startable(catalogue []altered.Entry[prove.Mutant]) []prove.Mutant {
	var out []prove.Mutant
	for _, s := range catalogue {
		s.Of.Start = e.starts(s.New, s.Unused)
		out = append(out, s.Of)
	}
	return out
}

// variants lists the servers of a pack that are right in their own way, each with what starts it.
func (e *embedded) variants(pack string) []prove.Variant {
	var out []prove.Variant
	for _, s := range e.altered.Variants(pack) {
		s.Of.Start = e.starts(s.New, s.Unused)
		out = append(out, s.Of)
	}
	return out
}

// idle lists the servers of a pack that never show some of it, each with what starts it.
func (e *embedded) idle(pack string) []prove.IdleServer {
	var out []prove.IdleServer
	for _, s := range e.altered.Idle(pack) {
		s.Of.Start = e.starts(s.New, s.Unused)
		out = append(out, s.Of)
	}
	return out
}

func (e *embedded) starts(begin func(servers.Settings) servers.Server, unused time.Duration) prove.Start {
	return func() (string, func(), error) { return e.Start(begin, unused) }
}
