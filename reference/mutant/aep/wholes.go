package aep

import "github.com/streamcert/streamcert/reference/aep"

// wholes are mutants that only a run of many scenarios shows.
func wholes() []Mutant {
	return []Mutant{
		{Name: "request-ids-of-a-pool", Requirement: "aep.events.unique-request", Stateful: true, Whole: true,
			Summary: "A requestId is taken from a pool of 128, and put back when the response is over.",
			Apply:   countedIDs(aep.RequestID, 128)},
		{Name: "threads-of-a-pool", Requirement: "aep.threads.created", Stateful: true, Whole: true,
			Summary: "The 101st thread has the id of the first, because a counter has two decimal digits.",
			Apply:   countedIDs(aep.ThreadID, 100)},
		{Name: "actions-of-a-pool", Requirement: "aep.actions.unique", Stateful: true, Whole: true,
			Summary: "The number of an action has five bits.",
			Apply:   countedIDs(aep.ActionID, 32)},
	}
}
