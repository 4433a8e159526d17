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

// OnUnfinished changes what a thread keeps of a request that doesn't end with done. The function gets what the request
// and its answer said, which is never nothing.
func OnUnfinished(keep func(said []agent.Said) []agent.Said) Apply {
	return func(o aep.Options) aep.Options {
		u := &unfinished{Threads: o.Threads, kept: map[string][]agent.Said{}, open: map[string][]agent.Said{}}
		disconnected := o.Disconnected
		o.Threads = u
		o.Disconnected = func(live []aep.Request, gone aep.Request) []string {
			u.settle(gone.Thread, keep)
			return disconnected(live, gone)
		}
		return OnJournal(func(r aep.Request) func(aep.Event) []aep.Event {
			return func(e aep.Event) []aep.Event {
				switch {
				case e.Kind == aep.Done:
					u.settle(r.Thread, func(said []agent.Said) []agent.Said { return said })
				case e.Kind.Terminal():
					u.settle(r.Thread, keep)
				}
				return []aep.Event{e}
			}
		})(o)
	}
}

// unfinished are Threads that decide at the end of a request what is kept of it.
type unfinished struct {
	aep.Threads

	mu         sync.Mutex
	kept, open map[string][]agent.Said // by thread
}

// Say implements aep.Threads.
func (u *unfinished) Say(id string, said []agent.Said) []agent.Said {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.open[id] = append(u.open[id], said...)
	return slices.Clone(u.kept[id])
}

func (u *unfinished) settle(id string, keep func([]agent.Said) []agent.Said) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.open[id]) > 0 {
		u.kept[id] = append(u.kept[id], keep(u.open[id])...)
	}
	delete(u.open, id)
}

// OnContexts adds to the context of a request what came with those before it of the same owner.
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
			maps.Copy(all, alter.Members(r.Ask.Context))
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
