package campaignonly

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// tries are mutants that err where something is tried again, or where it failed before.
func tries() []edit.Mutant {
	return []edit.Mutant{
		{Name: "tried-again-for-ever", Requirement: "aep.actions.resolved",
			Summary: "An action whose result came to nothing once takes any number of results.",
			Apply: func(o aep.Options) aep.Options {
				o.Actions = &triedActions{Actions: o.Actions}
				return o
			}},
		{Name: "asked-twice-and-not-kept", Requirement: "aep.threads.history",
			Summary: "What is asked twice in a row is taken for what is there already, and its second answer isn't kept.",
			Apply: alter.WithState(func(requested *alter.PerKey[repeated]) func(aep.Options) aep.Options {
				return on.Storing(func(thread string, emitted []agent.Message) []agent.Message {
					if len(emitted) == 0 {
						return emitted
					}
					requested.With(thread, func(r *repeated) {
						switch one := emitted[0]; {
						case one.Who == agent.ByUser:
							r.text, r.again = one.Text, r.text == one.Text
						case r.again:
							r.again, emitted = false, nil
						}
					})
					return emitted
				})
			})},
		{Name: "answers-that-are-false", Requirement: "aep.threads.history",
			Summary: "An answer that is 0, false, null or blank isn't kept.",
			Apply: on.Storing(func(_ string, emitted []agent.Message) []agent.Message {
				return slices.DeleteFunc(slices.Clone(emitted), func(one agent.Message) bool {
					return one.Who == agent.ByAgent && slices.Contains([]string{"", "0", "-0", "false", "null", "None"}, strings.TrimSpace(one.Text))
				})
			})},
		{Name: "second-failure-of-a-tool-is-the-agent-s", Requirement: "aep.tools.result", Also: []string{"aep.flow.done"},
			Summary: "An agent is stopped whose tool fails for the second time in an answer.",
			Apply: func(o aep.Options) aep.Options {
				inner := o.Agent
				o.Agent = agent.Func(func(ctx context.Context, t agent.Turn, say func(agent.Delta) error) error {
					failed := map[string]bool{}
					return inner.Run(ctx, t, func(d agent.Delta) error {
						if d.Kind == agent.Outcome && d.Failed && failed[d.Tool] {
							return &agent.Failure{Code: "agent_error", Message: "a tool has failed twice"}
						}
						failed[d.Tool] = failed[d.Tool] || d.Kind == agent.Outcome && d.Failed
						return say(d)
					})
				})
				return o
			}},
		{Name: "left-and-busy-for-ever", Requirement: "aep.flow.disconnect",
			Summary: "A thread whose client has gone is busy from then on.", Apply: whereLeft(busy)},
	}
}

// repeated records the last text of a user on a thread, and whether it equals the one before.
type repeated struct {
	text  string
	again bool
}

func busy(error) error {
	return &aep.Error{Code: "busy", Status: http.StatusConflict, Message: "the thread is busy"}
}

// triedActions forgets of an action that was opened again that it can be resolved.
type triedActions struct {
	aep.Actions
	tried alter.PerKey[bool]
}

func (a *triedActions) Reopen(ids []string) {
	for _, id := range ids {
		a.tried.Set(id, true)
	}
	a.Actions.Reopen(ids)
}

func (a *triedActions) Resolve(owner, thread string, ids []string) error {
	for _, id := range ids {
		if a.tried.Get(id) {
			a.Actions.Reopen([]string{id})
		}
	}
	return a.Actions.Resolve(owner, thread, ids)
}
