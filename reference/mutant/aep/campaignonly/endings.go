package campaignonly

import (
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// afterwards are mutants that remember an answer wrongly because of how it came about.
func afterwards() []edit.Mutant {
	return []edit.Mutant{
		{Name: "answer-after-a-failure-is-forgotten", Requirement: "aep.threads.history",
			Summary: "The failure of a run spoils the transaction in which the next answer of its thread is kept.",
			Apply: alter.WithState(func(failed *alter.PerKey[bool]) on.Apply { // by thread
				return alter.All(on.Events(on.Failure()).EditIn(func(r aep.Request, _ *aep.Event) {
					failed.Set(r.Thread, true)
				}), forgettingAnswers(func(thread string) bool { return failed.Swap(thread, false) }))
			})},
		{Name: "answer-to-two-results-is-forgotten", Requirement: "aep.threads.history",
			Summary: "Where a request brings results for two actions or more, its answer is kept for none of them.",
			Apply: alter.WithState(func(results *alter.PerKey[int]) on.Apply { // by thread
				return alter.All(on.Asks(func(ask *aep.RequestBody) {
					if ask.Thread != "" {
						results.Set(ask.Thread, len(ask.Results))
					}
				}), forgettingAnswers(func(thread string) bool { return results.Get(thread) > 1 }))
			})},
		{Name: "white-space-isn-t-history", Requirement: "aep.threads.history",
			Summary: "A message of white space alone isn't kept.",
			Apply: on.OnThreads(func(inner aep.Threads, t *on.Threads) {
				t.OnSay = func(id string, more []agent.Message) []agent.Message {
					return inner.Say(id, slices.DeleteFunc(slices.Clone(more), func(one agent.Message) bool { return isBlank(one.Text) }))
				}
			})},
		{Name: "unfinished-answers-by-their-last-64", Requirement: "aep.threads.unfinished-answer",
			Summary: "What was said before a run broke off is kept in a ring of 64 bytes.",
			Apply: on.OnUnfinished(func(emitted []agent.Message) []agent.Message {
				for i, one := range emitted {
					if n := len(one.Text); one.Who == agent.ByAgent && n > 64 {
						emitted[i].Text = one.Text[n-64:]
					}
				}
				return emitted
			})},
	}
}

// isBlank reports whether a text isn't empty and contains white space only.
func isBlank(text string) bool {
	for _, r := range text {
		if r != ' ' && r != '\t' && r != '\n' {
			return false
		}
	}
	return text != ""
}

// forgettingAnswers leaves answers out of the history. hit is called when an answer is stored.
func forgettingAnswers(hit func(thread string) bool) on.Apply {
	return on.Losing(func(thread string, before, emitted []agent.Message) []int {
		if len(emitted) > 0 && edit.IsAnswer(emitted[0]) && hit(thread) {
			return []int{len(before)}
		}
		return nil
	})
}

// ending are mutants that end too much, or go on.
func ending() []edit.Mutant {
	return []edit.Mutant{
		{Name: "cancelled-after-a-failed-call", Requirement: "aep.cancel.aborted",
			Summary: "Where a tool has failed before the cancellation, the response ends with its failure.",
			Apply: on.Events().EditSequence(func(aep.Request) func(*aep.Event) {
				failed := false
				return func(e *aep.Event) {
					failed = failed || e.Kind == aep.ToolResult && e.Stage == aep.Stop && e.Block.Status == "error"
					if e.Kind == aep.Aborted && failed {
						e.Kind, e.Code, e.Message = aep.Failed, "tool_error", "a tool failed"
					}
				}
			})},
		{Name: "thought-is-closed-after-the-abort", Requirement: "aep.flow.terminal-last",
			Summary: "A thought that is open when its request is cancelled is stopped by a clean-up that comes last.",
			Apply: on.OnJournal(func(aep.Request) func(aep.Event) []aep.Event {
				var open *aep.Event
				return func(e aep.Event) []aep.Event {
					switch {
					case e.Kind == aep.Thinking && e.Stage == aep.Stop:
						open = nil
					case e.Kind == aep.Thinking:
						open = &e
					case e.Kind == aep.Aborted && open != nil:
						stop := *open
						stop.Stage, stop.Block = aep.Stop, aep.Block{Kind: aep.Thinking}
						return []aep.Event{e, stop}
					}
					return []aep.Event{e}
				}
			})},
		{Name: "answer-closes-later-actions", Requirement: "aep.actions.others-open",
			Summary: "What responses of a thread ask for is a stack: a result takes away what later ones asked for.",
			Apply:   stacked},
		{Name: "failure-reopens-all", Requirement: "aep.actions.resolved",
			Summary: "When a run that was handed results fails, all actions of its thread are open again.",
			Apply: alter.WithState(func(failed *alter.PerKey[bool]) on.Apply { // by thread
				return alter.All(on.Events(on.Failure(), on.Resumed()).EditIn(func(r aep.Request, _ *aep.Event) {
					failed.Set(r.Thread, true)
				}), on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
					if failed.Swap(thread, false) {
						a.Actions.Reopen(a.OpenedOn(thread))
					}
					return a.Actions.Resolve(owner, thread, ids)
				}))
			})},
	}
}

// stacked resolves an action and those that later responses of its thread requested.
func stacked(o aep.Options) aep.Options {
	var responses alter.PerKey[string] // by action
	o = on.Resolving(func(a *on.Actions, owner, thread string, ids []string) error {
		err := a.Actions.Resolve(owner, thread, ids)
		all := a.OpenedOn(thread)
		at := slices.Index(all, ids[0])
		if err != nil || at < 0 {
			return err
		}
		for _, later := range all[at+1:] {
			if responses.Get(later) != responses.Get(ids[0]) {
				_ = a.Actions.Resolve(owner, thread, []string{later}) // it may be resolved already
			}
		}
		return nil
	})(o)
	return on.Events(on.Kind(aep.Continuation)).EditIn(func(r aep.Request, e *aep.Event) {
		responses.Set(e.ActionID, r.ID)
	})(o)
}
