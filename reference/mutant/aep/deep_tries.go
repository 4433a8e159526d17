package aep

import (
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
)

// deepTries are mutants that err where something is tried again, or where it failed before.
func deepTries() []Mutant {
	return []Mutant{
		{Name: "tried-again-for-ever", Requirement: "aep.actions.resolved",
			Summary: "An action whose result came to nothing once takes any number of results.",
			Apply: func(o aep.Options) aep.Options {
				o.Actions = &triedActions{Actions: o.Actions}
				return o
			}},
		{Name: "asked-twice-and-not-kept", Requirement: "aep.threads.history",
			Summary: "What is asked twice in a row is taken for what is there already, and its second answer isn't kept.",
			Apply: onThreads(func(inner aep.Threads, s *threadsShim) {
				var last locked[map[string]string] // what the user said last, by thread, while it has no answer
				var again locked[map[string]bool]
				s.say = func(id string, more []agent.Said) []agent.Said {
					if len(more) == 0 {
						return inner.Say(id, more)
					}
					text, drop := more[0].Text, false
					last.do(func(of *map[string]string) {
						again.do(func(is *map[string]bool) {
							if *of == nil {
								*of, *is = map[string]string{}, map[string]bool{}
							}
							if more[0].Who == agent.ByUser {
								(*is)[id] = (*of)[id] == text
								(*of)[id] = text
								return
							}
							drop = (*is)[id]
							delete(*is, id)
						})
					})
					if drop {
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
				var gone locked[map[string]bool]
				disconnected := o.Disconnected
				o.Disconnected = func(live []aep.Request, of aep.Request) []string {
					gone.do(func(threads *map[string]bool) {
						if *threads == nil {
							*threads = map[string]bool{}
						}
						(*threads)[of.Thread] = true
					})
					return disconnected(live, of)
				}
				return onThreads(func(inner aep.Threads, s *threadsShim) {
					s.check = func(owner, id string) (err error) {
						gone.do(func(threads *map[string]bool) {
							if (*threads)[id] {
								err = &aep.Error{Code: "busy", Status: http.StatusConflict, Message: "the thread is busy"}
							}
						})
						if err != nil {
							return err
						}
						return inner.Check(owner, id)
					}
				})(o)
			}},
	}
}

// keeping keeps some of what is said.
func keeping(is func(agent.Said) bool) apply {
	return onThreads(func(inner aep.Threads, s *threadsShim) {
		s.say = func(id string, more []agent.Said) []agent.Said {
			return inner.Say(id, slices.DeleteFunc(slices.Clone(more), func(one agent.Said) bool { return !is(one) }))
		}
	})
}

// triedActions forgets of an action that was opened again that it can be resolved.
type triedActions struct {
	aep.Actions
	tried locked[map[string]bool]
}

func (a *triedActions) Reopen(ids []string) {
	a.tried.do(func(tried *map[string]bool) {
		if *tried == nil {
			*tried = map[string]bool{}
		}
		for _, id := range ids {
			(*tried)[id] = true
		}
	})
	a.Actions.Reopen(ids)
}

func (a *triedActions) Resolve(owner, thread string, ids []string) error {
	a.tried.do(func(tried *map[string]bool) {
		for _, id := range ids {
			if (*tried)[id] {
				a.Actions.Reopen([]string{id})
			}
		}
	})
	return a.Actions.Resolve(owner, thread, ids)
}
