package aep

import (
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
)

// wholes are mutants that only a run of many scenarios shows.
func wholes() []Mutant {
	return []Mutant{
		{Name: "request-ids-of-a-pool", Requirement: "aep.events.unique-request", Stateful: true, Whole: true,
			Summary: "A requestId is taken from a pool of 128, and put back when the response is over.",
			Apply:   countedIDs(aep.RequestID, 128)},
		{Name: "threads-of-a-pool", Requirement: "aep.threads.created", Stateful: true, Whole: true,
			Summary: "The 101st thread has the id of the first, because a counter has two decimal digits.",
			Apply:   countedIDs(aep.ThreadID, 100)},
		{Name: "actions-of-a-pool", Requirement: "aep.actions.unique", Stateful: true, Whole: true,
			Summary: "The number of an action has five bits.",
			Apply:   countedIDs(aep.ActionID, 32)},
		{Name: "twenty-open-actions", Requirement: "aep.actions.resumed", Stateful: true, Whole: true,
			Summary: "The last twenty actions of all users are remembered.",
			Apply:   lastActions(20)},
		{Name: "fifty-threads-in-memory", Requirement: "aep.threads.history", Stateful: true, Whole: true,
			Summary: "A thread in which nothing was said while fifty others began has lost its messages.",
			Apply:   lastThreads(50)},
	}
}

// lastActions knows some actions, those that were asked for last.
func lastActions(most int) apply {
	return func(o aep.Options) aep.Options {
		var ids locked[[]string]
		o = onIDs(func() func(aep.IDKind, string) string {
			return func(kind aep.IDKind, id string) string {
				if kind == aep.ActionID {
					ids.do(func(all *[]string) { *all = append(*all, id) })
				}
				return id
			}
		})(o)
		return onResolve(func(inner aep.Actions) func(string, string, []string) error {
			return func(owner, thread string, named []string) (err error) {
				ids.do(func(all *[]string) {
					last := (*all)[max(0, len(*all)-most):]
					if slices.ContainsFunc(named, func(id string) bool { return !slices.Contains(last, id) }) {
						err = aep.ErrUnknownAction
					}
				})
				if err != nil {
					return err
				}
				return inner.Resolve(owner, thread, named)
			}
		})(o)
	}
}

// lastThreads forgets what was said in a thread once so many others have begun since.
func lastThreads(most int) apply {
	return onThreads(func(inner aep.Threads, s *threadsShim) {
		type state struct {
			begun int
			since map[string]int // how many had begun when something was said last
		}
		threads := locked[state]{v: state{since: map[string]int{}}}
		s.begin = func(owner, id string) error {
			threads.do(func(s *state) { s.begun++ })
			return inner.Begin(owner, id)
		}
		s.say = func(id string, said []agent.Said) []agent.Said {
			before := inner.Say(id, said)
			threads.do(func(s *state) {
				if at, known := s.since[id]; known && s.begun-at > most {
					before = nil
				}
				s.since[id] = s.begun
			})
			return before
		}
	})
}
