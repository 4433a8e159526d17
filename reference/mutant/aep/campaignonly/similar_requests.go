package campaignonly

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// mistaken lists mutants that take a request for another one: one with a similar name, with the same content, or that is
// over.
func mistaken() []edit.Mutant {
	return []edit.Mutant{
		{Name: "cancelled-by-the-beginning-of-an-id", Requirement: "aep.cancel.one",
			Summary: "A request is cancelled by anything that its id begins with.",
			Apply:   cancelsLike(func(id, named string) bool { return strings.HasPrefix(id, named) })},
		{Name: "cancelled-by-more-than-an-id", Requirement: "aep.cancel.one",
			Summary: "A request is cancelled by anything that begins with its id, since ids are compared in a column of their length.",
			Apply:   cancelsLike(func(id, named string) bool { return strings.HasPrefix(named, id) })},
		{Name: "double-click-is-one-thread", Requirement: "aep.threads.created",
			Summary: "A request without a thread that says what an earlier one said is taken for a double click, and goes on with that one's thread.",
			Apply: alter.WithState(func(started *alter.PerKey[string]) on.Apply { // threads, by what began them
				return alter.All(on.Asks(func(ask *aep.RequestBody) {
					if ask.Thread == "" {
						ask.Thread = started.Get(spelledOut(*ask))
					}
				}), on.Events(on.Kind(aep.Metadata)).EditIn(func(r aep.Request, _ *aep.Event) {
					if started.Get(spelledOut(r.Body)) == "" {
						started.Set(spelledOut(r.Body), r.Thread)
					}
				}))
			})},
		{Name: "late-cancellation-withdraws-what-was-asked", Requirement: "aep.actions.resumed",
			Summary: "A cancellation of a request that is over withdraws what its agent has asked for.", Apply: withdrawsAfterEnd},
	}
}

// spelledOut returns the complete content of a request as a text.
func spelledOut(ask aep.RequestBody) string {
	var script agent.Script
	if ask.Script != nil {
		script = *ask.Script
	}
	return fmt.Sprint(ask.Messages, string(ask.Context), script)
}

// cancelsLike has a cancellation end every request of its user whose id is like the one that it names.
func cancelsLike(like func(id, named string) bool) on.Apply {
	return on.Cancelling(func(live []aep.Request, principal, named string, _ []string) []string {
		return on.IDsOf(live, func(r aep.Request) bool { return r.Principal == principal && like(r.ID, named) })
	})
}

// withdrawsAfterEnd resolves the actions of a request that is cancelled when it is over.
func withdrawsAfterEnd(o aep.Options) aep.Options {
	var requested alter.PerKey[[]string] // by request
	var threads alter.PerKey[string]
	var known *on.Actions
	o = on.OnActions(func(_ aep.Actions, a *on.Actions) { known = a })(o)
	o = on.Events(on.Kind(aep.Continuation)).EditIn(func(r aep.Request, e *aep.Event) {
		threads.Set(r.ID, r.Thread)
		requested.With(r.ID, func(all *[]string) { *all = append(*all, e.ActionID) })
	})(o)
	return on.Cancelling(func(_ []aep.Request, principal, id string, ends []string) []string {
		for _, action := range requested.Get(id) {
			_ = known.Actions.Resolve(principal, threads.Get(id), []string{action}) // it may be resolved already
		}
		return ends
	})(o)
}
