package fold

import (
	"cmp"
	"encoding/json"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/patch"
)

// Options configure how a fold treats uncertainty, and its memory.
type Options struct {
	// Trusting stores a guess where a fold otherwise drops the value.
	Trusting bool
	// State is the initial state of the root agent as JSON; nil if it isn't known. A trusting fold then assumes {}.
	State json.RawMessage
	Limits
}

// Limits bound the memory of a fold. Beyond one of them, the older half is dropped; a trusting fold instead ignores further
// calls.
type Limits struct {
	Agents            int          // 1,024 by default
	SubAgents         int          // that are open; 1,024 by default
	Calls             int          // that are open; 1,024 by default
	States            int          // of agents; 1,024 by default
	StatesBytes       int64        // of memory that they take in total; any number if 0
	Points            int          // stored checkpoints, the latest ones
	StoredStates      int          // of them, those whose states are
	StoredStatesBytes int64        // of memory that those states take; any number if 0
	State             patch.Limits // for each state; its Budget is that of the stream
}

// mostCalls limits the open calls by default, and those among which a call of another agent is searched.
const mostCalls = 1 << 10

// A Fold is the accumulated state of a stream's chunks. Make it with New; it isn't safe for concurrent use.
type Fold struct {
	Root             uint64 // key of the root agent, 0 as long as it isn't known
	Agents           judge.Opened[*Agent]
	SubAgents        judge.Opened[*SubAgent] // by the keys of the agents that they are
	Calls            judge.Opened[*Call]
	ApprovalRequests judge.Opened[ApprovalRequest] // by the hashes of the calls' ids; who wants to know of them puts them in
	Announced        judge.Seen                    // keys of agents that were started as sub-agents

	options  Options
	sure     bool         // nothing comes before the first chunk
	started  bool         // a chunk was taken, or earlier ones are known to be lost
	first    bool         // the chunk is the first
	complete bool         // nothing that lies before the last chunk is unknown
	last     judge.Number // its position
	numbered int          // calls so far

	states judge.Opened[*patch.Document] // of agents, by their keys; nil for one that is lost
	weight int64                         // of the states, or more
	points []Point
	open   int // points whose Next isn't known, so that most chunks check none

	buffer [8]patch.Operation // for those of a patch, so that most take no memory
}

// New returns the fold of a stream before its first chunk.
func New(o Options) *Fold {
	if o.Limits.State.Budget == nil {
		o.Limits.State.Budget = patch.NewBudget(0)
	}
	f := &Fold{options: o}
	f.Agents.Most, f.SubAgents.Most, f.Calls.Most, f.states.Most = o.Agents, o.SubAgents, cmp.Or(o.Calls, mostCalls), o.States
	return f
}

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
		for i := range f.points {
			f.points[i].stored = false
		}
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
	f.states.Clear()
	f.weight = 0
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
