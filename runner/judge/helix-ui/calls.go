package helixui

import (
	"github.com/streamcert/streamcert/runner/judge"
)

// calls are the tool calls of a response. An id names a call of its step: a later step may use it for another call.
type calls struct {
	open     judge.Opened[call] // by hash of the id; of an id that a later step took over, by that and the step too
	returned judge.Seen         // hashes of those that are over; an age is a step
	step     uint64             // how many steps have started
}

// call is the state of one tool call in the response.
type call struct {
	id, name      string // compared only by hash; stored for reports
	step          uint64 // in which it began
	started       bool   // tool-input-start came
	input         bool   // tool-input-available or tool-input-error came
	failed        bool   // tool-input-error came, so that the call needs no output
	needsApproval bool   // the user has to approve it
	provided      bool   // the provider runs it, and may bring its output in a later response
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

// current returns the call that an input of this id belongs to: one that an earlier step has given its input is another.
func (c *calls) current(key uint64) (now call, known bool) {
	now, known = c.open.Get(key)
	if !known || now.step == c.step || !now.input {
		return now, known
	}
	c.open.Put(judge.CombineHashes(key, now.step), now) // missing parts of it are reported at the end
	return call{}, false
}

// take takes a part of a call. The end of its type states which.
func (c *calls) take(m *machine, at judge.Position, stage string, object map[string]any) {
	id, named := object["toolCallId"].(string)
	if !named {
		return // an answer to an approval request, or the schema has reported it
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
			m.Violation(toolsStarted, at, "a piece of an input belongs to no call that has started", "tool-input-start for "+judge.Show(id), "none")
		}
	case "input-available", "input-error":
		m.Saw(toolsStarted) // a complete input needs no start
		m.Saw(toolsOnce)
		if known && now.input || c.returned.Now(key) {
			m.Violation(toolsOnce, at, "the input of a call comes a second time", "one input", "another for "+judge.Show(id))
		}
		m.SameText(toolsName, at, "a call has another tool than at its start", now.name, name)
		c.open.Put(key, call{id: id, name: name, step: c.step, started: now.started, input: true, failed: stage == "input-error", needsApproval: now.needsApproval, provided: provided})
	case "approval-request":
		c.follows(m, at, id, known)
		now.needsApproval = true
		c.open.Put(key, now)
	default:
		c.output(m, at, id, known || provided, object["preliminary"] == true || provided)
	}
}

// follows checks that a part comes after the input of its call. A message that continues has its calls in an earlier
// response: their outputs come before the first step, except for calls that the provider runs.
func (c *calls) follows(m *machine, at judge.Position, id string, known bool) {
	m.Saw(toolsOpened)
	if !known && m.stepped && !m.resumed && !c.open.Lost() {
		m.Violation(toolsOpened, at, "a part belongs to a call that nobody has seen", "tool-input-available for "+judge.Show(id), "none")
	}
}

// output checks the output of a call. The output of a call that the provider runs may be preliminary without a mark, as the
// AI SDK passes it on.
func (c *calls) output(m *machine, at judge.Position, id string, known, preliminary bool) {
	key := judge.Hash(id)
	m.Saw(toolsOutputOnce)
	switch {
	case c.returned.Now(key), !known && c.returned.Ever(key):
		m.Violation(toolsOutputOnce, at, "a call returns a second time", "one output", "another for "+judge.Show(id))
	case !known && m.calls.open.Lost():
	default:
		c.follows(m, at, id, known)
	}
	if !preliminary {
		c.open.Drop(key)
		c.returned.Add(key)
	}
}

// unfinished describes a call without an output, "" if each has one.
func (c *calls) unfinished() string {
	if _, open := c.open.Find(func(one call) bool { return !one.provided }); !open {
		return ""
	}
	return "in an open call"
}

// over checks that every call has returned, unless the client is to run a tool or to agree to it.
func (c *calls) over(m *machine, at judge.Position) {
	if c.returned.Any() {
		m.Saw(toolsClosed)
	}
	if m.reason == "tool-calls" || m.reason == "" { // a call without an output is the client's, or may be
		return
	}
	for _, open := range c.open.All() {
		if open.input && !open.failed && !open.needsApproval && !open.provided {
			m.Saw(toolsClosed)
			m.Violation(toolsClosed, at, "a call never returns", "an output of "+judge.Show(open.id), "finish with "+judge.Show(m.reason))
			return
		}
	}
}
