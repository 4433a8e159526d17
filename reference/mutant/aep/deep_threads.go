package aep

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
)

// deepForgetting are mutants that remember too little.
func deepForgetting() []Mutant {
	return []Mutant{
		{Name: "second-cancellation-empties-the-thread", Requirement: "aep.threads.history",
			Summary: "When a second request of a thread is cancelled, everything is forgotten that was said there.",
			Apply: onServer(func(times *shared) apply {
				return forgetsAfter(func(r aep.Request, e *aep.Event) bool {
					return e.Kind == aep.Aborted && times.note(r.Thread, plusOne) == 1
				})
			})},
		{Name: "asking-empties-the-thread", Requirement: "aep.threads.history",
			Summary: "What was said before the agent asked its client for two things is forgotten.",
			Apply: onServer(func(times *shared) apply {
				return forgetsAfter(func(r aep.Request, e *aep.Event) bool {
					return e.Kind == aep.Continuation && times.note(r.ID, plusOne) == 1
				})
			})},
		{Name: "said-side-by-side", Requirement: "aep.threads.history",
			Summary: "What is said while another request of the thread is being answered overwrites what was said last.",
			Apply:   sideBySide},
		{Name: "several-messages-in-reverse", Requirement: "aep.threads.history",
			Summary: "Three messages or more of one request are kept from the last to the first.",
			Apply: onThreads(func(inner aep.Threads, s *threadsShim) {
				s.say = func(id string, more []agent.Said) []agent.Said {
					if len(more) > 2 {
						more = slices.Clone(more)
						slices.Reverse(more)
					}
					return inner.Say(id, more)
				}
			})},
		{Name: "same-length-is-a-repetition", Requirement: "aep.threads.history",
			Summary: "A message as long as the one before it is taken for the same, sent again.",
			Apply: onThreads(func(inner aep.Threads, s *threadsShim) {
				last := map[string]int{}
				var l locked[int]
				s.say = func(id string, more []agent.Said) []agent.Said {
					l.do(func(*int) {
						kept := slices.Clone(more)[:0]
						for _, one := range more {
							if one.Who == agent.ByAgent || last[id] != len(one.Text) {
								kept = append(kept, one)
							}
							if one.Who == agent.ByUser {
								last[id] = len(one.Text)
							}
						}
						more = kept
					})
					return inner.Say(id, more)
				}
			})},
	}
}

// deepBelonging are mutants that remember too much, or whose thread it is wrongly.
func deepBelonging() []Mutant {
	return []Mutant{
		{Name: "thread-that-was-left-is-anybody-s", Requirement: "aep.threads.foreign",
			Summary: "A thread whose client has left in the middle of an answer has no owner any more.", Apply: ownerless},
		{Name: "messages-optional-on-a-thread", Requirement: "aep.request.messages-required",
			Summary: "On a thread on which something was said a request needs no messages.",
			Apply: onBody(func(members object) {
				if members["threadId"] != nil && members["messages"] == nil {
					members["messages"] = json.RawMessage("[]")
				}
			})},
	}
}

// forgetsAfter empties the thread of a request after one of its events.
func forgetsAfter(hit func(aep.Request, *aep.Event) bool) apply {
	return func(o aep.Options) aep.Options {
		var said, from shared
		o = onThreads(func(inner aep.Threads, s *threadsShim) {
			s.say = func(id string, more []agent.Said) []agent.Said {
				before := inner.Say(id, more)
				said.note(id, func(int) int { return len(before) + len(more) })
				return before[min(from.of(id), len(before)):]
			}
		})(o)
		return onEvents(func(r aep.Request) func(*aep.Event) {
			return func(e *aep.Event) {
				if hit(r, e) {
					from.note(r.Thread, func(int) int { return said.of(r.Thread) })
				}
			}
		})(o)
	}
}

// sideBySide loses the message before one that is said while the thread is busy.
func sideBySide(o aep.Options) aep.Options {
	var busy shared
	lost := map[string]map[int]bool{}
	o = onThreads(func(inner aep.Threads, s *threadsShim) {
		s.say = func(id string, more []agent.Said) []agent.Said {
			said := inner.Say(id, more)
			if len(more) > 0 && more[0].Who == agent.ByAgent {
				return said
			}
			kept := slices.Clone(said)[:0]
			two := busy.note(id, plusOne) > 0
			busy.do(func(*map[string]int) {
				if lost[id] == nil {
					lost[id] = map[int]bool{}
				}
				if two {
					lost[id][len(said)-1] = true
				}
				for i := range said {
					if !lost[id][i] {
						kept = append(kept, said[i])
					}
				}
			})
			return kept
		}
	})(o)
	inner := o.Agent
	threads := map[string]string{}
	var of locked[int]
	o = onEvents(func(r aep.Request) func(*aep.Event) {
		of.do(func(*int) { threads[r.ID] = r.Thread })
		return func(*aep.Event) {}
	})(o)
	o.Agent = agent.Func(func(ctx context.Context, t agent.Turn, say func(agent.Delta) error) error {
		defer func() {
			thread := ""
			of.do(func(*int) { thread = threads[t.Request] })
			busy.note(thread, func(n int) int { return n - 1 })
		}()
		return inner.Run(ctx, t, say)
	})
	return o
}

// ownerless lets everybody into a thread that a client has left.
func ownerless(o aep.Options) aep.Options {
	var left shared
	disconnected := o.Disconnected
	o.Disconnected = func(live []aep.Request, gone aep.Request) []string {
		left.note(gone.Thread, plusOne)
		return disconnected(live, gone)
	}
	return onThreads(func(inner aep.Threads, s *threadsShim) {
		s.check = func(owner, id string) error {
			err := inner.Check(owner, id)
			if err == aep.ErrForeignThread && left.of(id) > 0 {
				return nil
			}
			return err
		}
	})(o)
}
