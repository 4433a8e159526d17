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

// refusals are mutants in which a request that was refused has changed something.
func refusals() []edit.Mutant {
	return []edit.Mutant{
		{Name: "refused-form-uses-results", Requirement: "aep.actions.resumed",
			Summary: "Results are taken before the rest of a body is read: a request without messages is refused, and has used them up.",
			Apply: alter.WithState(func(used *alter.PerKey[bool]) on.Apply { // by action
				return alter.All(on.OnDecode(func(body []byte, decode func([]byte) (aep.RequestBody, error)) (aep.RequestBody, error) {
					ask, err := decode(body)
					if err != nil {
						alter.Members(alter.Members(body)["context"]).Each("actionResults", func(one alter.Object) { used.Set(one.Text("actionId"), true) })
					}
					return ask, err
				}), on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
					if slices.ContainsFunc(ids, used.Get) {
						return aep.ErrResolvedAction
					}
					return a.Actions.Resolve(owner, thread, ids)
				}))
			})},
		{Name: "refused-form-takes-back-the-turn-before", Requirement: "aep.threads.history",
			Summary: "When a body can't be read, what was stored last on the thread that it names is rolled back.",
			Apply: alter.WithState(func(failed *alter.PerKey[bool]) on.Apply { // by thread
				return alter.All(on.OnDecode(func(body []byte, decode func([]byte) (aep.RequestBody, error)) (aep.RequestBody, error) {
					ask, err := decode(body)
					if err != nil {
						failed.Set(alter.Members(body).Text("threadId"), true)
					}
					return ask, err
				}), losingTheLast(failed))
			})},
		{Name: "refused-results-are-rolled-back-to-open", Requirement: "aep.actions.resolved",
			Summary: "When one of several results is refused all of them are open again, the one too that was resolved before.",
			Apply: on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
				err := a.Actions.Resolve(owner, thread, ids)
				if err != nil && len(ids) > 1 {
					a.Actions.Reopen(ids)
				}
				return err
			})},
	}
}

// takings are mutants that take results before they know that the request is right.
func takings() []edit.Mutant {
	return []edit.Mutant{
		{Name: "two-results-for-one-action-use-it-up", Requirement: "aep.actions.resumed",
			Summary: "Results are taken one by one: two for one action are refused, and the first of them was taken.",
			Apply: on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
				err := a.Actions.Resolve(owner, thread, ids)
				once := slices.Compact(slices.Sorted(slices.Values(ids)))
				if err == aep.ErrResolvedAction && len(once) < len(ids) {
					_ = a.Actions.Resolve(owner, thread, once) // it may be resolved already
				}
				return err
			})},
		{Name: "too-large-uses-results", Requirement: "aep.actions.resumed",
			Summary: "Results are taken before messages are measured: a request that is refused with 413 has used them up.",
			Apply: alter.WithState(func(used *alter.PerKey[bool]) on.Apply { // by action
				return alter.All(on.CheckedAsks(func(ask *aep.RequestBody) error {
					if !slices.ContainsFunc(ask.Messages, func(m aep.Message) bool { return len(m.Text()) > 64<<10 }) {
						return nil
					}
					for _, r := range ask.Results {
						used.Set(r.ActionID, true)
					}
					return &aep.Error{Code: "message_too_large", Message: "a message is too large"}
				}), on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
					if slices.ContainsFunc(ids, used.Get) {
						return aep.ErrResolvedAction
					}
					return a.Actions.Resolve(owner, thread, ids)
				}))
			})},
	}
}

// earlyFailures are mutants in which a request that failed, most of them before its stream began, does harm to those after it.
func earlyFailures() []edit.Mutant {
	return []edit.Mutant{
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
