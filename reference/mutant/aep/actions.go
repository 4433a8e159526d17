package aep

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

func actions() []edit.Mutant {
	asks := on.Kind(aep.Continuation)
	tolerating := func(tolerated error) on.Apply {
		return on.ResolveErrors(func(err error) error {
			if errors.Is(err, tolerated) {
				return nil
			}
			return err
		})
	}
	return []edit.Mutant{
		// Mutants that change the requested action of a continuation.
		{Name: "continuation-without-kind", Requirement: "aep.actions.members",
			Summary: "A continuation has an id and a payload, and the client has to find out what to do.",
			Also:    []string{"aep.actions.unchanged", "aep.security.forged-payload"},
			Apply:   on.Frames(asks).Remove("kind")},
		{Name: "null-payload-is-dropped", Requirement: "aep.actions.members", Also: []string{"aep.actions.unchanged"},
			Summary: "A payload that is null is left out.",
			Apply:   on.Frames(asks, on.If(func(e aep.Event) bool { return string(e.Payload) == "null" })).Remove("payload")},
		{Name: "payload-as-text", Requirement: "aep.actions.unchanged", Also: []string{"aep.security.forged-payload"},
			Summary: "The payload is a text of JSON, as it is stored.",
			Apply:   on.Events(asks).Edit(func(e *aep.Event) { e.Payload = alter.Encode(string(e.Payload)) })},
		{Name: "payload-of-first-action", Requirement: "aep.actions.unchanged", Stateful: true,
			Summary: "All continuations of a response have the payload of the first.",
			Apply:   alter.Stick(on.Events(asks), payloadOf)},
		{Name: "action-ids-count-anew", Requirement: "aep.actions.unique", Also: []string{"aep.actions.resolved", "aep.actions.foreign"},
			Summary: "The actions of each response are counted from one, and that is their id.",
			Apply:   on.IDsFor(aep.ActionID).Modulo(1)},

		// Mutants that don't end a response that asks the client.
		{Name: "waits-for-the-result", Requirement: "aep.actions.pauses", Also: []string{"aep.actions.resumed"},
			Summary: "The response stays open until the client has acted.",
			Apply:   waitsForResult},
		{Name: "asking-is-an-error", Requirement: "aep.actions.pauses",
			Summary: "A run that needs the client ends with an error that says so.",
			Apply: on.Events(on.If(func(e aep.Event) bool { return e.Kind == aep.Done && e.FinishReason == "action_required" })).
				Edit(on.Fail("tool_error", "the client has to act"))},
		{Name: "asking-again-stops", Requirement: "aep.actions.action-required", Stateful: true,
			Summary: "A response with more than one continuation ends with stop.",
			Apply:   on.FinishReason("stop", on.Kind(aep.Done).After(on.Kind(aep.Continuation).Nth(2)))},

		// Mutants that lose the results of actions.
		{Name: "refuses-results", Requirement: "aep.actions.resumed", Stateful: true,
			Summary: "A new process answers the request with the result, and doesn't know the action.",
			Also:    []string{"aep.actions.result", "aep.actions.same-thread", "aep.actions.empty-messages"},
			Apply:   on.Resolving(func(*on.Actions, string, string, []string) error { return aep.ErrUnknownAction })},
		{Name: "errors-of-actions-are-dropped", Requirement: "aep.actions.result",
			Summary: "What an action failed with is left out of what the agent is handed.",
			Apply:   on.Results(func(result alter.Object) { result.Remove("error") })},
		{Name: "resumes-in-a-new-thread", Requirement: "aep.actions.same-thread", Stateful: true, Also: []string{"aep.threads.echoed"},
			Summary: "The response to results names a thread of its own.",
			Apply:   on.Events(on.Resumed(), on.If(namesThread)).EditIn(threadPerRequest)},
		{Name: "talking-closes-actions", Requirement: "aep.actions.left-open", Stateful: true,
			Summary: "A thread that goes on with something else has no open actions any more.",
			Apply: func(o aep.Options) aep.Options {
				var known *on.Actions
				o = on.OnActions(func(_ aep.Actions, a *on.Actions) { known = a })(o)
				return on.Asks(func(ask *aep.RequestBody) {
					if ask.Thread != "" && len(ask.Results) == 0 {
						known.ResolveAll(ask.Thread)
					}
				})(o)
			}},

		// Mutants that accept invalid results, or refuse valid ones.
		{Name: "ignores-unknown-actions", Requirement: "aep.actions.unknown",
			Summary: "A result for an action that isn't known is passed over.",
			Apply:   tolerating(aep.ErrUnknownAction)},
		{Name: "resolves-twice", Requirement: "aep.actions.resolved", Stateful: true,
			Summary: "An action that is resolved already is resolved again.",
			Apply:   tolerating(aep.ErrResolvedAction)},
		{Name: "anybody-resolves", Requirement: "aep.actions.foreign", Also: []string{"aep.threads.foreign"},
			Summary: "Whoever knows an actionId may resolve the action, in whatever thread.",
			Apply:   anybodyResolves},
		{Name: "resolves-in-any-thread", Requirement: "aep.actions.other-thread", Stateful: true,
			Summary: "A user's action is resolved from whichever of their threads.",
			Apply: on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
				for _, one := range a.Opened() {
					if slices.Contains(ids, one.ID) && one.Owner == owner {
						thread = one.Thread
					}
				}
				return a.Actions.Resolve(owner, thread, ids)
			})},
		{Name: "result-without-id-resolves", Requirement: "aep.actions.no-id",
			Summary: "A result that doesn't say what it is the result of is taken for that of whatever is open.",
			Apply: on.Bodies(func(body alter.Object) {
				within := alter.Members(body["context"])
				if within != nil && within.Has("actionResults") {
					within.Keep("actionResults", func(result alter.Object) bool { return result.Has("actionId") })
					body.Set("context", within)
				}
			})},
		{Name: "results-need-a-message", Requirement: "aep.actions.empty-messages",
			Summary: "A request needs a message, results or not.",
			Apply: on.Refusing(on.Malformed("/messages is empty"), func(body alter.Object) bool {
				return string(body["messages"]) == "[]"
			})},

		// Mutants that lose actions, or keep them, when something goes wrong or where there are several.
		{Name: "takes-results-one-by-one", Requirement: "aep.actions.all-or-none", Stateful: true,
			Summary: "Results are taken one after the other, up to the first that is refused.",
			Apply: on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
				for _, id := range ids {
					if err := a.Actions.Resolve(owner, thread, []string{id}); err != nil {
						return err
					}
				}
				return nil
			})},
		{Name: "one-result-resolves-all", Requirement: "aep.actions.others-open", Stateful: true,
			Summary: "A thread waits for its client or doesn't: the first result resolves all that was asked for.",
			Apply: on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
				err := a.Actions.Resolve(owner, thread, ids)
				if err == nil {
					a.ResolveAll(thread)
				}
				return err
			})},
		{Name: "never-reopens", Requirement: "aep.actions.again", Stateful: true,
			Summary: "A result is used up when it is accepted, whatever becomes of the run.",
			Apply:   on.OnActions(func(_ aep.Actions, a *on.Actions) { a.OnReopen = func([]string) {} })},
		{Name: "takes-one-of-two-results", Requirement: "aep.actions.twice",
			Summary: "Of two results for one action in a request, it doesn't matter which counts.",
			Apply: on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
				slices.Sort(ids)
				return a.Actions.Resolve(owner, thread, slices.Compact(ids))
			})},
	}
}

