package aep

import (
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
)

// Actions are actions with some methods replaced, which record the ids that were ever opened. Each function that is set
// replaces the method.
type Actions struct {
	aep.Actions
	OnResolve func(owner, thread string, ids []string) error
	OnReopen  func(ids []string)

	opened alter.PerKey[[]aep.Open] // by the server, which has no name
}

// OnActions brings actions that do some things differently. The function is called once for each server.
func OnActions(replace func(inner aep.Actions, a *Actions)) Apply {
	return func(o aep.Options) aep.Options {
		a := &Actions{Actions: o.Actions}
		replace(o.Actions, a)
		o.Actions = a
		return o
	}
}

// Open implements aep.Actions.
func (a *Actions) Open(one aep.Open) {
	a.opened.With("", func(all *[]aep.Open) { *all = append(*all, one) })
	a.Actions.Open(one)
}

// Resolve implements aep.Actions.
func (a *Actions) Resolve(owner, thread string, ids []string) error {
	if a.OnResolve == nil {
		return a.Actions.Resolve(owner, thread, ids)
	}
	return a.OnResolve(owner, thread, ids)
}

// Reopen implements aep.Actions.
func (a *Actions) Reopen(ids []string) {
	if a.OnReopen == nil {
		a.Actions.Reopen(ids)
		return
	}
	a.OnReopen(ids)
}

// Opened lists all actions that were ever opened, resolved ones too, the oldest first.
func (a *Actions) Opened() []aep.Open { return slices.Clone(a.opened.Get("")) }

// OpenedOn lists the ids of those actions of a thread that were ever opened, the oldest first.
func (a *Actions) OpenedOn(thread string) (ids []string) {
	for _, one := range a.Opened() {
		if one.Thread == thread {
			ids = append(ids, one.ID)
		}
	}
	return ids
}

// ResolveAll resolves all open actions of a thread.
func (a *Actions) ResolveAll(thread string) {
	for _, one := range a.Opened() {
		if one.Thread == thread {
			_ = a.Actions.Resolve(one.Owner, thread, []string{one.ID}) // it may be resolved already
		}
	}
}

// Resolving resolves actions differently.
func Resolving(resolve func(a *Actions, owner, thread string, ids []string) error) Apply {
	return OnActions(func(_ aep.Actions, a *Actions) {
		a.OnResolve = func(owner, thread string, ids []string) error { return resolve(a, owner, thread, ids) }
	})
}

// ResolveErrors changes the error of a result that is refused; nil takes it.
func ResolveErrors(change func(err error) error) Apply {
	return Resolving(func(a *Actions, owner, thread string, ids []string) error {
		err := a.Actions.Resolve(owner, thread, ids)
		if err != nil {
			err = change(err)
		}
		return err
	})
}
