package view

import (
	"encoding/json"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/patch"
)

// Bounds on what is remembered of a stream that never closes what it opens.
const (
	maxAgents = 4096
	maxCalls  = 65536
)

// A fold is what a stream adds up to so far: who may still speak, which calls are open, and which state everybody has.
// What it doesn't know it takes to be empty: it is made to show, not to judge.
type fold struct {
	root     string // id of the root agent
	begun    bool   // the root agent is known
	agents   map[string]*agent
	calls    map[[2]string]call
	numbered int // calls so far
	marks    checkpoints
	weight   int64 // of the states of the agents
	budget   *patch.Budget
	output   string // of the root agent; "" if there was none, or it is too long
}

func newFold() fold {
	return fold{agents: map[string]*agent{}, calls: map[[2]string]call{}, budget: patch.NewBudget(0)}
}

// agent is one that may still speak.
type agent struct {
	id, kind  string
	parent    string
	depth     int
	announced bool
	began     int64 // timestamp of its subagent_start
	step      int64
	state     State
	held      string     // text that waits
	block     *judge.Sum // reasoning of which increments came and not yet the whole
}

type call struct {
	number int
	name   string
	began  int64
}

// full says that one more agent makes the fold forget the others.
func (f *fold) full() bool { return len(f.agents) >= maxAgents }

// speaker finds whose chunk it is. The first one's is the root agent.
func (f *fold) speaker(c Chunk) *agent {
	if !f.begun {
		f.begun, f.root = true, c.AgentID
	}
	a := f.agents[c.AgentID]
	if a == nil {
		a = f.enter(&agent{id: c.AgentID, kind: c.AgentType, step: -1})
	}
	if a.kind == "" {
		a.kind = c.AgentType
	}
	return a
}

func (f *fold) enter(a *agent) *agent {
	a.state.budget = f.budget
	if f.full() {
		for id := range f.agents {
			if id != f.root && id != a.parent {
				f.weight -= f.agents[id].state.weight()
				delete(f.agents, id)
			}
		}
	}
	f.agents[a.id] = a
	return a
}

// open takes the start of a sub-agent.
func (f *fold) open(parent *agent, id, kind string, at int64) {
	if id != f.root && id != "" {
		f.enter(&agent{id: id, kind: kind, parent: parent.id, depth: parent.depth + 1, announced: true, began: at, step: -1})
	}
}

// child is a sub-agent that was started and hasn't ended; nil if there is none of that id.
func (f *fold) child(id string) *agent {
	if id == f.root {
		return nil
	}
	return f.agents[id]
}

// siblings says whether another open agent is indented alike.
func (f *fold) siblings(a *agent) bool {
	if len(f.agents) > maxAgents/16 {
		return true
	}
	for _, b := range f.agents {
		if b != a && b.depth == a.depth {
			return true
		}
	}
	return false
}

// call takes the start of a tool call, and numbers it as long as there is room.
func (f *fold) call(c Chunk, id, name string) call {
	key := [2]string{c.AgentID, id}
	if len(f.calls) < maxCalls {
		f.numbered++
		f.calls[key] = call{f.numbered, name, c.Timestamp}
	}
	return f.calls[key]
}

// called is a call whose end hasn't come; false if its start wasn't seen.
func (f *fold) called(c Chunk, id string) (call, bool) {
	open, ok := f.calls[[2]string{c.AgentID, id}]
	return open, ok
}

// returned takes the end of a call.
func (f *fold) returned(c Chunk, id string) { delete(f.calls, [2]string{c.AgentID, id}) }

// think takes an increment of a block of reasoning, or the whole of it. open says that increments came before, and differs
// that the whole isn't what they make together.
func (a *agent) think(content string, whole bool) (open, differs bool) {
	open = a.block != nil
	if whole {
		differs = open && content != "" && !a.block.Is(content)
		a.block = nil
		return open, differs
	}
	if !open {
		a.block = &judge.Sum{}
	}
	a.block.Add(content)
	return open, false
}

// patch applies a patch to the state of its agent. A state that makes all together too large is lost.
func (f *fold) patch(a *agent, patches json.RawMessage) ([]Change, error) {
	before := a.state.weight()
	changes, err := a.state.Apply(patches)
	if f.weight += a.state.weight() - before; f.weight > maxStates {
		f.weight -= a.state.weight()
		a.state = State{lost: true}
		err = &patch.LimitError{Of: "bytes of memory for the states of all agents", Limit: maxStates}
	}
	return changes, err
}

// mark remembers the state at a checkpoint of the root agent.
func (f *fold) mark(a *agent, id string) {
	if a.id == f.root {
		f.marks.remember(id, a.state.Clone())
	}
}

// back returns to a checkpoint: its agent is the root now, and what else was open is void. It reports whether the state is
// known; otherwise it is taken to be {}.
func (f *fold) back(a *agent, id string) (known bool) {
	state, known := f.marks.states[id]
	f.agents = map[string]*agent{a.id: a}
	clear(f.calls)
	f.root, f.output, a.depth, a.parent, a.state = a.id, "", 0, "", state.Clone()
	a.state.budget, f.weight = f.budget, a.state.weight()
	a.block = nil
	return known
}
