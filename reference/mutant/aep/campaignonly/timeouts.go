package campaignonly

import (
	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// overdue lists mutants in which a stream that timed out changes later streams.
func overdue() []edit.Mutant {
	delayed := on.Failure("stream_timeout")
	return []edit.Mutant{
		{Name: "time-out-behind-a-tool-is-the-tool-s", Requirement: "aep.errors.timeout", Also: []string{"aep.errors.tool"},
			Summary: "Where a stream takes too long that has called a tool, the tool is said to have failed.",
			Apply:   on.Events(on.Any().Since(on.Kind(aep.ToolResult)).And(delayed)).Edit(on.Recode("tool_error"))},
		{Name: "time-out-keeps-the-lock", Requirement: "aep.request.post",
			Summary: "A stream that took too long leaves its thread locked.",
			Apply: alter.WithState(func(locked *alter.PerKey[bool]) on.Apply { // by thread
				return alter.All(on.CheckedAsks(func(ask *aep.RequestBody) error {
					if locked.Get(ask.Thread) {
						return busy(nil)
					}
					return nil
				}), on.Events(delayed).EditIn(func(r aep.Request, _ *aep.Event) { locked.Set(r.Thread, true) }))
			})},
		{Name: "time-out-holds-up-the-next", Requirement: "aep.flow.done",
			Summary: "A stream that took too long keeps the place of its thread in the queue: the agent of the next one never comes to it.",
			Apply: alter.WithState(func(withheld *alter.PerKey[bool]) on.Apply { // by thread
				return alter.All(on.Asks(func(ask *aep.RequestBody) {
					if withheld.Get(ask.Thread) && ask.Script != nil {
						ask.Script = &agent.Script{Instructions: []agent.Instruction{{Name: "hang"}}}
					}
				}), on.Events(delayed).EditIn(func(r aep.Request, _ *aep.Event) { withheld.Set(r.Thread, true) }))
			})},
		{Name: "time-out-empties-the-thread", Requirement: "aep.threads.history",
			Summary: "What was said before a stream that took too long is forgotten.",
			Apply:   forgetsAfter(func(_ aep.Request, e *aep.Event) bool { return e.Kind == aep.Failed && e.Code == "stream_timeout" })},
		{Name: "time-out-closes-the-other-actions", Requirement: "aep.actions.resumed",
			Summary: "When a stream takes too long that works on the result of an action, the others of its thread are withdrawn.",
			Apply: func(o aep.Options) aep.Options {
				var known *on.Actions
				o = on.OnActions(func(_ aep.Actions, a *on.Actions) { known = a })(o)
				return on.Events(delayed, on.Resumed()).EditIn(func(r aep.Request, _ *aep.Event) { known.ResolveAll(r.Thread) })(o)
			}},
	}
}
