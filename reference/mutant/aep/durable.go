package aep

import (
	"errors"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// durable forget when they are killed and started again.
func durable() []edit.Mutant {
	return []edit.Mutant{
		{Name: "restart-forgets-threads", Requirement: "aep.durable.threads", Stateful: true,
			Summary: "Threads are kept in memory, and unknown after a restart.",
			Also:    []string{"aep.durable.history", "aep.durable.open"},
			Apply: func(o aep.Options) aep.Options {
				o.Threads = new(aep.MemoryThreads)
				return o
			}},
		{Name: "restart-forgets-history", Requirement: "aep.durable.history", Stateful: true,
			Summary: "Threads are stored, and what was said on them is kept in memory.",
			Apply: on.OnThreads(func(inner aep.Threads, t *on.Threads) {
				var emitted alter.PerKey[[]agent.Message]
				t.OnSay = func(id string, now []agent.Message) []agent.Message {
					inner.Say(id, now)
					before := emitted.Get(id)
					emitted.With(id, func(all *[]agent.Message) { *all = append((*all)[:len(*all):len(*all)], now...) })
					return before
				}
			})},
		{Name: "restart-forgets-actions", Requirement: "aep.durable.open", Stateful: true,
			Summary: "What clients were asked is kept in memory, and unknown after a restart.",
			Also:    []string{"aep.durable.resolved"},
			Apply: func(o aep.Options) aep.Options {
				o.Actions = new(aep.MemoryActions)
				return o
			}},
		{Name: "restart-forgets-results", Requirement: "aep.durable.resolved", Stateful: true,
			Summary: "That an action was resolved is kept in memory, and after a restart it is open again.",
			Apply:   on.OnActions(resolvesForItself)},
	}
}

// resolvesForItself keeps in the process which actions are resolved. Another, and the next, takes the result again.
func resolvesForItself(inner aep.Actions, a *on.Actions) {
	var resolved alter.PerKey[bool]
	a.OnResolve = func(owner, thread string, ids []string) error {
		err := inner.Resolve(owner, thread, ids)
		for _, id := range ids {
			if resolved.Swap(id, true) {
				return err
			}
		}
		if errors.Is(err, aep.ErrResolvedAction) {
			return nil
		}
		return err
	}
	a.OnReopen = func(ids []string) {
		for _, id := range ids {
			resolved.Set(id, false)
		}
		inner.Reopen(ids)
	}
}
