package campaignonly

import (
	"slices"
	"sync"
	"time"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// replicas lists mutants that err when two processes are used concurrently, or by turns.
func replicas() []edit.Mutant {
	return []edit.Mutant{
		{Name: "replica-overwrites-what-came-meanwhile", Requirement: "aep.replicas.history",
			Summary: "A process stores a history whole when its answer ends: what another one has added meanwhile is lost to it.",
			Apply:   on.OnThreads(overwritesMeanwhile)},
		{Name: "replicas-look-and-then-take", Requirement: "aep.replicas.resolved",
			Summary: "That an action is open is looked up and then written; what keeps two results apart is a lock of the process.",
			Apply: on.OnActions(func(inner aep.Actions, a *on.Actions) {
				var mu sync.Mutex
				a.OnResolve = func(owner, thread string, ids []string) error {
					mu.Lock()
					defer mu.Unlock()
					if err := inner.Resolve(owner, thread, ids); err != nil {
						return err
					}
					inner.Reopen(ids)
					time.Sleep(20 * time.Millisecond)
					_ = inner.Resolve(owner, thread, ids) // it may have been taken meanwhile
					return nil
				}
			})},
		{Name: "replica-caches-threads-in-demand", Requirement: "aep.replicas.history",
			Summary: "A process that is asked on a thread for the third time keeps its history, adds what is said there, and never looks again.",
			Apply: on.OnThreads(func(inner aep.Threads, t *on.Threads) {
				var requested alter.PerKey[int] // by thread
				var known alter.PerKey[[]agent.Message]
				t.OnSay = func(id string, emitted []agent.Message) []agent.Message {
					before := inner.Say(id, emitted)
					if !isAnswers(emitted) && alter.Count(&requested, id) == 3 {
						known.Set(id, slices.Clone(before))
					}
					known.With(id, func(all *[]agent.Message) {
						if *all != nil {
							before, *all = *all, slices.Concat(*all, emitted)
						}
					})
					return before
				}
			})},
	}
}

// isAnswers reports whether messages are the agent's.
func isAnswers(emitted []agent.Message) bool { return len(emitted) > 0 && edit.IsAnswer(emitted[0]) }

// overwritesMeanwhile leaves out of histories the messages that other processes stored while this one answered a request.
func overwritesMeanwhile(inner aep.Threads, t *on.Threads) {
	var mu sync.Mutex
	ours, from, lost := map[string]bool{}, map[string]int{}, map[string]bool{} // by request
	t.OnSay = func(id string, emitted []agent.Message) (kept []agent.Message) {
		before := inner.Say(id, emitted)
		mu.Lock()
		defer mu.Unlock()
		for _, one := range emitted {
			if ours[one.Request] = true; !edit.IsAnswer(one) {
				from[one.Request] = len(before)
				continue
			}
			for _, other := range before[min(from[one.Request], len(before)):] {
				lost[other.Request] = lost[other.Request] || !ours[other.Request]
			}
		}
		return slices.DeleteFunc(before, func(one agent.Message) bool { return lost[one.Request] })
	}
}
