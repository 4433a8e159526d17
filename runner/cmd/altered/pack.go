package altered

import (
	"slices"
	"time"

	"github.com/streamcert/streamcert/reference/idle"
	"github.com/streamcert/streamcert/reference/mutant"
	"github.com/streamcert/streamcert/reference/variant"
	"github.com/streamcert/streamcert/runner/cmd/servers"
	"github.com/streamcert/streamcert/runner/prove"
	"github.com/streamcert/streamcert/runner/target"
)

// Pack lists the altered servers of one pack. What is nil is empty.
type Pack struct {
	Name string

	Mutants, CampaignOnly func() []Entry[prove.Mutant] // those of CampaignOnly are found by campaigns alone
	Variants              func() []Entry[prove.Variant]
	Idle                  func() []Entry[prove.IdleServer]
}

// List contains the altered servers of several packs.
type List []Pack

func (l List) of(pack string) Pack {
	if i := slices.IndexFunc(l, func(p Pack) bool { return p.Name == pack }); i >= 0 {
		return l[i]
	}
	return Pack{}
}

// Mutants lists the mutants of a pack.
func (l List) Mutants(pack string) []Entry[prove.Mutant] { return called(l.of(pack).Mutants) }

// CampaignOnly lists the mutants of a pack that no single scenario is made for.
func (l List) CampaignOnly(pack string) []Entry[prove.Mutant] { return called(l.of(pack).CampaignOnly) }

// Variants lists the servers of a pack that are right but not like the reference.
func (l List) Variants(pack string) []Entry[prove.Variant] { return called(l.of(pack).Variants) }

// Idle lists the servers of a pack that show little of it.
func (l List) Idle(pack string) []Entry[prove.IdleServer] { return called(l.of(pack).Idle) }

func called[T any](f func() []T) []T {
	if f == nil {
		return nil
	}
	return f()
}

// Entry is an altered server with its description in the catalogue and its constructor.
type Entry[T prove.Mutant | prove.Variant | prove.IdleServer] struct {
	Of     T // without its Start
	New    func(servers.Settings) servers.Server
	Unused time.Duration // how long it keeps an unused connection; 0 is the default
}

// Mutants makes the entries of a catalogue of mutants, of which of makes the options of a server.
func Mutants[O any, S servers.Server](catalogue func() []mutant.Mutant[O], handler func(mutant.Mutant[O], O) S, of func(servers.Settings) O) func() []Entry[prove.Mutant] {
	return entries(catalogue, handler, of, func(m mutant.Mutant[O]) Entry[prove.Mutant] {
		return Entry[prove.Mutant]{Of: prove.Mutant{
			Name: m.Name, Requirement: m.Requirement, Summary: m.Summary, Also: m.Also, Stateful: m.Stateful, AcrossScenarios: m.AcrossScenarios, Holdout: m.Holdout,
		}}
	})
}

// Variants makes the entries of a catalogue of variants; sections are the sections of its config, nil for none.
func Variants[O any, S servers.Server](catalogue func() []variant.Variant[O], handler func(variant.Variant[O], O) S, of func(servers.Settings) O,
	sections func(variant.Variant[O]) []any) func() []Entry[prove.Variant] {
	return entries(catalogue, handler, of, func(v variant.Variant[O]) Entry[prove.Variant] {
		e := Entry[prove.Variant]{Unused: v.Idle, Of: prove.Variant{
			Name: v.Name, Freedom: v.Freedom, Summary: v.Summary, Warns: v.Warns, HTTP2: v.HTTP2, Slow: v.Slow,
			MaxConnection: v.MaxConnection, Limits: target.Limits{String: v.LongestString, Events: v.Events, Readers: v.Readers},
			Without: v.Without,
		}}
		if sections != nil {
			e.Of.Sections = sections(v)
		}
		return e
	})
}

// Idle makes the entries of a catalogue of idle servers.
func Idle[O any, S servers.Server](catalogue func() []idle.Server[O], handler func(idle.Server[O], O) S, of func(servers.Settings) O) func() []Entry[prove.IdleServer] {
	return entries(catalogue, handler, of, func(s idle.Server[O]) Entry[prove.IdleServer] {
		return Entry[prove.IdleServer]{Of: prove.IdleServer{Name: s.Name, Summary: s.Summary, Never: s.Never}}
	})
}

func entries[A, O any, S servers.Server, T prove.Mutant | prove.Variant | prove.IdleServer](catalogue func() []A, handler func(A, O) S, of func(servers.Settings) O, entry func(A) Entry[T]) func() []Entry[T] {
	return func() (out []Entry[T]) {
		for _, altered := range catalogue() {
			e := entry(altered)
			e.New = func(s servers.Settings) servers.Server { return handler(altered, of(s)) }
			out = append(out, e)
		}
		return out
	}
}
