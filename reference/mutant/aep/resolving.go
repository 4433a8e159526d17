package aep

import (
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
)

// actionFailures lose actions, or keep them, when something goes wrong.
func actionFailures() []Mutant {
	return []Mutant{{
		Name: "takes-results-one-by-one", Requirement: "aep.actions.all-or-none", Stateful: true,
		Summary: "Results are taken one after the other, up to the first that is refused.",
		Apply: onResolve(func(inner aep.Actions) func(owner, thread string, ids []string) error {
			return func(owner, thread string, ids []string) error {
				for _, id := range ids {
					if err := inner.Resolve(owner, thread, []string{id}); err != nil {
						return err
					}
				}
				return nil
			}
		}),
	}, {
		Name: "resolves-in-any-thread", Requirement: "aep.actions.other-thread", Stateful: true,
		Summary: "A user's action is resolved from whichever of their threads.",
		Apply: onOpened(func(o *opened) {
			o.resolve = func(owner, thread string, ids []string) error {
				for _, a := range o.list() {
					if slices.Contains(ids, a.ID) && a.Owner == owner {
						thread = a.Thread
					}
				}
				return o.Actions.Resolve(owner, thread, ids)
			}
		}),
	}, {
		Name: "one-result-resolves-all", Requirement: "aep.actions.others-open", Stateful: true,
		Summary: "A thread waits for its client or doesn't: the first result resolves all that was asked for.",
		Apply: onOpened(func(o *opened) {
			o.resolve = func(owner, thread string, ids []string) error {
				err := o.Actions.Resolve(owner, thread, ids)
				if err == nil {
					o.resolveAll(thread)
				}
				return err
			}
		}),
	}}
}

// actionReturns get wrong what becomes of actions after the request that resolved them, or beside others.
func actionReturns() []Mutant {
	return []Mutant{{
		Name: "never-reopens", Requirement: "aep.actions.again", Stateful: true,
		Summary: "A result is used up when it is accepted, whatever becomes of the run.",
		Apply:   onOpened(func(o *opened) { o.reopen = func([]string) {} }),
	}, {
		Name: "takes-one-of-two-results", Requirement: "aep.actions.twice",
		Summary: "Of two results for one action in a request, it doesn't matter which counts.",
		Apply: onResolve(func(inner aep.Actions) func(owner, thread string, ids []string) error {
			return func(owner, thread string, ids []string) error {
				slices.Sort(ids)
				return inner.Resolve(owner, thread, slices.Compact(ids))
			}
		}),
	}, {
		Name: "talking-closes-actions", Requirement: "aep.actions.left-open", Stateful: true,
		Summary: "A thread that goes on with something else has no open actions any more.",
		Apply: func(o aep.Options) aep.Options {
			var known *opened
			o = onOpened(func(o *opened) { known = o })(o)
			return onDecode(func(_ aep.Options, ask *aep.Ask) {
				if ask.Thread != "" && len(ask.Results) == 0 {
					known.resolveAll(ask.Thread)
				}
			})(o)
		},
	}}
}

// opened are Actions that know what was ever opened. Each function that is set stands in for the method.
type opened struct {
	aep.Actions
	resolve func(owner, thread string, ids []string) error
	reopen  func(ids []string)
	all     locked[[]aep.Open]
}

// onOpened puts what begin changes around the actions. It is called once for each server.
func onOpened(begin func(*opened)) apply {
	return func(o aep.Options) aep.Options {
		s := &opened{Actions: o.Actions}
		begin(s)
		o.Actions = s
		return o
	}
}

func (s *opened) Open(a aep.Open) {
	s.all.do(func(all *[]aep.Open) { *all = append(*all, a) })
	s.Actions.Open(a)
}

func (s *opened) Resolve(owner, thread string, ids []string) error {
	if s.resolve == nil {
		return s.Actions.Resolve(owner, thread, ids)
	}
	return s.resolve(owner, thread, ids)
}

func (s *opened) Reopen(ids []string) {
	if s.reopen == nil {
		s.Actions.Reopen(ids)
		return
	}
	s.reopen(ids)
}

func (s *opened) list() (list []aep.Open) {
	s.all.do(func(all *[]aep.Open) { list = slices.Clone(*all) })
	return list
}

// resolveAll resolves whatever is open on a thread.
func (s *opened) resolveAll(thread string) {
	for _, a := range s.list() {
		if a.Thread == thread {
			_ = s.Actions.Resolve(a.Owner, thread, []string{a.ID}) // it may be resolved already
		}
	}
}
