package aep

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
)

func actions() []Mutant {
	return slices.Concat(actionEvents(), actionContents(), actionEnds(), actionResults(), actionRefusals(), actionFailures(),
		actionReturns())
}

// actionEvents get continuations wrong.
func actionEvents() []Mutant {
	return []Mutant{{
		Name: "continuation-without-kind", Requirement: "aep.actions.members",
		Summary: "A continuation has an id and a payload, and the client has to find out what to do.",
		Also:    []string{"aep.actions.unchanged", "aep.security.forged-payload"},
		Apply:   without(always(is(aep.Continuation)), "kind"),
	}, {
		Name: "later-continuations-without-payload", Requirement: "aep.actions.members", Stateful: true,
		Summary: "Only the first continuation of a response has a payload.",
		Also:    []string{"aep.actions.unchanged"},
		Apply: without(func(aep.Request) func(aep.Event) bool {
			n := 0
			return func(e aep.Event) bool {
				if e.Kind == aep.Continuation {
					n++
				}
				return n > 1 && e.Kind == aep.Continuation
			}
		}, "payload"),
	}, {
		Name: "null-payload-is-dropped", Requirement: "aep.actions.members",
		Summary: "A payload that is null is left out.",
		Also:    []string{"aep.actions.unchanged"},
		Apply: onMembers(always(is(aep.Continuation)), func(members object, e aep.Event) {
			if string(e.Payload) == "null" {
				delete(members, "payload")
			}
		}),
	}}
}

// actionContents change what a continuation asks for.
func actionContents() []Mutant {
	return []Mutant{{
		Name: "every-action-is-a-tool", Requirement: "aep.actions.unchanged",
		Summary: "Whatever the agent asks for, the kind of the continuation is tool.",
		Also:    []string{"aep.security.forged-payload"},
		Apply:   with(always(is(aep.Continuation)), "kind", `"tool"`),
	}, {
		Name: "payload-as-text", Requirement: "aep.actions.unchanged",
		Summary: "The payload is a text of JSON, as it is stored.",
		Also:    []string{"aep.security.forged-payload"},
		Apply:   seams.OnEach(func(e *aep.Event) { e.Payload = ifContinuation(e, alter.Encode(string(e.Payload))) }),
	}, {
		Name: "payload-of-first-action", Requirement: "aep.actions.unchanged", Stateful: true,
		Summary: "All continuations of a response have the payload of the first.",
		Apply: onEvents(func(aep.Request) func(*aep.Event) {
			var first json.RawMessage
			return func(e *aep.Event) {
				if e.Kind != aep.Continuation {
					return
				}
				if first == nil {
					first = e.Payload
				}
				e.Payload = first
			}
		}),
	}, {
		Name: "action-ids-count-anew", Requirement: "aep.actions.unique",
		Summary: "The actions of each response are counted from one, and that is their id.",
		Also:    []string{"aep.actions.resolved", "aep.actions.foreign"},
		Apply: onIDs(func() func(aep.IDKind, string) string {
			return func(kind aep.IDKind, id string) string {
				if kind == aep.ActionID {
					return "action-1"
				}
				return id
			}
		}),
	}}
}

func ifContinuation(e *aep.Event, payload json.RawMessage) json.RawMessage {
	if e.Kind != aep.Continuation {
		return e.Payload
	}
	return payload
}

// actionEnds don't end a response that asks the client.
func actionEnds() []Mutant {
	return []Mutant{{
		Name: "waits-for-the-result", Requirement: "aep.actions.pauses",
		Summary: "The response stays open until the client has acted.",
		Also:    []string{"aep.actions.resumed"},
		Apply:   waitsForResult,
	}, {
		Name: "asking-is-an-error", Requirement: "aep.actions.pauses",
		Summary: "A run that needs the client ends with an error that says so.",
		Apply: seams.OnEach(func(e *aep.Event) {
			if e.Kind == aep.Done && e.FinishReason == "action_required" {
				fail(e, "tool_error", "the client has to act")
			}
		}),
	}, {
		Name: "asking-stops", Requirement: "aep.actions.action-required",
		Summary: "The finish reason is stop, whether or not the client has to act.",
		Apply:   onDone(func(_ aep.Request, e *aep.Event) { e.FinishReason = "stop" }),
	}, {
		Name: "asking-again-stops", Requirement: "aep.actions.action-required", Stateful: true,
		Summary: "A response with more than one continuation ends with stop.",
		Apply: onEvents(func(aep.Request) func(*aep.Event) {
			n := 0
			return func(e *aep.Event) {
				if e.Kind == aep.Continuation {
					n++
				}
				if e.Kind == aep.Done && n > 1 {
					e.FinishReason = "stop"
				}
			}
		}),
	}}
}

// waitsForResult keeps an agent that has asked the client at work.
func waitsForResult(o aep.Options) aep.Options {
	inner := o.Agent
	o.Agent = agent.Func(func(ctx context.Context, t agent.Turn, say func(agent.Delta) error) error {
		asked := false
		err := inner.Run(ctx, t, func(d agent.Delta) error {
			asked = asked || d.Kind == agent.Action
			return say(d)
		})
		if asked && err == nil {
			<-ctx.Done()
			return ctx.Err()
		}
		return err
	})
	return o
}

