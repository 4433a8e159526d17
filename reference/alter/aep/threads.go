package aep

import (
	"errors"
	"slices"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
)

// Threads are threads with some methods replaced: each function that is set replaces the method.
type Threads struct {
	aep.Threads
	OnBegin func(owner, id string) error
	OnCheck func(owner, id string) error
	OnSay   func(id string, added []agent.Message) []agent.Message
}

// OnThreads brings threads that do some things differently. The function is called once for each server.
func OnThreads(replace func(inner aep.Threads, t *Threads)) Apply {
	return func(o aep.Options) aep.Options {
		t := &Threads{Threads: o.Threads}
		replace(o.Threads, t)
		o.Threads = t
		return o
	}
}

// Begin implements aep.Threads.
func (t *Threads) Begin(owner, id string) error {
	if t.OnBegin == nil {
		return t.Threads.Begin(owner, id)
	}
	return t.OnBegin(owner, id)
}

// Check implements aep.Threads.
func (t *Threads) Check(owner, id string) error {
	if t.OnCheck == nil {
		return t.Threads.Check(owner, id)
	}
	return t.OnCheck(owner, id)
}

// Say implements aep.Threads.
func (t *Threads) Say(id string, said []agent.Message) []agent.Message {
	if t.OnSay == nil {
		return t.Threads.Say(id, said)
	}
	return t.OnSay(id, said)
}

// History changes the earlier messages that the agent gets; added are the new ones.
func History(change func(before, added []agent.Message) []agent.Message) Apply {
	return OnThreads(func(inner aep.Threads, t *Threads) {
		t.OnSay = func(id string, added []agent.Message) []agent.Message { return change(inner.Say(id, added), added) }
	})
}

// Storing changes messages before they are stored in a thread.
func Storing(change func(thread string, said []agent.Message) []agent.Message) Apply {
	return OnThreads(func(inner aep.Threads, t *Threads) {
		t.OnSay = func(id string, said []agent.Message) []agent.Message {
			return inner.Say(id, change(id, slices.Clone(said)))
		}
	})
}

// LettingIn replaces the refusal of access to a thread for a reason.
func LettingIn(reason error, instead func(inner aep.Threads, owner, id string) error) Apply {
	return OnThreads(func(inner aep.Threads, t *Threads) {
		t.OnCheck = func(owner, id string) error {
			if err := inner.Check(owner, id); !errors.Is(err, reason) {
				return err
			}
			return instead(inner, owner, id)
		}
	})
}

// Losing removes messages from the history that the agent gets: those whose indexes in the thread lost returns. lost is
// called for each new message, with the earlier ones; the first message of a thread has the index 0.
func Losing(lost func(thread string, before, said []agent.Message) (places []int)) Apply {
	return OnThreads(func(inner aep.Threads, t *Threads) {
		var places alter.PerKey[map[int]bool] // by thread
		t.OnSay = func(id string, said []agent.Message) (kept []agent.Message) {
			before := inner.Say(id, said)
			more := lost(id, before, said)
			places.With(id, func(gone *map[int]bool) {
				if *gone == nil {
					*gone = map[int]bool{}
				}
				for _, place := range more {
					(*gone)[place] = true
				}
				for i := range before {
					if !(*gone)[i] {
						kept = append(kept, before[i])
					}
				}
			})
			return kept
		}
	})
}
