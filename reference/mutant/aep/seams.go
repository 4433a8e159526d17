package aep

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
)

// apply changes the options of a server.
type apply = seams.Apply

// around stands around the handler of a server.
type around = alter.Around

// object is a JSON object whose members keep their bytes.
type object = alter.Object

// onServer lets a mutant remember something for the life of a server.
func onServer[T any](begin func(state *T) apply) apply {
	return func(o aep.Options) aep.Options { return begin(new(T))(o) }
}

// onEvents changes events one by one; the function is called once for each response.
func onEvents(begin func(aep.Request) func(*aep.Event)) apply {
	return seams.OnJournal(func(r aep.Request) func(aep.Event) []aep.Event {
		change := begin(r)
		return func(e aep.Event) []aep.Event {
			change(&e)
			return []aep.Event{e}
		}
	})
}

// dropping leaves events out.
func dropping(hit func(aep.Request) func(aep.Event) bool) apply {
	return seams.OnJournal(func(r aep.Request) func(aep.Event) []aep.Event {
		hit := hit(r)
		return func(e aep.Event) []aep.Event {
			if hit(e) {
				return nil
			}
			return []aep.Event{e}
		}
	})
}

// appending sends something after events.
func appending(more func(aep.Event) []aep.Event) apply {
	return seams.OnJournal(func(aep.Request) func(aep.Event) []aep.Event {
		return func(e aep.Event) []aep.Event { return append([]aep.Event{e}, more(e)...) }
	})
}

// is finds events of a kind, and of a stage where one is given.
func is(kind aep.Kind, stage ...aep.Stage) func(aep.Event) bool {
	return func(e aep.Event) bool { return e.Kind == kind && (len(stage) == 0 || slices.Contains(stage, e.Stage)) }
}

// stageIs finds events of a stage, whatever their kind.
func stageIs(stage aep.Stage) func(aep.Event) bool {
	return func(e aep.Event) bool { return e.Kind.Staged() && e.Stage == stage }
}

// always makes a condition that forgets.
func always(hit func(aep.Event) bool) func(aep.Request) func(aep.Event) bool {
	return func(aep.Request) func(aep.Event) bool { return hit }
}

// fromSecond finds events that belong to the second block of a response or a later one.
func fromSecond(hit func(aep.Event) bool) func(aep.Request) func(aep.Event) bool {
	return func(aep.Request) func(aep.Event) bool {
		starts := 0
		return func(e aep.Event) bool {
			if stageIs(aep.Start)(e) {
				starts++
			}
			return starts > 1 && hit(e)
		}
	}
}

// onResumed finds events of responses to the results of actions.
func onResumed(hit func(aep.Event) bool) func(aep.Request) func(aep.Event) bool {
	return func(r aep.Request) func(aep.Event) bool {
		return func(e aep.Event) bool { return len(r.Ask.Results) > 0 && hit(e) }
	}
}

// onBlocks is onBytes for what is in the bytes.
func onBlocks(hit func(aep.Request) func(aep.Event) bool, change func(b *alter.Block, e aep.Event)) apply {
	return seams.OnBytes(func(r aep.Request) func([]byte, aep.Event) []byte {
		hit := hit(r)
		return func(whole []byte, e aep.Event) []byte {
			if !hit(e) {
				return whole
			}
			b := alter.ParseBlock(whole)
			change(&b, e)
			return b.Append(nil)
		}
	})
}

// onMembers changes the members of some events, which the event itself has no fields for.
func onMembers(hit func(aep.Request) func(aep.Event) bool, change func(members object, e aep.Event)) apply {
	return onBlocks(hit, func(b *alter.Block, e aep.Event) { b.Members(func(o object) { change(o, e) }) })
}

// without takes members away.
func without(hit func(aep.Request) func(aep.Event) bool, names ...string) apply {
	return onMembers(hit, func(members object, _ aep.Event) {
		for _, name := range names {
			delete(members, name)
		}
	})
}