// actionResults lose the results of actions.
func actionResults() []Mutant {
	return []Mutant{{
		Name: "refuses-results", Requirement: "aep.actions.resumed", Stateful: true,
		Summary: "A new process answers the request with the result, and doesn't know the action.",
		Also:    []string{"aep.actions.result", "aep.actions.same-thread", "aep.actions.empty-messages"},
		Apply: onResolve(func(aep.Actions) func(string, string, []string) error {
			return func(string, string, []string) error { return aep.ErrUnknownAction }
		}),
	}, {
		Name: "drops-results", Requirement: "aep.actions.result",
		Summary: "Results are checked and not handed on.",
		Apply:   onTurn(func(t *agent.Turn) { t.Results = nil }),
	}, {
		Name: "first-result-twice", Requirement: "aep.actions.result", Stateful: true,
		Summary: "The agent gets the first of several results in place of each.",
		Apply: onTurn(func(t *agent.Turn) {
			for i := range t.Results {
				t.Results[i] = t.Results[0]
			}
		}),
	}, {
		Name: "errors-of-actions-are-dropped", Requirement: "aep.actions.result",
		Summary: "What an action failed with is left out of what the agent is handed.",
		Apply: onTurn(func(t *agent.Turn) {
			for i, result := range t.Results {
				members := alter.Members(result)
				delete(members, "error")
				t.Results[i] = alter.Encode(members)
			}
		}),
	}, {
		Name: "resumes-in-a-new-thread", Requirement: "aep.actions.same-thread", Stateful: true,
		Summary: "The response to results names a thread of its own.",
		Also:    []string{"aep.threads.echoed"},
		Apply: onEvents(func(r aep.Request) func(*aep.Event) {
			return func(e *aep.Event) {
				if len(r.Ask.Results) > 0 && e.ThreadID != "" {
					e.ThreadID = "thread-of-" + r.ID
				}
			}
		}),
	}}
}

// actionRefusals take results that should be refused, or refuse what shouldn't be.
func actionRefusals() []Mutant {
	tolerating := func(tolerated error) apply {
		return onResolve(func(inner aep.Actions) func(string, string, []string) error {
			return func(owner, thread string, ids []string) error {
				if err := inner.Resolve(owner, thread, ids); !errors.Is(err, tolerated) {
					return err
				}
				return nil
			}
		})
	}
	return []Mutant{{
		Name: "ignores-unknown-actions", Requirement: "aep.actions.unknown",
		Summary: "A result for an action that isn't known is passed over.",
		Apply:   tolerating(aep.ErrUnknownAction),
	}, {
		Name: "resolves-twice", Requirement: "aep.actions.resolved", Stateful: true,
		Summary: "An action that is resolved already is resolved again.",
		Apply:   tolerating(aep.ErrResolvedAction),
	}, {
		Name: "anybody-resolves", Requirement: "aep.actions.foreign",
		Summary: "Whoever knows an actionId may resolve the action, in whatever thread.",
		Also:    []string{"aep.threads.foreign"},
		Apply:   anybodyResolves,
	}, {
		Name: "result-without-id-resolves", Requirement: "aep.actions.no-id",
		Summary: "A result that doesn't say what it is the result of is taken for that of whatever is open.",
		Apply:   onBody(dropNamelessResults),
	}, {
		Name: "results-need-a-message", Requirement: "aep.actions.empty-messages",
		Summary: "A request needs a message, results or not.",
		Apply: onBodyCheck(func(members object) error {
			if string(members["messages"]) == "[]" {
				return invalid("/messages is empty")
			}
			return nil
		}),
	}}
}

// anybodyResolves forgets who may resolve an action, and where; a thread that has asked for one is open to everybody.
func anybodyResolves(o aep.Options) aep.Options {
	actions := &openActions{Actions: o.Actions}
	o.Actions = actions
	return onThreads(func(inner aep.Threads, s *threadsShim) {
		s.check = func(owner, id string) error {
			err := inner.Check(owner, id)
			actions.known.do(func(known *map[string]aep.Open) {
				for _, a := range *known {
					if a.Thread == id {
						err = nil
					}
				}
			})
			return err
		}
	})(o)
}

// openActions knows actions by nothing but their ids.
type openActions struct {
	aep.Actions
	known locked[map[string]aep.Open]
}

func (s *openActions) Open(a aep.Open) {
	s.known.do(func(known *map[string]aep.Open) {
		if *known == nil {
			*known = map[string]aep.Open{}
		}
		(*known)[a.ID] = a
	})
	s.Actions.Open(a)
}

func (s *openActions) Resolve(owner, thread string, ids []string) error {
	s.known.do(func(known *map[string]aep.Open) {
		if len(ids) > 0 && (*known)[ids[0]].ID != "" {
			owner, thread = (*known)[ids[0]].Owner, (*known)[ids[0]].Thread
		}
	})
	return s.Actions.Resolve(owner, thread, ids)
}

// dropNamelessResults takes results out of a body that have no id.
func dropNamelessResults(body object) {
	within := alter.Members(body["context"])
	var results []object
	if within == nil || json.Unmarshal(within["actionResults"], &results) != nil {
		return
	}
	results = slices.DeleteFunc(results, func(r object) bool { return r["actionId"] == nil })
	within["actionResults"] = alter.Encode(append([]object{}, results...))
	body["context"] = alter.Encode(within)
}
