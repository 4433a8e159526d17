package aep

import (
	"slices"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
)

// onHistory changes what the agent is handed of what was said before.
func onHistory(change func(before, said []agent.Said) []agent.Said) apply {
	return onThreads(func(inner aep.Threads, s *threadsShim) {
		s.say = func(id string, said []agent.Said) []agent.Said { return change(inner.Say(id, said), said) }
	})
}

// threadHistories hand the agent the wrong history.
func threadHistories() []Mutant {
	return []Mutant{{
		Name: "forgets-history", Requirement: "aep.threads.history",
		Summary: "The history of a thread is stored, and never loaded.",
		Also:    []string{"aep.threads.unfinished", "aep.threads.unfinished-answer"},
		Apply:   onHistory(func(_, _ []agent.Said) []agent.Said { return nil }),
	}, {
		Name: "forgets-answers", Requirement: "aep.threads.history",
		Summary: "The messages of the user are stored, and the answers aren't.",
		Also:    []string{"aep.threads.isolation", "aep.threads.unfinished", "aep.threads.unfinished-answer"},
		Apply: onHistory(func(before, _ []agent.Said) []agent.Said {
			return slices.DeleteFunc(before, func(s agent.Said) bool { return s.Who == agent.ByAgent })
		}),
	}, {
		Name: "history-by-side", Requirement: "aep.threads.history", Stateful: true,
		Summary: "The history is loaded from two tables, first what the user said and then the answers.",
		Also:    []string{"aep.threads.unfinished", "aep.threads.unfinished-answer"},
		Apply: onHistory(func(before, _ []agent.Said) []agent.Said {
			slices.SortStableFunc(before, func(a, b agent.Said) int { return strings.Compare(b.Who, a.Who) })
			return before
		}),
	}, {
		Name: "stores-the-last-block", Requirement: "aep.threads.history", Stateful: true,
		Summary: "Of an answer in several blocks, the last one is stored.",
		Apply:   lastBlockOnly,
	}, {
		Name: "remembers-last-message", Requirement: "aep.threads.history", Stateful: true,
		Summary: "From a thread's third request on, the agent knows the turn before, and none from before that.",
		Also:    []string{"aep.threads.unfinished", "aep.threads.unfinished-answer"},
		Apply:   onHistory(func(before, _ []agent.Said) []agent.Said { return before[max(0, len(before)-2):] }),
	}, {
		Name: "stores-messages-twice", Requirement: "aep.threads.history", Stateful: true,
		Summary: "What was said is stored when a request comes and again when its thread is continued.",
		Also:    []string{"aep.threads.isolation", "aep.threads.unfinished", "aep.threads.unfinished-answer"},
		Apply: onHistory(func(before, _ []agent.Said) []agent.Said {
			var twice []agent.Said
			for _, one := range before {
				twice = append(twice, one, one)
			}
			return twice
		}),
	}, {
		Name: "history-holds-the-present", Requirement: "aep.threads.history", Stateful: true,
		Summary: "On a thread that has begun, the message is stored before the history is loaded, and so is in it.",
		Also:    []string{"aep.threads.isolation", "aep.threads.unfinished", "aep.threads.unfinished-answer"},
		Apply: onHistory(func(before, said []agent.Said) []agent.Said {
			if len(before) == 0 {
				return before
			}
			return append(before, said...)
		}),
	}, {
		Name: "history-of-the-process", Requirement: "aep.threads.isolation", Stateful: true,
		Summary: "One list holds what all threads have said.",
		Also:    []string{"aep.threads.history", "aep.threads.unfinished", "aep.threads.unfinished-answer"},
		Apply:   oneHistory,
	}}
}

// oneHistory keeps one list for the server.
func oneHistory(o aep.Options) aep.Options {
	return onThreads(func(_ aep.Threads, s *threadsShim) {
		var all locked[[]agent.Said]
		s.say = func(_ string, said []agent.Said) (before []agent.Said) {
			all.do(func(list *[]agent.Said) {
				before = slices.Clone(*list)
				*list = append(*list, said...)
			})
			return before
		}
	})(o)
}

// lastBlockOnly keeps of each answer the text of its last block.
func lastBlockOnly(o aep.Options) aep.Options {
	var last sync.Map // texts by thread
	o = onEvents(func(r aep.Request) func(*aep.Event) {
		return func(e *aep.Event) {
			if e.Kind == aep.Text && e.Stage == aep.Stop {
				last.Store(r.Thread, e.Block.Text)
			}
		}
	})(o)
	return onThreads(func(inner aep.Threads, s *threadsShim) {
		s.say = func(id string, said []agent.Said) []agent.Said {
			if text, ok := last.Load(id); ok && len(said) == 1 && said[0].Who == agent.ByAgent {
				said = []agent.Said{{Who: agent.ByAgent, Text: text.(string)}}
			}
			return inner.Say(id, said)
		}
	})(o)
}

// unfinishedHistories keep the wrong things of requests that failed, were cancelled or were cut.
func unfinishedHistories() []Mutant {
	return []Mutant{{
		Name: "unfinished-requests-are-rolled-back", Requirement: "aep.threads.unfinished",
		Summary: "What belongs to a request is stored in one transaction, which only done commits.",
		Apply:   seams.OnUnfinished(func([]agent.Said) []agent.Said { return nil }),
	}, {
		Name: "unfinished-requests-keep-their-last-message", Requirement: "aep.threads.unfinished", Stateful: true,
		Summary: "Of a request that fails after the agent has spoken, only what the agent said is stored.",
		Apply:   seams.OnUnfinished(func(said []agent.Said) []agent.Said { return said[len(said)-1:] }),
	}, {
		Name: "failure-is-an-answer", Requirement: "aep.threads.unfinished-answer",
		Summary: "What went wrong is stored as something that the agent said.",
		Also:    []string{"aep.threads.unfinished"},
		Apply: seams.OnUnfinished(func(said []agent.Said) []agent.Said {
			return append(said, agent.Said{Who: agent.ByAgent, Text: "Something went wrong."})
		}),
	}, {
		Name: "unsaid-is-remembered", Requirement: "aep.threads.unfinished-answer", Stateful: true,
		Summary: "An answer that was broken off is stored as the model had it, further than the client has read.",
		Also:    []string{"aep.threads.unfinished"},
		Apply: seams.OnUnfinished(func(said []agent.Said) []agent.Said {
			if last := &said[len(said)-1]; last.Who == agent.ByAgent {
				last.Text += " never"
			}
			return said
		}),
	}}
}
