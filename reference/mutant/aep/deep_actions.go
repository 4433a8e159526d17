package aep

import (
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
)

// deepAsking are mutants that ask wrongly the third time.
func deepAsking() []Mutant {
	return []Mutant{
		{Name: "four-actions-at-most", Requirement: "aep.actions.unchanged",
			Summary: "The fifth thing that an agent asks for in a response is forgotten.",
			Apply: dropping(func(aep.Request) func(aep.Event) bool {
				asked := 0
				return func(e aep.Event) bool {
					if e.Kind == aep.Continuation {
						asked++
					}
					return e.Kind == aep.Continuation && asked > 4
				}
			})},
		{Name: "asks-first-of-the-thread-again", Requirement: "aep.actions.unchanged",
			Summary: "From the third response on that asks, the client is asked for what the first one of the thread asked for.",
			Apply: onServer(func(s *struct {
				times shared
				first locked[map[string]aep.Event]
			}) apply {
				return onEvents(func(r aep.Request) func(*aep.Event) {
					return func(e *aep.Event) {
						if e.Kind != aep.Continuation {
							return
						}
						n := s.times.note(r.Thread, plusOne)
						s.first.do(func(of *map[string]aep.Event) {
							if *of == nil {
								*of = map[string]aep.Event{}
							}
							if n == 0 {
								(*of)[r.Thread] = *e
							}
							if n >= 4 {
								e.Asked, e.Payload = (*of)[r.Thread].Asked, (*of)[r.Thread].Payload
							}
						})
					}
				})
			})},
		{Name: "remembers-four-resolved", Requirement: "aep.actions.resolved",
			Summary: "Of the actions that were resolved the last four are known.", Apply: onResolve(remembersFour)},
	}
}

// deepResolving are mutants that resolve too much or too little, after some others.
func deepResolving() []Mutant {
	return []Mutant{
		{Name: "third-resolves-all", Requirement: "aep.actions.others-open",
			Summary: "The first result for a response that asked for three things or more resolves the last one of them too.",
			Apply: asking(func(s *asked) func(aep.Actions, string, string, []string) error {
				return func(inner aep.Actions, owner, thread string, ids []string) error {
					err := inner.Resolve(owner, thread, ids)
					if all := s.of(thread); err == nil && len(ids) == 1 && len(all) > 2 && ids[0] != all[len(all)-1] {
						_ = inner.Resolve(owner, thread, all[len(all)-1:]) // it may be resolved already
					}
					return err
				}
			})},
		{Name: "takes-results-up-to-an-old-one", Requirement: "aep.actions.all-or-none",
			Summary: "Results before one for a resolved action are used up when the request is refused.",
			Apply: asking(func(*asked) func(aep.Actions, string, string, []string) error {
				return func(inner aep.Actions, owner, thread string, ids []string) error {
					err := inner.Resolve(owner, thread, ids)
					if err == aep.ErrResolvedAction && len(ids) > 1 {
						_ = inner.Resolve(owner, thread, ids[:1]) // it may be the old one
					}
					return err
				}
			})},
	}
}

// asked knows what clients were asked to do.
type asked struct{ locked[[]aep.Open] }

func (s *asked) of(thread string) (ids []string) {
	s.do(func(all *[]aep.Open) {
		for _, a := range *all {
			if a.Thread == thread {
				ids = append(ids, a.ID)
			}
		}
	})
	return ids
}

// askingActions are Actions that know what was asked for, and resolve differently.
type askingActions struct {
	aep.Actions
	asked   *asked
	resolve func(inner aep.Actions, owner, thread string, ids []string) error
}

func (s *askingActions) Open(a aep.Open) {
	s.asked.do(func(all *[]aep.Open) { *all = append(*all, a) })
	s.Actions.Open(a)
}

func (s *askingActions) Resolve(owner, thread string, ids []string) error {
	return s.resolve(s.Actions, owner, thread, ids)
}

// asking resolves actions differently, knowing what was asked for. begin is called once for each server.
func asking(begin func(*asked) func(inner aep.Actions, owner, thread string, ids []string) error) apply {
	return func(o aep.Options) aep.Options {
		known := new(asked)
		o.Actions = &askingActions{o.Actions, known, begin(known)}
		return o
	}
}

// remembersFour takes the results of an action again that was resolved more than four actions ago.
func remembersFour(inner aep.Actions) func(owner, thread string, ids []string) error {
	var last locked[[]string]
	return func(owner, thread string, ids []string) error {
		last.do(func(resolved *[]string) {
			if old := len(*resolved) - 4; old > 0 {
				inner.Reopen((*resolved)[:old])
			}
		})
		err := inner.Resolve(owner, thread, ids)
		if err == nil {
			last.do(func(resolved *[]string) { *resolved = append(*resolved, ids...) })
		}
		return err
	}
}

// deepHanding are mutants that hand some results on wrongly.
func deepHanding() []Mutant {
	return []Mutant{
		{Name: "two-results-at-most", Requirement: "aep.actions.result",
			Summary: "Of the results of a request the first two reach the agent.",
			Apply:   onTurn(func(t *agent.Turn) { t.Results = t.Results[:min(2, len(t.Results))] })},
		{Name: "third-results-of-a-thread-are-dropped", Requirement: "aep.actions.result",
			Summary: "From the third time on that results come on a thread, the agent gets none.",
			Apply: onServer(func(times *shared) apply {
				return onDecode(func(_ aep.Options, ask *aep.Ask) {
					if len(ask.Results) > 0 && times.note(ask.Thread, plusOne) >= 2 {
						for i := range ask.Results {
							ask.Results[i].JSON = []byte("null")
						}
					}
				})
			})},
		{Name: "results-aren-t-said", Requirement: "aep.threads.history",
			Summary: "What the user says beside a result isn't part of the thread.",
			Apply: func(o aep.Options) aep.Options {
				var times, lost shared
				decode := o.Decode
				o.Decode = func(body []byte) (aep.Ask, error) {
					ask, err := decode(body)
					if err == nil && ask.Thread != "" {
						lost.note(ask.Thread, func(int) int { return len(ask.Results) })
					}
					return ask, err
				}
				places := map[string]map[int]bool{}
				return onThreads(func(inner aep.Threads, s *threadsShim) {
					s.say = func(id string, more []agent.Said) []agent.Said {
						said := inner.Say(id, more)
						kept := slices.Clone(said)[:0]
						times.do(func(*map[string]int) {
							if places[id] == nil {
								places[id] = map[int]bool{}
							}
							for i := range more {
								places[id][len(said)+i] = more[i].Who == agent.ByUser && lost.of(id) > 0
							}
							for i := range said {
								if !places[id][i] {
									kept = append(kept, said[i])
								}
							}
						})
						return kept
					}
				})(o)
			}},
	}
}

// deepBeside are mutants that lose what stands beside a result.
func deepBeside() []Mutant {
	return []Mutant{
		{Name: "second-failure-is-the-tool-s", Requirement: "aep.errors.agent",
			Summary: "A failure of the agent after a call that failed is taken for the tool's.",
			Apply: onEvents(func(aep.Request) func(*aep.Event) {
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
			Apply: seams.OnDeltas(func() func(agent.Delta) []agent.Delta {
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

// deepFailing are mutants that err once something has failed.
func deepFailing() []Mutant {
	return []Mutant{
		{Name: "whole-result-after-a-failure", Requirement: "aep.tools.payload-hidden",
			Summary: "The call after one that failed shows what the tool returned, for the sake of whoever looks for the mistake.",
			Apply: seams.OnDeltas(func() func(agent.Delta) []agent.Delta {
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
