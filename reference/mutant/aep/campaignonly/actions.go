package campaignonly

import (
	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// thirdActions lists mutants whose third request of an action is wrong.
func thirdActions() []edit.Mutant {
	return []edit.Mutant{
		{Name: "asks-first-of-the-thread-again", Requirement: "aep.actions.unchanged",
			Summary: "From the third response on that asks, the client is asked for what the first one of the thread asked for.",
			Apply: alter.WithState(func(threads *alter.PerKey[requestedOf]) on.Apply {
				return on.Events(on.Kind(aep.Continuation)).EditIn(func(r aep.Request, e *aep.Event) {
					threads.With(r.Thread, func(t *requestedOf) {
						if t.times++; t.times == 1 {
							t.first = *e
						}
						if t.times > 4 {
							e.ActionKind, e.Payload = t.first.ActionKind, t.first.Payload
						}
					})
				})
			})},
		{Name: "remembers-four-resolved", Requirement: "aep.actions.resolved",
			Summary: "Of the actions that were resolved the last four are known.", Apply: remembersFour},
	}
}

// requestedOf counts the actions that a thread requested of its client, and has the first.
type requestedOf struct {
	times int
	first aep.Event
}

// taking lists mutants that accept results of unknown actions, or accept a result twice.
func taking() []edit.Mutant {
	return []edit.Mutant{
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
	}
}

// resolving are mutants that resolve too much or too little, after some others.
func resolving() []edit.Mutant {
	return []edit.Mutant{
		{Name: "third-resolves-all", Requirement: "aep.actions.others-open",
			Summary: "The first result for a response that asked for three things or more resolves the last one of them too.",
			Apply: on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
				err := a.Actions.Resolve(owner, thread, ids)
				if all := a.OpenedOn(thread); err == nil && len(ids) == 1 && len(all) > 2 && ids[0] != all[len(all)-1] {
					_ = a.Actions.Resolve(owner, thread, all[len(all)-1:]) // it may be resolved already
				}
				return err
			})},
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
		{Name: "takes-results-up-to-an-old-one", Requirement: "aep.actions.all-or-none",
			Summary: "Results before one for a resolved action are used up when the request is refused.",
			Apply: on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
				err := a.Actions.Resolve(owner, thread, ids)
				if err == aep.ErrResolvedAction && len(ids) > 1 {
					_ = a.Actions.Resolve(owner, thread, ids[:1]) // it may be the old one
				}
				return err
			})},
	}
}

// remembersFour takes the results of an action again that was resolved more than four actions ago.
func remembersFour(o aep.Options) aep.Options {
	var resolved alter.PerKey[[]string]
	return on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
		if last := resolved.Get(""); len(last) > 4 {
			a.Actions.Reopen(last[:len(last)-4])
		}
		err := a.Actions.Resolve(owner, thread, ids)
		if err == nil {
			resolved.With("", func(all *[]string) { *all = append(*all, ids...) })
		}
		return err
	})(o)
}

// handedResults are mutants that hand some results on wrongly.
func handedResults() []edit.Mutant {
	return []edit.Mutant{
		{Name: "third-results-of-a-thread-are-dropped", Requirement: "aep.actions.result",
			Summary: "From the third time on that results come on a thread, the agent gets none.",
			Apply: alter.WithState(func(times *alter.PerKey[int]) on.Apply {
				return on.Asks(func(ask *aep.RequestBody) {
					if len(ask.Results) > 0 && alter.Count(times, ask.Thread) > 2 {
						for i := range ask.Results {
							ask.Results[i].JSON = []byte("null")
						}
					}
				})
			})},
		{Name: "results-aren-t-said", Requirement: "aep.threads.history",
			Summary: "What the user says beside a result isn't part of the thread.",
			Apply: alter.WithState(func(results *alter.PerKey[int]) on.Apply { // by thread, those of its last request
				return alter.All(on.Asks(func(ask *aep.RequestBody) {
					if ask.Thread != "" {
						results.Set(ask.Thread, len(ask.Results))
					}
				}), on.Losing(func(thread string, before, emitted []agent.Message) (positions []int) {
					for i, one := range emitted {
						if !edit.IsAnswer(one) && results.Get(thread) > 0 {
							positions = append(positions, len(before)+i)
						}
					}
					return positions
				}))
			})},
	}
}

// lostMessages lists mutants that lose messages which come with a result.
func lostMessages() []edit.Mutant {
	return []edit.Mutant{
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
		{Name: "failure-after-failure-is-silent", Requirement: "aep.tools.result",
			Summary: "Of two calls in a row that fail, the second has no outcome.", Also: []string{"aep.done.complete"},
			Apply: on.OnDeltas(func() func(agent.Delta) []agent.Delta {
				before := false
				return func(d agent.Delta) []agent.Delta {
					if d.Kind != agent.Outcome {
						return []agent.Delta{d}
					}
					silent := before && d.Failed
					if before = d.Failed; silent {
						return nil
					}
					return []agent.Delta{d}
				}
			})},
	}
}

// failing are mutants that err once something has failed.
func failing() []edit.Mutant {
	return []edit.Mutant{
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
	}
}
