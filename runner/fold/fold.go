package fold

import (
	"cmp"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/patch"
)

// A Fold is the accumulated state of a stream's chunks. Make it with New; it isn't safe for concurrent use.
type Fold struct {
	Root             uint64                        // key of the root agent, 0 as long as it isn't known
	Agents           judge.Opened[*Agent]          // by key, at most Options.Agents; a forgotten agent is as if new
	SubAgents        judge.Opened[*SubAgent]       // by the keys of the agents that they are
	Calls            judge.Opened[*Call]           // by agent and id, see [Call.Key]
	ApprovalRequests judge.Opened[ApprovalRequest] // by the hashes of the calls' ids; who wants to know of them puts them in
	Announced        judge.Seen                    // keys of agents that were started as sub-agents

	options  Options      // never change
	sure     bool         // nothing comes before the first chunk
	started  bool         // a chunk was taken, or earlier ones are known to be lost
	first    bool         // the chunk is the first
	complete bool         // nothing that lies before the last chunk is unknown
	last     judge.Number // its position
	numbered int          // calls so far

	states states // of agents; it shares options
	points
}

// New returns the fold of a stream before its first chunk.
func New(o Options) *Fold {
	if o.Limits.State.Budget == nil {
		o.Limits.State.Budget = patch.NewBudget(0)
	}
	f := &Fold{options: o, states: states{options: o}, points: points{options: o}}
	f.Agents.Most, f.SubAgents.Most, f.Calls.Most, f.states.byAgent.Most = o.Agents, o.SubAgents, cmp.Or(o.Calls, mostCalls), o.States
	return f
}

// State returns the known part of an agent's state; nil if a limit was exceeded, which only a trusting fold reports.
func (f *Fold) State(agent uint64) *patch.Document { return f.states.of(agent) }

// Attach takes whether the stream is shown from its start.
func (f *Fold) Attach(fromStart bool) { f.sure = fromStart }

// Sure reports whether Attach has declared that no chunk is missing before the first.
func (f *Fold) Sure() bool { return f.sure }

// Complete reports whether all chunks before the last one are known.
func (f *Fold) Complete() bool { return f.complete }

// Last returns the position of the last chunk.
func (f *Fold) Last() judge.Number { return f.last }

// Advance takes the position of the next chunk, and reports whether the fold dropped state because of a gap. Unless Attach
// has declared that no chunk is missing, only numbers without a gap from the stream's first show it.
func (f *Fold) Advance(seq judge.Number) (forgot bool) {
	f.first = !f.started
	switch {
	case f.sure:
		f.complete = f.complete || !f.started
	case !f.started:
		f.complete = seq.OK && seq.N <= 1
	case !seq.OK || !f.last.OK || seq.N != f.last.N+1:
		forgot = f.Gap()
	}
	f.started, f.last = true, seq
	return forgot
}

// Gap takes a gap, in which any chunk may be missing, and reports whether the fold dropped state because of it.
func (f *Fold) Gap() (forgot bool) {
	if f.options.Trusting {
		return false
	}
	forgot = f.complete || f.last.OK // without numbers there is no gap to see
	if forgot {
		f.restart()
		f.distrust()
	}
	f.complete = false
	return forgot
}

// Removed takes a removal: earlier chunks may be gone.
func (f *Fold) Removed() {
	if f.options.Trusting {
		return
	}
	f.restart()
	f.started, f.sure, f.complete = true, false, false
}

// restart forgets everything that a step back in the stream makes obsolete.
func (f *Fold) restart() {
	f.Calls.Clear()
	f.SubAgents.Clear()
	f.ApprovalRequests.Clear()
	f.Agents.Clear()
	f.states.clear()
	f.Announced.Age()
}

// forget drops everything open, whose end isn't known. A trusting fold drops only reasoning, and matches a later end with
// the open thing.
func (f *Fold) forget() {
	f.Agents.Each(func(a *Agent) { a.Block = nil })
	if f.options.Trusting {
		return
	}
	f.Calls.Clear()
	f.SubAgents.Clear()
	f.ApprovalRequests.Clear()
}

// abandon is forget for one agent, and for all if it is the root.
func (f *Fold) abandon(a *Agent) {
	if a.Key == f.Root || f.Root == 0 {
		f.forget()
		return
	}
	a.Block = nil
	if f.options.Trusting {
		return
	}
	f.Calls.DropIf(func(c *Call) bool { return c.Agent == a.Key })
	f.ApprovalRequests.DropIf(func(k ApprovalRequest) bool { return k.Agent == a.Key })
	children := []uint64{}
	f.SubAgents.DropIf(func(k *SubAgent) bool {
		if k.Parent == a.Key {
			children = append(children, k.ID.Hash)
		}
		return k.Parent == a.Key
	})
	for _, key := range children {
		if c, ok := f.Agents.Value(key); ok { // without making it younger
			f.abandon(c)
		} else {
			f.abandon(&Agent{Key: key})
		}
	}
}

// agent returns the state of an agent.
func (f *Fold) agent(id judge.Word) *Agent {
	if a, ok := f.Agents.Get(id.Hash); ok {
		return a
	}
	a := &Agent{Key: id.Hash, Name: id.Start, Inside: !f.complete || f.Agents.Lost()}
	f.Agents.Put(id.Hash, a)
	return a
}

// name returns a member that names something. To a trusting fold, a name that is missing is "".
func (f *Fold) name(c *Chunk, member string) judge.Word {
	w := c.Word(member)
	if !w.OK && f.options.Trusting {
		w = judge.WordOf("")
	}
	return w
}