// with sets a member.
func with(hit func(aep.Request) func(aep.Event) bool, name, value string) apply {
	return onMembers(hit, func(members object, _ aep.Event) { members[name] = json.RawMessage(value) })
}

// onContent changes each block in the content of done.
func onContent(change func(block object)) apply {
	return onMembers(always(is(aep.Done)), func(members object, _ aep.Event) {
		var blocks []object
		if json.Unmarshal(members["content"], &blocks) != nil {
			return
		}
		for _, b := range blocks {
			change(b)
		}
		members["content"] = alter.Encode(append([]object{}, blocks...))
	})
}

// onTurn changes what the agent is handed.
func onTurn(change func(*agent.Turn)) apply {
	return func(o aep.Options) aep.Options {
		inner := o.Agent
		o.Agent = agent.Func(func(ctx context.Context, t agent.Turn, say func(agent.Delta) error) error {
			change(&t)
			return inner.Run(ctx, t, say)
		})
		return o
	}
}

// onDecode changes what a body says.
func onDecode(change func(o aep.Options, ask *aep.Ask)) apply {
	return func(o aep.Options) aep.Options {
		inner := o
		o.Decode = func(body []byte) (aep.Ask, error) {
			ask, err := inner.Decode(body)
			if err == nil {
				change(inner, &ask)
			}
			return ask, err
		}
		return o
	}
}

// onBody changes a body before it is read.
func onBody(change func(object)) apply {
	return func(o aep.Options) aep.Options {
		decode := o.Decode
		o.Decode = func(body []byte) (aep.Ask, error) {
			if members := alter.Members(body); members != nil {
				change(members)
				body = alter.Encode(members)
			}
			return decode(body)
		}
		return o
	}
}

// threadsShim is Threads that do some things differently: each function that is set stands in for the method.
type threadsShim struct {
	aep.Threads
	begin func(owner, id string) error
	check func(owner, id string) error
	say   func(id string, said []agent.Said) []agent.Said
}

// onThreads puts a shim around the threads.
func onThreads(replace func(inner aep.Threads, s *threadsShim)) apply {
	return func(o aep.Options) aep.Options {
		s := &threadsShim{Threads: o.Threads}
		replace(o.Threads, s)
		o.Threads = s
		return o
	}
}

func (s *threadsShim) Begin(owner, id string) error {
	if s.begin == nil {
		return s.Threads.Begin(owner, id)
	}
	return s.begin(owner, id)
}

func (s *threadsShim) Check(owner, id string) error {
	if s.check == nil {
		return s.Threads.Check(owner, id)
	}
	return s.check(owner, id)
}

func (s *threadsShim) Say(id string, said []agent.Said) []agent.Said {
	if s.say == nil {
		return s.Threads.Say(id, said)
	}
	return s.say(id, said)
}

// actionsShim is Actions that do some things differently.
type actionsShim struct {
	aep.Actions
	resolve func(owner, thread string, ids []string) error
}

// onResolve resolves actions differently. The function is called once for each server.
func onResolve(begin func(inner aep.Actions) func(owner, thread string, ids []string) error) apply {
	return func(o aep.Options) aep.Options {
		o.Actions = &actionsShim{Actions: o.Actions, resolve: begin(o.Actions)}
		return o
	}
}

func (s *actionsShim) Resolve(owner, thread string, ids []string) error {
	return s.resolve(owner, thread, ids)
}

// onIDs changes ids. The function is called once for each server.
func onIDs(begin func() func(kind aep.IDKind, id string) string) apply {
	return func(o aep.Options) aep.Options {
		inner, change := o.NewID, begin()
		o.NewID = func(kind aep.IDKind) string { return change(kind, inner(kind)) }
		return o
	}
}

// locked is something that requests share.
type locked[T any] struct {
	mu sync.Mutex
	v  T
}

func (l *locked[T]) do(f func(v *T)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f(&l.v)
}
