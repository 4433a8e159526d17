package campaignonly

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// forgottenHistories are mutants that remember too little.
func forgottenHistories() []edit.Mutant {
	return []edit.Mutant{
		{Name: "second-cancellation-empties-the-thread", Requirement: "aep.threads.history",
			Summary: "When a second request of a thread is cancelled, everything is forgotten that was said there.",
			Apply: alter.WithState(func(times *alter.PerKey[int]) on.Apply {
				return forgetsAfter(func(r aep.Request, e *aep.Event) bool {
					return e.Kind == aep.Aborted && alter.Count(times, r.Thread) == 2
				})
			})},
		{Name: "asking-empties-the-thread", Requirement: "aep.threads.history",
			Summary: "What was said before the agent asked its client for two things is forgotten.",
			Apply: alter.WithState(func(times *alter.PerKey[int]) on.Apply {
				return forgetsAfter(func(r aep.Request, e *aep.Event) bool {
					return e.Kind == aep.Continuation && alter.Count(times, r.ID) == 2
				})
			})},
		{Name: "said-side-by-side", Requirement: "aep.threads.history",
			Summary: "What is said while another request of the thread is being answered overwrites what was said last.",
			Apply:   sideBySide},
		{Name: "several-messages-in-reverse", Requirement: "aep.threads.history",
			Summary: "Three messages or more of one request are kept from the last to the first.",
			Apply: on.Storing(func(_ string, emitted []agent.Message) []agent.Message {
				if len(emitted) > 2 {
					slices.Reverse(emitted)
				}
				return emitted
			})},
		{Name: "same-length-is-a-repetition", Requirement: "aep.threads.history",
			Summary: "A message as long as the one before it is taken for the same, sent again.",
			Apply: alter.WithState(func(last *alter.PerKey[int]) on.Apply { // by thread
				return on.Storing(func(thread string, emitted []agent.Message) []agent.Message {
					return slices.DeleteFunc(emitted, func(one agent.Message) bool {
						return !edit.IsAnswer(one) && last.Swap(thread, len(one.Text)) == len(one.Text)
					})
				})
			})},
	}
}

// belonging are mutants that remember too much, or whose thread it is wrongly.
func belonging() []edit.Mutant {
	return []edit.Mutant{
		{Name: "thread-that-was-left-is-anybody-s", Requirement: "aep.threads.foreign",
			Summary: "A thread whose client has left in the middle of an answer has no owner any more.", Apply: whereLeft(ownerless)},
		{Name: "thread-without-an-answer-is-anybody-s", Requirement: "aep.threads.foreign",
			Summary: "A thread gets its owner with the first answer of the agent that is kept.", Apply: alter.WithState(ownedOnceAnswered)},
		{Name: "messages-optional-on-a-thread", Requirement: "aep.request.messages-required",
			Summary: "On a thread on which something was said a request needs no messages.",
			Apply: on.Bodies(func(members alter.Object) {
				if members["threadId"] != nil && members["messages"] == nil {
					members["messages"] = json.RawMessage("[]")
				}
			})},
	}
}

// forgetsAfter empties the thread of a request after one of its events.
func forgetsAfter(hit func(aep.Request, *aep.Event) bool) on.Apply {
	return func(o aep.Options) aep.Options {
		var emitted, from alter.PerKey[int] // by thread
		o = on.OnThreads(func(inner aep.Threads, t *on.Threads) {
			t.OnSay = func(id string, more []agent.Message) []agent.Message {
				before := inner.Say(id, more)
				emitted.Set(id, len(before)+len(more))
				return before[min(from.Get(id), len(before)):]
			}
		})(o)
		return on.Events().EditIn(func(r aep.Request, e *aep.Event) {
			if hit(r, e) {
				from.Set(r.Thread, emitted.Get(r.Thread))
			}
		})(o)
	}
}

// sideBySide loses the message before one that comes while the thread is busy.
func sideBySide(o aep.Options) aep.Options {
	var busy alter.PerKey[int]       // requests, by thread
	var threads alter.PerKey[string] // by request
	o = on.Losing(func(thread string, before, emitted []agent.Message) []int {
		if len(emitted) > 0 && edit.IsAnswer(emitted[0]) || alter.Count(&busy, thread) == 1 {
			return nil
		}
		return []int{len(before) - 1}
	})(o)
	o = on.Events(on.Kind(aep.Metadata)).EditIn(func(r aep.Request, _ *aep.Event) { threads.Set(r.ID, r.Thread) })(o)
	inner := o.Agent
	o.Agent = agent.Func(func(ctx context.Context, t agent.Turn, say func(agent.Delta) error) error {
		defer func() { busy.With(threads.Get(t.Request), func(n *int) { *n-- }) }()
		return inner.Run(ctx, t, say)
	})
	return o
}

