package campaignonly

import (
	"errors"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// kills lists mutants that forget something when they are killed: where two conditions coincide, or the second time.
func kills() []edit.Mutant {
	return []edit.Mutant{
		// Mutants that lose or change messages.
		{Name: "restart-keeps-three-messages", Requirement: "aep.durable.history", Summary: "After a restart, a history is loaded with a limit of four messages.",
			Apply: onFoundHistory(func(found, now []agent.Message) []agent.Message { return append(found[max(0, len(found)-4):], now...) })},
		{Name: "restart-hands-it-backwards", Requirement: "aep.durable.history", Summary: "What was said before a restart is loaded by its age, the newest first, from the fifth message on.",
			Apply: onFoundHistory(func(found, now []agent.Message) []agent.Message {
				if len(found) > 4 {
					found = slices.Clone(found)
					slices.Reverse(found)
				}
				return append(found, now...)
			})},
		{Name: "restart-drops-tool-talk", Requirement: "aep.durable.history", Summary: "An answer in several parts is stored as its first part, and after a restart that is all of it.",
			Apply: onFoundHistory(func(found, now []agent.Message) []agent.Message {
				if len(found) < 4 {
					return append(found, now...)
				}
				found = slices.Clone(found)
				for i := range found {
					if head, _, disconnect := strings.Cut(found[i].Text, " "); disconnect && i%4 == 3 {
						found[i].Text = head
					}
				}
				return append(found, now...)
			})},
		{Name: "restart-unlocks-nothing", Requirement: "aep.durable.threads", Summary: "A thread is locked in the store while its agent works, and the lock of one that was killed stays.",
			Apply: formerThreads(locked)},

		// Mutants that forget a requested action, or its result.
		{Name: "restart-forgets-second-result", Requirement: "aep.durable.resolved", Summary: "A row for a thread says which action of it was resolved first; of the others a restart knows nothing.",
			Apply: on.OnActions(func(inner aep.Actions, a *on.Actions) {
				var first alter.PerKey[string]
				var resolved alter.PerKey[bool]
				a.OnResolve = func(owner, thread string, ids []string) error {
					for _, id := range ids {
						if resolved.Get(id) {
							return aep.ErrResolvedAction
						}
					}
					err := inner.Resolve(owner, thread, ids)
					if err != nil {
						return err
					}
					for _, id := range ids {
						resolved.Set(id, true)
						if first.Get(thread) == "" {
							first.Set(thread, id)
						} else {
							inner.Reopen([]string{id})
						}
					}
					return nil
				}
				a.OnReopen = func(ids []string) {
					for _, id := range ids {
						resolved.Set(id, false)
					}
					inner.Reopen(ids)
				}
			})},
		{Name: "restart-keeps-one-question", Requirement: "aep.durable.open", Summary: "A restart loads the open actions of a thread by its first row, and a second one is unknown.",
			Apply: ofEarlierRestarts(func(taken int, ids []string) error {
				if taken > 0 {
					return aep.ErrUnknownAction
				}
				return nil
			})},
		{Name: "restart-takes-one-at-a-time", Requirement: "aep.durable.open", Summary: "Results of several actions that were asked for before a restart are looked up by a key that has room for one.",
			Apply: ofEarlierRestarts(func(_ int, ids []string) error {
				if len(ids) > 1 {
					return aep.ErrUnknownAction
				}
				return nil
			})},

		// Mutants that take a result after a restart that they had refused.
		{Name: "refusal-reopens-after-restart", Requirement: "aep.durable.resolved", Summary: "A further result of what was resolved before a restart is refused, and the refusal is taken for a run that came to nothing.",
			Apply: on.OnActions(func(inner aep.Actions, a *on.Actions) {
				var refused alter.PerKey[bool]
				a.OnResolve = func(owner, thread string, ids []string) error {
					err := inner.Resolve(owner, thread, ids)
					found := !slices.Contains(a.OpenedOn(thread), ids[0])
					if errors.Is(err, aep.ErrResolvedAction) && found && len(ids) == 1 && refused.Swap(ids[0], true) {
						return nil
					}
					return err
				}
			})},
	}
}

// beforeThis stores, for each history, how many messages were stored before the latest restart.
type beforeThis struct{ found alter.PerKey[*int] }

func (b *beforeThis) of(thread string, before []agent.Message) (n int) {
	b.found.With(thread, func(p **int) {
		if *p == nil {
			found := len(before)
			*p = &found
		}
		n = **p
	})
	return n
}

// onFoundHistory changes the messages that agents get from before the latest restart of the server; now are the later ones.
func onFoundHistory(change func(found, now []agent.Message) []agent.Message) on.Apply {
	return on.OnThreads(func(inner aep.Threads, t *on.Threads) {
		var b beforeThis
		t.OnSay = func(id string, emitted []agent.Message) []agent.Message {
			before := inner.Say(id, emitted)
			n := b.of(id, before)
			return change(before[:n:n], before[n:])
		}
	})
}

// locked refuses a thread whose last request was never answered.
func locked(emitted []agent.Message) error {
	if n := len(emitted); n > 0 && emitted[n-1].Who == agent.ByUser {
		return aep.ErrThreadFull
	}
	return nil
}

// formerThreads refuses threads from before the latest restart, by their messages.
func formerThreads(refuse func(emitted []agent.Message) error) func(aep.Options) aep.Options {
	return on.OnThreads(func(inner aep.Threads, t *on.Threads) {
		var ours alter.PerKey[bool] // by thread
		t.OnBegin = func(owner, id string) error {
			ours.Set(id, true)
			return inner.Begin(owner, id)
		}
		t.OnCheck = func(owner, id string) error {
			if err := inner.Check(owner, id); err != nil || ours.Get(id) {
				return err
			}
			return refuse(inner.Say(id, nil))
		}
	})
}

// ofEarlierRestarts refuses results of actions that were opened before the latest restart; taken is how many of the thread
// were taken since.
func ofEarlierRestarts(refuse func(taken int, ids []string) error) on.Apply {
	return on.OnActions(func(inner aep.Actions, a *on.Actions) {
		var taken alter.PerKey[int]
		a.OnResolve = func(owner, thread string, ids []string) error {
			if slices.Contains(a.OpenedOn(thread), ids[0]) {
				return inner.Resolve(owner, thread, ids)
			}
			if err := refuse(taken.Get(thread), ids); err != nil {
				return err
			}
			err := inner.Resolve(owner, thread, ids)
			if err == nil {
				taken.Set(thread, taken.Get(thread)+len(ids))
			}
			return err
		}
	})
}
