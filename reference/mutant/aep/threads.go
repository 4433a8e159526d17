package aep

import (
	"errors"
	"net/http"
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

func threads() []edit.Mutant {
	type list = []agent.Message
	return []edit.Mutant{
		// Mutants that get the ids of threads wrong, let users to threads that aren't theirs, or don't say why not.
		{Name: "one-thread-for-all", Requirement: "aep.threads.created", Stateful: true,
			Summary: "Whoever doesn't name a thread goes on with the one that was begun first.",
			Also:    []string{"aep.threads.isolation", "aep.threads.history"},
			Apply: alter.All(on.IDsFor(aep.ThreadID).Same(), on.OnThreads(func(inner aep.Threads, t *on.Threads) {
				t.OnBegin = func(owner, id string) error {
					if errors.Is(inner.Check(owner, id), aep.ErrUnknownThread) {
						return inner.Begin(owner, id)
					}
					return nil
				}
			}))},
		{Name: "thread-per-response", Requirement: "aep.threads.echoed", Also: []string{"aep.actions.same-thread", "aep.done.same-thread"},
			Summary: "Metadata names the thread of the response, which is always a new one.",
			Apply: on.Events(on.Kind(aep.Metadata), on.ForRequests(func(r aep.Request) bool { return r.Body.Thread != "" })).
				EditIn(threadPerRequest)},
		{Name: "unknown-thread-begins", Requirement: "aep.threads.unknown",
			Summary: "A thread that isn't there is begun, under the id that the client made up.",
			Apply:   on.LettingIn(aep.ErrUnknownThread, aep.Threads.Begin)},
		{Name: "threads-belong-to-nobody", Requirement: "aep.threads.foreign", Also: []string{"aep.threads.foreign-status"},
			Summary: "Whoever knows the id of a thread may go on with it.",
			Apply:   on.LettingIn(aep.ErrThreadOfAnotherUser, func(aep.Threads, string, string) error { return nil })},
		{Name: "foreign-thread-is-a-bad-request", Requirement: "aep.threads.foreign-status",
			Summary: "A thread of somebody else is a message in a wrong format.",
			Wrap:    on.RefusalsWhen(on.Coded("thread_access_denied")).As(http.StatusBadRequest, "invalid_message_format")},

		// Mutants that hand the agent the wrong history.
		{Name: "forgets-answers", Requirement: "aep.threads.history",
			Summary: "The messages of the user are stored, and the answers aren't.",
			Also:    []string{"aep.threads.isolation", "aep.threads.unfinished", "aep.threads.unfinished-answer"},
			Apply:   on.History(func(before, _ list) list { return slices.DeleteFunc(before, edit.IsAnswer) })},
		{Name: "remembers-last-message", Requirement: "aep.threads.history", Stateful: true,
			Summary: "From a thread's third request on, the agent knows the turn before, and none from before that.",
			Also:    []string{"aep.threads.unfinished", "aep.threads.unfinished-answer"},
			Apply:   on.History(func(before, _ list) list { return before[max(0, len(before)-2):] })},

		// Mutants that store other messages than they got, or store them in another thread.
		{Name: "stores-the-last-block", Requirement: "aep.threads.history", Stateful: true,
			Summary: "Of an answer in several blocks, the last one is stored.",
			Apply: alter.WithState(func(last *alter.PerKey[*string]) on.Apply { // by thread
				return alter.All(on.Events(on.Kind(aep.Text, aep.Stop)).EditIn(func(r aep.Request, e *aep.Event) {
					last.Set(r.Thread, &e.Block.Text)
				}), on.Storing(func(id string, emitted []agent.Message) []agent.Message {
					if text := last.Get(id); text != nil && len(emitted) == 1 && edit.IsAnswer(emitted[0]) {
						return []agent.Message{{Who: agent.ByAgent, Text: *text}}
					}
					return emitted
				}))
			})},
		{Name: "history-of-the-process", Requirement: "aep.threads.isolation", Stateful: true,
			Summary: "One list holds what all threads have said.",
			Also:    []string{"aep.threads.history", "aep.threads.unfinished", "aep.threads.unfinished-answer"},
			Apply: on.OnThreads(func(_ aep.Threads, t *on.Threads) {
				var all alter.PerKey[[]agent.Message]
				t.OnSay = func(_ string, emitted []agent.Message) (before []agent.Message) {
					all.With("", func(list *[]agent.Message) {
						before = slices.Clone(*list)
						*list = append(*list, emitted...)
					})
					return before
				}
			})},

		// Mutants that store the wrong messages of requests that failed, were cancelled or disconnected.
		{Name: "unfinished-requests-keep-their-last-message", Requirement: "aep.threads.unfinished", Stateful: true,
			Summary: "Of a request that fails after the agent has spoken, only what the agent said is stored.",
			Apply:   on.OnUnfinished(func(emitted list) list { return emitted[len(emitted)-1:] })},
		{Name: "unsaid-is-remembered", Requirement: "aep.threads.unfinished-answer", Stateful: true, Also: []string{"aep.threads.unfinished"},
			Summary: "An answer that was broken off is stored as the model had it, further than the client has read.",
			Apply: on.OnUnfinished(func(emitted list) list {
				if last := &emitted[len(emitted)-1]; edit.IsAnswer(*last) {
					last.Text += " never"
				}
				return emitted
			})},
	}
}
