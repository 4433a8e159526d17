package aep

import (
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
)

// deepTries are mutants that err where something is tried again, or where it failed before.
func deepTries() []Mutant {
	return []Mutant{
		{Name: "tried-again-for-ever", Requirement: "aep.actions.resolved",
			Summary: "An action whose result came to nothing once takes any number of results.",
			Apply:   alter.WithState(triedAgain)},
		{Name: "asked-twice-and-not-kept", Requirement: "aep.threads.history",
			Summary: "What is asked twice in a row is taken for what is there already, and its second answer isn't kept.",
			Apply: on.OnThreads(func(inner aep.Threads, t *on.Threads) {
				var last alter.Ledger[string] // what the user said last, by thread
				var again alter.Ledger[bool]  // whether that was said before
				t.OnSay = func(id string, more []agent.Said) []agent.Said {
					switch {
					case len(more) > 0 && !isAnswer(more[0]):
						again.Set(id, last.Swap(id, more[0].Text) == more[0].Text)
					case len(more) > 0 && again.Swap(id, false):
						return nil
					}
					return inner.Say(id, more)
				}
			})},
		{Name: "answers-that-are-false", Requirement: "aep.threads.history",
			Summary: "An answer that is 0, false, null or blank isn't kept.",
			Apply: keeping(func(one agent.Said) bool {
				return one.Who == agent.ByUser || !slices.Contains([]string{"", "0", "-0", "false", "null", "None"}, strings.TrimSpace(one.Text))
			})},
	}
}

// deepGone are mutants that err after a client has gone.
func deepGone() []Mutant {
	return []Mutant{
		{Name: "left-and-busy-for-ever", Requirement: "aep.flow.disconnect",
			Summary: "A thread whose client has gone is busy from then on.",
			Apply: func(o aep.Options) aep.Options {
				var gone alter.Ledger[bool] // by thread
				disconnected := o.Disconnected
				o.Disconnected = func(live []aep.Request, of aep.Request) []string {
					gone.Set(of.Thread, true)
					return disconnected(live, of)
				}
				return on.OnThreads(func(inner aep.Threads, t *on.Threads) {
					t.OnCheck = func(owner, id string) error {
						if gone.Get(id) {
							return &aep.Error{Code: "busy", Status: http.StatusConflict, Message: "the thread is busy"}
						}
						return inner.Check(owner, id)
					}
				})(o)
			}},
	}
}

// keeping keeps some of what is said.
func keeping(is func(agent.Said) bool) apply {
	return on.Kept(func(_ string, said []agent.Said) []agent.Said {
		return slices.DeleteFunc(said, func(one agent.Said) bool { return !is(one) })
	})
}

// triedAgain forgets of an action that was opened again that it can be resolved.
func triedAgain(tried *alter.Ledger[bool]) apply { // by action
	return on.OnActions(func(inner aep.Actions, a *on.Actions) {
		a.OnReopen = func(ids []string) {
			for _, id := range ids {
				tried.Set(id, true)
			}
			inner.Reopen(ids)
		}
		a.OnResolve = func(owner, thread string, ids []string) error {
			for _, id := range ids {
				if tried.Get(id) {
					inner.Reopen([]string{id})
				}
			}
			return inner.Resolve(owner, thread, ids)
		}
	})
}