// ownerless lets everybody into a thread that a client has left.
func ownerless(err error) error {
	if err == aep.ErrThreadOfAnotherUser {
		return nil
	}
	return err
}

// whereLeft changes the result of the check of a thread that a client has left.
func whereLeft(change func(err error) error) on.Apply {
	return func(o aep.Options) aep.Options {
		var left alter.PerKey[bool] // by thread
		o = on.OnLeave(func(gone aep.Request) { left.Set(gone.Thread, true) })(o)
		return on.OnThreads(func(inner aep.Threads, t *on.Threads) {
			t.OnCheck = func(owner, id string) error {
				err := inner.Check(owner, id)
				if left.Get(id) {
					return change(err)
				}
				return err
			}
		})(o)
	}
}

// ownedOnceAnswered lets any user continue threads that began here and have no output of the agent.
func ownedOnceAnswered(silent *alter.PerKey[bool]) on.Apply { // by thread
	return on.OnThreads(func(inner aep.Threads, t *on.Threads) {
		t.OnBegin = func(owner, id string) error {
			silent.Set(id, true)
			return inner.Begin(owner, id)
		}
		t.OnCheck = func(owner, id string) error {
			err := inner.Check(owner, id)
			if errors.Is(err, aep.ErrThreadOfAnotherUser) && silent.Get(id) {
				return nil
			}
			return err
		}
		t.OnSay = func(id string, more []agent.Message) []agent.Message {
			if slices.ContainsFunc(more, func(s agent.Message) bool { return s.Who == agent.ByAgent }) {
				silent.Set(id, false)
			}
			return inner.Say(id, more)
		}
	})
}

// known lists mutants that take one thread for another, or another user for its owner.
func known() []edit.Mutant {
	known := func(find func(id string, known []string) string) on.Apply {
		return on.OnThreads(func(inner aep.Threads, t *on.Threads) {
			var all alter.PerKey[[]string]
			t.OnBegin = func(owner, id string) error {
				all.With("", func(ids *[]string) { *ids = append(*ids, id) })
				return inner.Begin(owner, id)
			}
			t.OnCheck = func(owner, id string) error {
				err := inner.Check(owner, id)
				if err == aep.ErrUnknownThread && find(id, all.Get("")) != "" {
					return nil
				}
				return err
			}
		})
	}
	return []edit.Mutant{
		{Name: "threads-by-their-beginning", Requirement: "aep.threads.unknown",
			Summary: "A thread is found by the beginning of its id.",
			Apply: known(func(id string, all []string) string {
				for _, one := range all {
					if strings.HasPrefix(one, id) {
						return one
					}
				}
				return ""
			})},
		{Name: "threads-by-what-their-ids-begin-with", Requirement: "aep.threads.unknown",
			Summary: "An id that begins with that of a thread names it.",
			Apply: known(func(id string, all []string) string {
				for _, one := range all {
					if len(id) > len(one) && strings.HasPrefix(id, one) {
						return one
					}
				}
				return ""
			})},
		{Name: "threads-of-the-prototype", Requirement: "aep.threads.unknown",
			Summary: "An id that is the name of what every object has names a thread.",
			Apply: known(func(id string, _ []string) string {
				if id == "__proto__" || id == "constructor" {
					return id
				}
				return ""
			})},
		{Name: "refused-on-its-thread-and-used", Requirement: "aep.actions.resumed", Also: []string{"aep.actions.all-or-none", "aep.actions.foreign"},
			Summary: "The results of a request are used up before its thread is looked for.", Apply: usesFirst},
	}
}

// usesFirst resolves the results of a request before it refuses the request's thread.
func usesFirst(o aep.Options) aep.Options {
	var brought alter.PerKey[[]string] // ids of actions, by thread
	o = on.OnDecode(func(body []byte, decode func([]byte) (aep.RequestBody, error)) (aep.RequestBody, error) {
		ask, err := decode(body)
		var ids []string
		for _, r := range ask.Results {
			ids = append(ids, r.ActionID)
		}
		brought.Set(ask.Thread, ids)
		return ask, err
	})(o)
	var known *on.Actions
	o = on.OnActions(func(_ aep.Actions, a *on.Actions) { known = a })(o)
	return on.OnThreads(func(inner aep.Threads, t *on.Threads) {
		t.OnCheck = func(owner, id string) error {
			err := inner.Check(owner, id)
			for _, a := range known.Opened() {
				if err != nil && slices.Contains(brought.Get(id), a.ID) {
					_ = known.Resolve(a.Owner, a.Thread, []string{a.ID}) // it may be resolved already
				}
			}
			return err
		}
	})(o)
}
