package campaignonly

import (
	"net/http"
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// rareActions lists the mutants that some actions, refusals and cancellations show.
func rareActions() []edit.Mutant {
	return []edit.Mutant{
		// Mutants that accept results of unknown actions, or accept a result twice.
		{Name: "who-has-answered-answers-anywhere", Requirement: "aep.actions.other-thread",
			Summary: "A thread that has had a result is trusted, and may bring those of its user's other threads.",
			Apply: alter.WithState(func(trusted *alter.PerKey[bool]) on.Apply { // by thread
				return on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
					if err := a.Actions.Resolve(owner, thread, ids); err == nil || len(ids) != 1 || !trusted.Get(thread) {
						trusted.With(thread, func(yes *bool) { *yes = *yes || err == nil })
						return err
					}
					for _, open := range a.Opened() {
						if open.ID == ids[0] {
							return a.Actions.Resolve(owner, open.Thread, ids)
						}
					}
					return aep.ErrUnknownAction
				})
			})},
		{Name: "three-of-one-request-are-used-up", Requirement: "aep.actions.resolved",
			Summary: "Of results that come together, those behind the third are handed to the agent and not marked.",
			Apply: on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
				err := a.Actions.Resolve(owner, thread, ids)
				if err == nil && len(ids) > 3 {
					a.Actions.Reopen(ids[3:])
				}
				return err
			})},

		// These are mutants that resolve too much or too little, after some others.
		{Name: "asking-again-withdraws-the-rest", Requirement: "aep.actions.resumed",
			Summary: "Where the agent asks for something more once it has a result, what else it had asked for is withdrawn.",
			Apply: alter.WithState(func(withdrawn *alter.PerKey[bool]) on.Apply { // by action
				var known *on.Actions
				return alter.All(withdrawing(withdrawn, &known), on.Events(on.Kind(aep.Continuation)).EditSequence(func(r aep.Request) func(*aep.Event) {
					requested := false
					return func(e *aep.Event) {
						if requested || len(r.Body.Results) == 0 {
							return
						}
						requested = true
						for _, id := range known.OpenedOn(r.Thread) {
							withdrawn.Set(id, id != e.ActionID)
						}
					}
				}))
			})},

		// Mutants that lose messages which come with a result.
		{Name: "second-failure-is-the-tool-s", Requirement: "aep.errors.agent",
			Summary: "A failure of the agent after a call that failed is taken for the tool's.",
			Apply: on.Events().EditSequence(func(aep.Request) func(*aep.Event) {
				failed := false
				return func(e *aep.Event) {
					failed = failed || e.Kind == aep.ToolResult && e.Stage == aep.Stop && e.Block.Status == "error"
					if e.Kind == aep.Failed && e.Code == "agent_error" && failed {
						e.Code = "tool_error"
					}
				}
			})},

		// These are mutants that err once something has failed.
		{Name: "whole-result-after-a-failure", Requirement: "aep.tools.payload-hidden",
			Summary: "The call after one that failed shows what the tool returned, for the sake of whoever looks for the mistake.",
			Apply: on.OnDeltas(func() func(agent.Delta) []agent.Delta {
				before := false
				return func(d agent.Delta) []agent.Delta {
					if d.Kind == agent.Outcome {
						if before && !d.Failed {
							d.Summary = string(d.Returned)
						}
						before = d.Failed
					}
					return []agent.Delta{d}
				}
			})},

		// These are mutants in which a request that was refused has changed something.
		{Name: "refused-results-are-rolled-back-to-open", Requirement: "aep.actions.resolved",
			Summary: "When one of several results is refused all of them are open again, the one too that was resolved before.",
			Apply: on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
				err := a.Actions.Resolve(owner, thread, ids)
				if err != nil && len(ids) > 1 {
					a.Actions.Reopen(ids)
				}
				return err
			})},

		// These are mutants in which a request that failed, most of them before its stream began, does harm to those after it.
		{Name: "early-failure-keeps-the-lock", Requirement: "aep.request.post",
			Summary: "A request that fails before its stream begins leaves its thread locked.",
			Apply: alter.WithState(func(locked *alter.PerKey[bool]) on.Apply { // by thread
				return on.CheckedAsks(func(ask *aep.RequestBody) error {
					if locked.Get(ask.Thread) {
						return &aep.Error{Code: "thread_busy", Status: http.StatusConflict, Message: "the thread is busy"}
					}
					locked.Set(ask.Thread, ask.Thread != "" && early(*ask))
					return nil
				})
			})},
		{Name: "early-failure-takes-back-the-turn-before", Requirement: "aep.threads.history",
			Summary: "A request that fails before its stream begins has stored nothing yet, and the last turn of its thread is rolled back in its place.",
			Apply: alter.WithState(func(failed *alter.PerKey[bool]) on.Apply { // by thread
				return alter.All(on.Asks(func(ask *aep.RequestBody) {
					if early(*ask) {
						failed.Set(ask.Thread, true)
					}
				}), losingTheLast(failed))
			})},
		{Name: "early-failure-closes-the-other-actions", Requirement: "aep.actions.resumed",
			Summary: "A request that fails before its stream begins leaves whatever else its thread has asked for withdrawn.",
			Apply: alter.WithState(func(withdrawn *alter.PerKey[bool]) on.Apply { // by action
				var known *on.Actions
				return alter.All(withdrawing(withdrawn, &known), on.Asks(func(ask *aep.RequestBody) {
					if !early(*ask) {
						return
					}
					for _, id := range known.OpenedOn(ask.Thread) {
						withdrawn.Set(id, !slices.ContainsFunc(ask.Results, func(r aep.Result) bool { return r.ActionID == id }))
					}
				}))
			})},
		{Name: "ten-failures-open-the-breaker", Requirement: "aep.flow.done",
			Summary: "After ten failures in a row on a thread the next request fails in its turn, whatever its agent comes to.",
			Apply: alter.WithState(func(failures *alter.PerKey[int]) on.Apply { // by thread
				return on.Events(on.Terminal()).EditIn(func(r aep.Request, e *aep.Event) {
					if n := failures.Get(r.Thread); n >= 10 && e.Kind == aep.Done {
						on.Fail("agent_error", "the agent is left alone for a while")(e)
					}
					if e.Kind != aep.Failed {
						failures.Set(r.Thread, 0)
						return
					}
					alter.Count(failures, r.Thread)
				})
			})},
	}
}

// losingTheLast takes back the last turn of each thread for which something has failed.
func losingTheLast(failed *alter.PerKey[bool]) on.Apply {
	return on.Losing(func(thread string, before, _ []agent.Message) (positions []int) {
		if !failed.Swap(thread, false) {
			return nil
		}
		for i, one := range before {
			if one.Request == before[len(before)-1].Request {
				positions = append(positions, i)
			}
		}
		return positions
	})
}

// early reports whether a request fails before its stream begins.
func early(ask aep.RequestBody) bool { return ask.Script != nil && ask.Script.Refuse != "" }

// withdrawing takes no result of an action that is withdrawn; known is set to the actions of the server.
func withdrawing(withdrawn *alter.PerKey[bool], known **on.Actions) on.Apply {
	return on.OnActions(func(inner aep.Actions, a *on.Actions) {
		*known = a
		a.OnResolve = func(owner, thread string, ids []string) error {
			if slices.ContainsFunc(ids, withdrawn.Get) {
				return aep.ErrUnknownAction
			}
			return inner.Resolve(owner, thread, ids)
		}
	})
}
