package campaignonly

import (
	"strings"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// threads lists the mutants that several threads show.
func threads() []edit.Mutant {
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
		// These are mutants that remember too much, or whose thread it is wrongly.
		{Name: "thread-that-was-left-is-anybody-s", Requirement: "aep.threads.foreign",
			Summary: "A thread whose client has left in the middle of an answer has no owner any more.", Apply: whereLeft(ownerless)},

		// Mutants that take one thread for another, or another user for its owner.
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
