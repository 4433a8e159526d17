package campaignonly

import (
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// departures lists mutants in which the end of one request ends another of its thread, or changes its outcome.
func departures() []edit.Mutant {
	return []edit.Mutant{
		{Name: "late-cancellation-ends-the-present", Requirement: "aep.cancel.one",
			Summary: "A cancellation of a request whose client has left ends what its thread is at now.",
			Apply: alter.WithState(func(left *alter.PerKey[string]) on.Apply { // threads, by request
				return alter.All(on.OnLeave(func(gone aep.Request) { left.Set(gone.ID, gone.Thread) }),
					on.Cancelling(func(live []aep.Request, _, id string, ends []string) []string {
						thread := left.Get(id)
						return append(ends, on.IDsOf(live, func(r aep.Request) bool { return thread != "" && r.Thread == thread })...)
					}))
			})},
		{Name: "anybody-cancels-what-brings-results", Requirement: "aep.cancel.foreign",
			Summary: "A request with results has the client of an application for its owner, and that is everybody's.",
			Apply: on.Cancelling(func(live []aep.Request, _, id string, ends []string) []string {
				return append(ends, on.IDsOf(live, func(r aep.Request) bool { return r.ID == id && len(r.Body.Results) > 0 && !slices.Contains(ends, id) })...)
			})},
		{Name: "first-failure-of-a-thread", Requirement: "aep.errors.tool", Also: []string{"aep.errors.agent"},
			Summary: "A thread remembers with which code its agent failed first, and reports that from then on.",
			Apply: alter.WithState(func(first *alter.PerKey[string]) on.Apply { // codes, by thread
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
			Apply: alter.WithState(func(alone *alter.PerKey[bool]) on.Apply { // by thread
				return alter.All(on.Asks(func(ask *aep.RequestBody) {
					if ask.Thread != "" {
						alone.Set(ask.Thread, len(ask.Messages) == 0)
					}
				}), forgettingAnswers(func(thread string) bool { return alone.Get(thread) }))
			})},
	}
}

// leaving lists mutants that a client which leaves or comes after the end confuses.
func leaving() []edit.Mutant {
	return []edit.Mutant{
		{Name: "late-cancellation-ends-the-latest", Requirement: "aep.cancel.one",
			Summary: "A cancellation of a request that is over ends the one of its user that began last.",
			Apply: func(o aep.Options) aep.Options {
				cancelled := o.Cancelled
				o.Cancelled = func(live []aep.Request, principal, id string) []string {
					ids := cancelled(live, principal, id)
					if own := ofPrincipal(live, principal); len(ids) == 0 && len(own) > 0 && !slices.ContainsFunc(live, func(r aep.Request) bool { return r.ID == id }) {
						return []string{own[len(own)-1].ID}
					}
					return ids
				}
				return o
			}},
		{Name: "buffers-where-it-might-compress", Requirement: "aep.wire.live",
			Summary: "To a client that takes gzip everything is sent at the end, as it is.",
			Apply: on.OnJournal(func(r aep.Request) func(aep.Event) []aep.Event {
				var withheld []aep.Event
				hold := strings.Contains(r.HTTP.Header.Get("Accept-Encoding"), "gzip")
				return func(e aep.Event) []aep.Event {
					if withheld = append(withheld, e); hold && !e.Kind.Terminal() && e.Kind != aep.Metadata {
						return nil
					}
					out := withheld
					withheld = nil
					return out
				}
			})},
	}
}
