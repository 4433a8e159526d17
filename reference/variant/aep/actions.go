package aep

import (
	"net/http"
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
)

// actions are other ways to store the actions of the client.
func actions() []Variant {
	return []Variant{
		{Name: "results-are-used-up", Freedom: "a result whose run failed", Warns: []string{"aep.actions.again"},
			Summary: "A result is used up when it is accepted, whatever becomes of the run.",
			Apply:   on.OnActions(func(_ aep.Actions, a *on.Actions) { a.OnReopen = func([]string) {} })},
		{Name: "busy-with-an-action", Freedom: "a request without results while an action is open",
			Summary: "While a thread waits for its client, a request without results is answered 409.", Apply: waitsForClient},
	}
}

// waitsForClient refuses requests while an action is open.
func waitsForClient(o aep.Options) aep.Options {
	var resolved alter.PerKey[bool] // by action
	var known *on.Actions
	open := func(one aep.Open) bool { // another process may have taken its result
		if known.Actions.Resolve(one.Owner, one.Thread, []string{one.ID}) != nil {
			resolved.Set(one.ID, true)
			return false
		}
		known.Actions.Reopen([]string{one.ID})
		return true
	}
	o = on.OnActions(func(inner aep.Actions, a *on.Actions) {
		known = a
		a.OnResolve = func(owner, thread string, ids []string) error {
			err := inner.Resolve(owner, thread, ids)
			for _, id := range ids {
				resolved.With(id, func(done *bool) { *done = *done || err == nil })
			}
			return err
		}
	})(o)
	return on.CheckedAsks(func(ask *aep.RequestBody) error {
		waits := func(one aep.Open) bool { return one.Thread == ask.Thread && !resolved.Get(one.ID) && open(one) }
		if len(ask.Results) == 0 && slices.ContainsFunc(known.Opened(), waits) {
			return &aep.Error{Code: "action_open", Status: http.StatusConflict, Message: "the thread waits for the result of an action"}
		}
		return nil
	})(o)
}
