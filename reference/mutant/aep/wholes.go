package aep

import (
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// wholes are mutants that only a run of many scenarios shows.
func wholes() []edit.Mutant {
	return []edit.Mutant{
		{Name: "request-ids-of-a-pool", Requirement: "aep.events.unique-request", Stateful: true, AcrossScenarios: true,
			Summary: "A requestId is taken from a pool of 128, and put back when the response is over.",
			Apply:   on.IDsFor(aep.RequestID).Modulo(128)},
		{Name: "twenty-open-actions", Requirement: "aep.actions.resumed", Stateful: true, AcrossScenarios: true,
			Summary: "The last twenty actions of all users are remembered.",
			Apply: on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
				last := a.Opened()
				last = last[max(0, len(last)-20):]
				for _, id := range ids {
					if !slices.ContainsFunc(last, func(one aep.Open) bool { return one.ID == id }) {
						return aep.ErrUnknownAction
					}
				}
				return a.Actions.Resolve(owner, thread, ids)
			})},
		{Name: "fifty-threads-in-memory", Requirement: "aep.threads.history", Stateful: true, AcrossScenarios: true,
			Summary: "A thread in which nothing was said while fifty others began has lost its messages.",
			Apply:   edit.LastThreads(50)},
	}
}
