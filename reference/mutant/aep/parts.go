package aep

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
)

// apply is what a mutant does to the options of its server.
type apply = func(aep.Options) aep.Options

// object is a JSON object whose members keep their bytes.
type object = map[string]json.RawMessage

// encode writes JSON without the escapes that only HTML needs, so that a mutant changes no more than it means to.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // only values that came from JSON are encoded
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// objectOf reads an object; nil if it isn't one.
func objectOf(raw []byte) object {
	var members object
	if json.Unmarshal(raw, &members) != nil {
		return nil
	}
	return members
}

// both applies one after the other.
func both(applies ...apply) apply {
	return func(o aep.Options) aep.Options {
		for _, a := range applies {
			o = a(o)
		}
		return o
	}
}

// onServer lets a mutant remember something for the life of a server.
func onServer[T any](begin func(state *T) apply) apply {
	return func(o aep.Options) aep.Options { return begin(new(T))(o) }
}

// onJournal changes what is sent. The function is called once for each response and makes the function that maps its
// events to none, one or several.
func onJournal(begin func(aep.Request) func(aep.Event) []aep.Event) apply {
	return func(o aep.Options) aep.Options {
		inner := o.Journal
		o.Journal = func(r aep.Request) aep.Journal {
			before, change := inner(r), begin(r)
			return func(e aep.Event) []aep.Event {
				var out []aep.Event
				for _, e := range before(e) {
					out = append(out, change(e)...)
				}
				return out
			}
		}
		return o
	}
}

// onEvents changes events one by one; the function is called once for each response.
func onEvents(begin func(aep.Request) func(*aep.Event)) apply {
	return onJournal(func(r aep.Request) func(aep.Event) []aep.Event {
		change := begin(r)
		return func(e aep.Event) []aep.Event {
			change(&e)
			return []aep.Event{e}
		}
	})
}

// onEach changes events without remembering anything.
func onEach(change func(*aep.Event)) apply {
	return onEvents(func(aep.Request) func(*aep.Event) { return change })
}

// dropping leaves events out.
func dropping(hit func(aep.Request) func(aep.Event) bool) apply {
	return onJournal(func(r aep.Request) func(aep.Event) []aep.Event {
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
	return onJournal(func(aep.Request) func(aep.Event) []aep.Event {
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

// encoder makes a function an Encoder.
type encoder func(dst []byte, e aep.Event) []byte

func (f encoder) Append(dst []byte, e aep.Event) []byte { return f(dst, e) }

// block is one event on its way to the wire.
type block struct {
	name string   // empty: no event line
	data []string // one for each data line
}

func parseBlock(whole []byte) block {
	var b block
	for _, line := range strings.Split(strings.TrimSuffix(string(whole), "\n\n"), "\n") {
		switch name, value, _ := strings.Cut(line, ": "); name {
		case "event":
			b.name = value
		case "data":
			b.data = append(b.data, value)
		}
	}
	return b
}

func (b block) append(dst []byte) []byte {
	if b.name != "" {
		dst = append(append(append(dst, "event: "...), b.name...), '\n')
	}
	for _, line := range b.data {
		dst = append(append(append(dst, "data: "...), line...), '\n')
	}
	return append(dst, '\n')
}

// members changes the members of the block's JSON.
func (b *block) members(change func(object)) {
	members := objectOf([]byte(strings.Join(b.data, "\n")))
	change(members)
	b.data = []string{string(encode(members))}
}

// onBytes changes what is written of each event, its blank line included. The function is called once for each
// response.
func onBytes(begin func(aep.Request) func(whole []byte, e aep.Event) []byte) apply {
	return func(o aep.Options) aep.Options {
		inner := o.Encoder
		o.Encoder = func(r aep.Request) aep.Encoder {
			encode, change := inner(r), begin(r)
			return encoder(func(dst []byte, e aep.Event) []byte {
				return append(dst, change(encode.Append(nil, e), e)...)
			})
		}
		return o
	}
}

// onBlocks is onBytes for what is in the bytes.
func onBlocks(hit func(aep.Request) func(aep.Event) bool, change func(b *block, e aep.Event)) apply {
	return onBytes(func(r aep.Request) func([]byte, aep.Event) []byte {
		hit := hit(r)
		return func(whole []byte, e aep.Event) []byte {
			if !hit(e) {
				return whole
			}
			b := parseBlock(whole)
			change(&b, e)
			return b.append(nil)
		}
	})
}

// onMembers changes the members of some events, which the event itself has no fields for.
func onMembers(hit func(aep.Request) func(aep.Event) bool, change func(members object, e aep.Event)) apply {
	return onBlocks(hit, func(b *block, e aep.Event) { b.members(func(o object) { change(o, e) }) })
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
		members["content"] = encode(append([]object{}, blocks...))
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

// onDeltas changes what the agent does. The function is called once for each turn.
func onDeltas(begin func() func(agent.Delta) []agent.Delta) apply {
	return func(o aep.Options) aep.Options {
		inner := o.Agent
		o.Agent = agent.Func(func(ctx context.Context, t agent.Turn, say func(agent.Delta) error) error {
			change := begin()
			return inner.Run(ctx, t, func(d agent.Delta) error {
				for _, d := range change(d) {
					if err := say(d); err != nil {
						return err
					}
				}
				return nil
			})
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
			if members := objectOf(body); members != nil {
				change(members)
				body = encode(members)
			}
			return decode(body)
		}
		return o
	}
}

// threadsShim is Threads that do some things differently: each function that is set stands in for the method.
type threadsShim struct {
	aep.Threads
	begin func(owner, id string)
	check func(owner, id string) error
	say   func(id string, texts []string) []string
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

func (s *threadsShim) Begin(owner, id string) {
	if s.begin == nil {
		s.Threads.Begin(owner, id)
		return
	}
	s.begin(owner, id)
}

func (s *threadsShim) Check(owner, id string) error {
	if s.check == nil {
		return s.Threads.Check(owner, id)
	}
	return s.check(owner, id)
}

func (s *threadsShim) Say(id string, texts []string) []string {
	if s.say == nil {
		return s.Threads.Say(id, texts)
	}
	return s.say(id, texts)
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
