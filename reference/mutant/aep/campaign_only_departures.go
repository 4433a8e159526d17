package aep

import (
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
)

// campaignOnlyDepartures are mutants that end a request, or say how it ended, by what came of others of its thread.
func campaignOnlyDepartures() []Mutant {
	return []Mutant{
		{Name: "late-cancellation-ends-the-present", Requirement: "aep.cancel.one",
			Summary: "A cancellation of a request whose client has left ends what its thread is at now.",
			Apply: alter.WithState(func(left *alter.Ledger[string]) apply { // threads, by request
				return alter.All(on.OnLeave(func(gone aep.Request) { left.Set(gone.ID, gone.Thread) }),
					on.Cancelling(func(live []aep.Request, _, id string, ends []string) []string {
						thread := left.Get(id)
						return append(ends, on.IDsOf(live, func(r aep.Request) bool { return thread != "" && r.Thread == thread })...)
					}))
			})},
		{Name: "anybody-cancels-what-brings-results", Requirement: "aep.cancel.foreign",
			Summary: "A request with results has the client of an application for its owner, and that is everybody's.",
			Apply: on.Cancelling(func(live []aep.Request, _, id string, ends []string) []string {
				return append(ends, on.IDsOf(live, func(r aep.Request) bool { return r.ID == id && len(r.Ask.Results) > 0 && !slices.Contains(ends, id) })...)
			})},
		{Name: "first-failure-of-a-thread", Requirement: "aep.errors.tool", Also: []string{"aep.errors.agent"},
			Summary: "A thread remembers with which code its agent failed first, and reports that from then on.",
			Apply: alter.WithState(func(first *alter.Ledger[string]) apply { // codes, by thread
				return on.Events(on.Failure("agent_error", "tool_error")).EditIn(func(r aep.Request, e *aep.Event) {
					first.With(r.Thread, func(code *string) {
						if *code == "" {
							*code = e.Code
						}
						on.Recode(*code)(e)
					})
				})
			})},
		{Name: "failed-tool-fails-the-agent", Requirement: "aep.errors.agent",
			Summary: "An agent that fails after it went on from a failed tool is reported to have failed by that.",
			Apply:   on.Events(on.Failure("agent_error").After(on.FailedTool())).Edit(on.Recode("tool_error"))},
		{Name: "answer-without-a-question-is-forgotten", Requirement: "aep.threads.history",
			Summary: "An answer is kept beside the message that it answers, and that to results without a message is kept nowhere.",
			Apply: alter.WithState(func(alone *alter.Ledger[bool]) apply { // by thread
				return alter.All(on.Asks(func(ask *aep.Ask) {
					if ask.Thread != "" {
						alone.Set(ask.Thread, len(ask.Messages) == 0)
					}
				}), forgettingAnswers(func(thread string) bool { return alone.Get(thread) }))
			})},
	}
}
