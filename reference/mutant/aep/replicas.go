package aep

import (
	"errors"
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// replicas lists mutants whose replicas don't share a state that they have to share.
func replicas() []edit.Mutant {
	return []edit.Mutant{
		// Mutants that don't know the threads of the others, or whose they are.
		{Name: "replicas-share-no-threads", Requirement: "aep.replicas.threads", Stateful: true,
			Summary: "A thread is looked for in a cache of the process first, and one that isn't there is taken for unknown.",
			Also:    []string{"aep.durable.threads", "aep.replicas.history", "aep.replicas.survives"},
			Apply: on.OnThreads(func(inner aep.Threads, t *on.Threads) {
				var ours alter.PerKey[bool]
				t.OnBegin = func(owner, id string) error {
					ours.Set(id, true)
					return inner.Begin(owner, id)
				}
				t.OnCheck = func(owner, id string) error {
					if !ours.Get(id) {
						return aep.ErrUnknownThread
					}
					return inner.Check(owner, id)
				}
			})},
		{Name: "replica-trusts-the-first", Requirement: "aep.replicas.foreign", Stateful: true,
			Summary: "Whose a thread is lies in the memory of the process that began it; elsewhere it belongs to whom asks first.",
			Apply: on.OnThreads(func(inner aep.Threads, t *on.Threads) {
				var owners alter.PerKey[string]
				t.OnBegin = func(owner, id string) error {
					owners.Set(id, owner)
					return inner.Begin(owner, id)
				}
				t.OnCheck = func(owner, id string) error {
					err := inner.Check(owner, id)
					if errors.Is(err, aep.ErrThreadOfAnotherUser) && (owners.Get(id) == "" || owners.Get(id) == owner) {
						owners.Set(id, owner)
						return nil
					}
					return err
				}
			})},

		// Mutants whose replicas don't share requested and resolved actions.
		{Name: "replica-answers-its-own", Requirement: "aep.replicas.open", Stateful: true,
			Summary: "A result is matched with the questions that this process has asked.",
			Also:    []string{"aep.durable.open", "aep.durable.resolved", "aep.replicas.resolved"},
			Apply: on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
				for _, id := range ids {
					if !slices.Contains(a.OpenedOn(thread), id) {
						return aep.ErrUnknownAction
					}
				}
				return a.Actions.Resolve(owner, thread, ids)
			})},
		{Name: "replica-resolves-for-itself", Requirement: "aep.replicas.resolved", Stateful: true, Also: []string{"aep.durable.resolved"},
			Summary: "That an action was resolved is known where it was, and another process takes the result again.",
			Apply:   on.OnActions(resolvesForItself)},

		// Mutants whose replicas don't share messages.
		{Name: "replica-reads-history-once", Requirement: "aep.replicas.history", Stateful: true,
			Summary: "A process loads a history when it first needs it, and adds what is said there: what another one adds it never sees.",
			Apply: on.OnThreads(func(inner aep.Threads, t *on.Threads) {
				var known alter.PerKey[[]agent.Message]
				t.OnSay = func(id string, emitted []agent.Message) (before []agent.Message) {
					stored := inner.Say(id, emitted)
					known.With(id, func(all *[]agent.Message) {
						if *all == nil {
							*all = stored
						}
						before = *all
						*all = append(before[:len(before):len(before)], emitted...)
					})
					return before
				}
			})},
		{Name: "dead-replica-takes-what-was-said", Requirement: "aep.replicas.survives", Stateful: true,
			Summary: "What is said lies in a buffer of the process until its thread is asked for again.",
			Also:    []string{"aep.durable.history", "aep.replicas.history"},
			Apply: on.OnThreads(func(inner aep.Threads, t *on.Threads) {
				var later alter.PerKey[[]agent.Message]
				t.OnSay = func(id string, emitted []agent.Message) (before []agent.Message) {
					later.With(id, func(kept *[]agent.Message) {
						before = append(inner.Say(id, *kept), *kept...)
						*kept = emitted
					})
					return before
				}
			})},
	}
}
