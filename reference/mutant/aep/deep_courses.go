package aep

import (
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
)

// deepAfterwards are mutants that remember an answer wrongly because of how it came about.
func deepAfterwards() []Mutant {
	return []Mutant{
		{Name: "answer-after-a-failure-is-forgotten", Requirement: "aep.threads.history",
			Summary: "The failure of a run spoils the transaction in which the next answer of its thread is kept.",
			Apply: func(o aep.Options) aep.Options {
				var failed shared
				o = forgettingAnswers(func(thread string) bool { return failed.note(thread, func(int) int { return 0 }) > 0 })(o)
				return onEvents(func(r aep.Request) func(*aep.Event) {
					return func(e *aep.Event) {
						if e.Kind == aep.Failed {
							failed.note(r.Thread, plusOne)
						}
					}
				})(o)
			}},
		{Name: "answer-to-two-results-is-forgotten", Requirement: "aep.threads.history",
			Summary: "Where a request brings results for two actions or more, its answer is kept for none of them.",
			Apply: func(o aep.Options) aep.Options {
				var results shared
				o = forgettingAnswers(func(thread string) bool { return results.of(thread) > 1 })(o)
				return onDecode(func(_ aep.Options, ask *aep.Ask) {
					if ask.Thread != "" {
						results.note(ask.Thread, func(int) int { return len(ask.Results) })
					}
				})(o)
			}},
		{Name: "white-space-isn-t-history", Requirement: "aep.threads.history",
			Summary: "A message of white space alone isn't kept.",
			Apply: onThreads(func(inner aep.Threads, s *threadsShim) {
				s.say = func(id string, more []agent.Said) []agent.Said {
					return inner.Say(id, slices.DeleteFunc(slices.Clone(more), func(one agent.Said) bool { return isBlank(one.Text) }))
				}
			})},
		{Name: "unfinished-answers-by-their-last-64", Requirement: "aep.threads.unfinished-answer",
			Summary: "What was said before a run broke off is kept in a ring of 64 bytes.",
			Apply: seams.OnUnfinished(func(said []agent.Said) []agent.Said {
				for i, one := range said {
					if n := len(one.Text); one.Who == agent.ByAgent && n > 64 {
						said[i].Text = one.Text[n-64:]
					}
				}
				return said
			})},
	}
}

// isBlank says whether a text is white space, and some.
func isBlank(text string) bool {
	for _, r := range text {
		if r != ' ' && r != '\t' && r != '\n' {
			return false
		}
	}
	return text != ""
}

// forgettingAnswers leaves answers out of the history. hit is asked when an answer is kept.
func forgettingAnswers(hit func(thread string) bool) apply {
	var lost locked[map[string]map[int]bool]
	return onThreads(func(inner aep.Threads, s *threadsShim) {
		s.say = func(id string, more []agent.Said) (kept []agent.Said) {
			said := inner.Say(id, more)
			forget := len(more) > 0 && more[0].Who == agent.ByAgent && hit(id)
			lost.do(func(of *map[string]map[int]bool) {
				if *of == nil {
					*of = map[string]map[int]bool{}
				}
				if (*of)[id] == nil {
					(*of)[id] = map[int]bool{}
				}
				if forget {
					(*of)[id][len(said)] = true
				}
				for i := range said {
					if !(*of)[id][i] {
						kept = append(kept, said[i])
					}
				}
			})
			return kept
		}
	})
}

// deepEnding are mutants that end too much, or go on.
func deepEnding() []Mutant {
	return []Mutant{
		{Name: "cancelled-after-a-failed-call", Requirement: "aep.cancel.aborted",
			Summary: "Where a tool has failed before the cancellation, the response ends with its failure.",
			Apply: onEvents(func(aep.Request) func(*aep.Event) {
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
			Apply: seams.OnJournal(func(aep.Request) func(aep.Event) []aep.Event {
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
			Apply: func(o aep.Options) aep.Options {
				var failed shared
				o = asking(func(s *asked) func(aep.Actions, string, string, []string) error {
					return func(inner aep.Actions, owner, thread string, ids []string) error {
						if failed.note(thread, func(int) int { return 0 }) > 0 {
							inner.Reopen(s.of(thread))
						}
						return inner.Resolve(owner, thread, ids)
					}
				})(o)
				return onEvents(func(r aep.Request) func(*aep.Event) {
					return func(e *aep.Event) {
						if e.Kind == aep.Failed && len(r.Ask.Results) > 0 {
							failed.note(r.Thread, plusOne)
						}
					}
				})(o)
			}},
	}
}

// stacked resolves an action together with those that later responses of its thread asked for.
func stacked(o aep.Options) aep.Options {
	var responses locked[map[string]string] // by action
	o = asking(func(s *asked) func(aep.Actions, string, string, []string) error {
		return func(inner aep.Actions, owner, thread string, ids []string) error {
			err := inner.Resolve(owner, thread, ids)
			all := s.of(thread)
			at := slices.Index(all, ids[0])
			if err != nil || at < 0 {
				return err
			}
			responses.do(func(of *map[string]string) {
				for _, later := range all[at+1:] {
					if (*of)[later] != (*of)[ids[0]] {
						_ = inner.Resolve(owner, thread, []string{later}) // it may be resolved already
					}
				}
			})
			return nil
		}
	})(o)
	return onEvents(func(r aep.Request) func(*aep.Event) {
		return func(e *aep.Event) {
			responses.do(func(of *map[string]string) {
				if *of == nil {
					*of = map[string]string{}
				}
				if e.Kind == aep.Continuation {
					(*of)[e.ActionID] = r.ID
				}
			})
		}
	})(o)
}
