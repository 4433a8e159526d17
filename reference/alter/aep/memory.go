package aep

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
)

// OnLeave learns of each request whose client has gone.
func OnLeave(see func(gone aep.Request)) Apply {
	return func(o aep.Options) aep.Options {
		disconnected := o.Disconnected
		o.Disconnected = func(live []aep.Request, gone aep.Request) []string {
			see(gone)
			return disconnected(live, gone)
		}
		return o
	}
}

// OnUnfinished changes the stored messages of a request that doesn't end with done. The function gets the messages of the
// request and its answer, at least one.
func OnUnfinished(keep func(said []agent.Message) []agent.Message) Apply {
	return func(o aep.Options) aep.Options {
		u := &unfinished{Threads: o.Threads, messages: map[string][]agent.Message{}, settled: map[string]bool{}}
		o.Threads = u
		o = OnLeave(func(gone aep.Request) { u.settle(gone, keep) })(o)
		return OnJournal(func(r aep.Request) func(aep.Event) []aep.Event {
			return func(e aep.Event) []aep.Event {
				switch {
				case e.Kind == aep.Done:
					u.settle(r, func(said []agent.Message) []agent.Message { return said })
				case e.Kind.Terminal():
					u.settle(r, keep)
				}
				return []aep.Event{e}
			}
		})(o)
	}
}

// unfinished are Threads that decide at the end of a request which of its messages are stored.
type unfinished struct {
	aep.Threads

	mu       sync.Mutex
	messages map[string][]agent.Message // by thread
	settled  map[string]bool            // the requests that have ended
}

// Say implements aep.Threads.
func (u *unfinished) Say(id string, said []agent.Message) []agent.Message {
	u.mu.Lock()
	defer u.mu.Unlock()
	var found []agent.Message // another process or replica has settled the messages that it stored
	for _, s := range u.Threads.Say(id, nil) {
		if !slices.ContainsFunc(u.messages[id], func(known agent.Message) bool { return known.Request == s.Request }) {
			found = append(found, s)
			u.settled[s.Request] = true
		}
	}
	u.messages[id] = append(u.messages[id], found...)
	before := slices.DeleteFunc(slices.Clone(u.messages[id]), func(s agent.Message) bool { return !u.settled[s.Request] })
	u.messages[id] = append(u.messages[id], said...)
	return before
}

// settle stores the messages of a request that keep returns, at the position of its first message.
func (u *unfinished) settle(r aep.Request, keep func([]agent.Message) []agent.Message) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.settled[r.ID] {
		return
	}
	u.settled[r.ID] = true
	var own, others []agent.Message
	at := 0
	for _, s := range u.messages[r.Thread] {
		switch {
		case s.Request == r.ID:
			own = append(own, s)
		default:
			if len(own) == 0 {
				at++
			}
			others = append(others, s)
		}
	}
	if len(own) > 0 {
		kept := keep(own)
		for i := range kept {
			kept[i].Request = r.ID
		}
		u.messages[r.Thread] = slices.Insert(others, at, kept...)
		u.Threads.Say(r.Thread, kept)
	}
}

// OnContexts adds to the context of a request the contexts of earlier requests of the same owner.
func OnContexts(owner func(aep.Request) string) Apply {
	return func(o aep.Options) aep.Options {
		var mu sync.Mutex
		stored, ofRequest := map[string]alter.Object{}, map[string]alter.Object{}
		journal, run := o.Journal, o.Agent
		o.Journal = func(r aep.Request) aep.Journal {
			mu.Lock()
			defer mu.Unlock()
			all := alter.Object{}
			maps.Copy(all, stored[owner(r)])
			maps.Copy(all, alter.Members(r.Body.Context))
			stored[owner(r)], ofRequest[r.ID] = all, all
			return journal(r)
		}
		o.Agent = agent.Func(func(ctx context.Context, t agent.Turn, say func(agent.Delta) error) error {
			mu.Lock()
			t.Context = alter.Encode(ofRequest[t.Request])
			delete(ofRequest, t.Request)
			mu.Unlock()
			return run.Run(ctx, t, say)
		})
		return o
	}
}
