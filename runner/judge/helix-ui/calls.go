package helixui

import (
	"github.com/streamcert/streamcert/runner/judge"
)

// calls are the tool calls of a response. An id names a call of its step: a later step may use it for another call.
type calls struct {
	open     judge.Opened[call] // by hash of the id; of an id that a later step took over, by that and the step too
	returned judge.Seen         // hashes of those that are over; an age is a step
	step     uint64             // how many steps have begun
}

// call is what is known of one call.
type call struct {
	id, name string
	step     uint64 // in which it began
	started  bool   // tool-input-start came
	input    bool   // the input is there, or is said to be wrong
	failed   bool   // it is said to be wrong, so that nothing else has to come of the call
	asked    bool   // somebody has to agree
	provided bool   // the provider runs it, and may bring its output in a later response
}

// next begins a step.
func (c *calls) next() {
	c.step++
	c.returned.Age()
}

// forget drops the calls of the step, which is void.
func (c *calls) forget() {
	c.open.DropIf(func(one call) bool { return one.step == c.step })
	c.returned.Age()
}

// current is the call that an input of this id belongs to: one that an earlier step has given its input is another.
func (c *calls) current(key uint64) (now call, known bool) {
	now, known = c.open.Get(key)
	if !known || now.step == c.step || !now.input {
		return now, known
	}
	c.open.Put(judge.Pair(key, now.step), now) // what it still lacks is found at the end
	return call{}, false
}

// take takes a part of a call. The end of its type says which.
func (c *calls) take(m *machine, at judge.Place, stage string, object map[string]any) {
	id, named := object["toolCallId"].(string)
	if !named {
		return // an answer to a request for approval, or its schema has said so
	}
	key := judge.Hash(id)
	now, known := c.open.Get(key)
	if stage == "input-start" || stage == "input-available" || stage == "input-error" {
		now, known = c.current(key)
	}
	name, _ := object["toolName"].(string)
	provided := now.provided || object["providerExecuted"] == true
	switch stage {
	case "input-start":
		c.open.Put(key, call{id: id, name: name, step: c.step, started: true, provided: provided})
	case "input-delta":
		m.Saw(toolsStarted)
		if !now.started && !m.resumed && !c.open.Lost() {
			m.Breach(toolsStarted, at, "a piece of an input belongs to no call that has started", "tool-input-start for "+judge.Show(id), "none")
		}
	case "input-available", "input-error":
		m.Saw(toolsStarted) // an input that comes whole needs no start
		m.Saw(toolsOnce)
		if known && now.input || c.returned.Now(key) {
			m.Breach(toolsOnce, at, "the input of a call comes a second time", "one input", "another for "+judge.Show(id))
		}
		m.SameText(toolsName, at, "a call has another tool than at its start", now.name, name)
		c.open.Put(key, call{id: id, name: name, step: c.step, started: now.started, input: true, failed: stage == "input-error", asked: now.asked, provided: provided})
	case "approval-request":
		c.follows(m, at, id, known)
		now.asked = true
		c.open.Put(key, now)
	default:
		c.output(m, at, id, known || provided, object["preliminary"] == true || provided)
	}
}

// follows checks that a part stands behind the input of its call. A message that goes on has its calls in an earlier
// response: what comes of them stands before the first step, but for calls that the provider runs.
func (c *calls) follows(m *machine, at judge.Place, id string, known bool) {
	m.Saw(toolsOpened)
	if !known && m.stepped && !m.resumed && !c.open.Lost() {
		m.Breach(toolsOpened, at, "a part belongs to a call that nobody has seen", "tool-input-available for "+judge.Show(id), "none")
	}
}

// output checks what came of a call. That of one that the provider runs may be preliminary and not say so, as the AI SDK
// passes it on.
func (c *calls) output(m *machine, at judge.Place, id string, known, preliminary bool) {
	key := judge.Hash(id)
	m.Saw(toolsOutputOnce)
	switch {
	case c.returned.Now(key), !known && c.returned.Ever(key):
		m.Breach(toolsOutputOnce, at, "a call returns a second time", "one output", "another for "+judge.Show(id))
	case !known && m.calls.open.Lost():
	default:
		c.follows(m, at, id, known)
	}
	if !preliminary {
		c.open.Drop(key)
		c.returned.Add(key)
	}
}

// unfinished says that a call has no output, "" if each has one.
func (c *calls) unfinished() string {
	if _, open := c.open.Find(func(one call) bool { return !one.provided }); !open {
		return ""
	}
	return "in an open call"
}

// over checks that every call has returned, unless the client is to run a tool or to agree to it.
func (c *calls) over(m *machine, at judge.Place) {
	if c.returned.Any() {
		m.Saw(toolsClosed)
	}
	if m.reason == "tool-calls" || m.reason == "" { // a call without an output is the client's, or may be
		return
	}
	for _, open := range c.open.All() {
		if open.input && !open.failed && !open.asked && !open.provided {
			m.Saw(toolsClosed)
			m.Breach(toolsClosed, at, "a call never returns", "an output of "+judge.Show(open.id), "finish with "+judge.Show(m.reason))
			return
		}
	}
}