// waitsForResult keeps the turn of an agent open that has requested an action.
func waitsForResult(o aep.Options) aep.Options {
	inner := o.Agent
	o.Agent = agent.Func(func(ctx context.Context, t agent.Turn, say func(agent.Delta) error) error {
		requested := false
		err := inner.Run(ctx, t, func(d agent.Delta) error {
			requested = requested || d.Kind == agent.Action
			return say(d)
		})
		if requested && err == nil {
			<-ctx.Done()
			return ctx.Err()
		}
		return err
	})
	return o
}

func namesThread(e aep.Event) bool { return e.ThreadID != "" }

// threadPerRequest names a thread that only the response has.
func threadPerRequest(r aep.Request, e *aep.Event) { e.ThreadID = "thread-of-" + r.ID }

// anybodyResolves forgets which user may resolve an action, and in which thread; a thread with an open action serves every
// user.
func anybodyResolves(o aep.Options) aep.Options {
	var known *on.Actions
	o = on.OnActions(func(inner aep.Actions, a *on.Actions) {
		known = a
		a.OnResolve = func(owner, thread string, ids []string) error {
			for _, one := range a.Opened() {
				if len(ids) > 0 && one.ID == ids[0] {
					owner, thread = one.Owner, one.Thread
				}
			}
			return inner.Resolve(owner, thread, ids)
		}
	})(o)
	return on.OnThreads(func(inner aep.Threads, t *on.Threads) {
		t.OnCheck = func(owner, id string) error {
			if len(known.OpenedOn(id)) > 0 {
				return nil
			}
			return inner.Check(owner, id)
		}
	})(o)
}

func payloadOf(e *aep.Event) *json.RawMessage { return &e.Payload }
