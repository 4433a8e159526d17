package fold

import "github.com/streamcert/streamcert/runner/judge"

// A Call is a tool call that has started and not ended.
type Call struct {
	ID     judge.Word
	Agent  uint64     // key of the one that made it
	By     string     // its name
	Name   judge.Word // of the tool
	Time   judge.Number
	Step   judge.Number
	Number int // among the calls of the stream that the fold took in, from 1
}

// An ApprovalRequest is a request for approval of a call that hasn't been seen.
type ApprovalRequest struct {
	Agent uint64     // its key
	ID    judge.Word // of the call
	At    judge.Position
}

// Key identifies a call: ids are unique within an agent.
func (c *Call) Key() uint64 { return judge.CombineHashes(c.Agent, c.ID.Hash) }

// CallKey returns the key of a call of an agent.
func (a *Agent) CallKey(id judge.Word) uint64 { return judge.CombineHashes(a.Key, id.Hash) }

// CallOf returns the open call of an agent with an id.
func (f *Fold) CallOf(a *Agent, id judge.Word) (*Call, bool) { return f.Calls.Get(a.CallKey(id)) }

// CallNamed returns the oldest open call with an id, of any agent. With more than 1,024 open calls it doesn't search.
func (f *Fold) CallNamed(id judge.Word) (*Call, bool) {
	if f.Calls.Len() > mostCalls {
		return nil, false
	}
	return f.Calls.Find(func(o *Call) bool { return o.ID.Hash == id.Hash })
}

func (f *Fold) startCall(c *Chunk) *Call {
	id := f.name(c, "toolCallId")
	if !id.OK {
		return nil
	}
	f.ApprovalRequests.Drop(id.Hash)
	if f.options.Trusting && f.Calls.Len() >= f.Calls.Most {
		return nil
	}
	f.numbered++
	call := &Call{
		ID: id, Agent: c.Agent.Key, By: c.Agent.Name, Name: c.Word("toolName"), Time: c.Time, Step: c.Step, Number: f.numbered,
	}
	f.Calls.Put(call.Key(), call)
	return call
}

// endCall takes the end of a call: of one of the agent, or of the oldest of any other with that id.
func (f *Fold) endCall(c *Chunk) *Call {
	id := f.name(c, "toolCallId")
	if !id.OK {
		return nil
	}
	f.ApprovalRequests.Drop(id.Hash)
	call, ok := f.CallOf(c.Agent, id)
	if !ok {
		call, ok = f.CallNamed(id)
	}
	if !ok {
		return nil
	}
	f.Calls.Drop(call.Key())
	return call
}

// A SubAgent is a sub-agent that was started and hasn't ended.
type SubAgent struct {
	ID     judge.Word // of the agent that it is
	Call   judge.Word // id of the call that started it
	Kind   judge.Word // its type
	Parent uint64     // key of the agent that started it
	By     string     // its name
	Depth  int        // 1 if its parent is no sub-agent
	Time   judge.Number

	// Fields of a judge; the fold doesn't use them.
	Called   bool // the call that started it was seen before
	Mistyped bool // a chunk that carries another type was found
}

// Depth returns the number of agents above an agent, 0 for one that isn't a running sub-agent.
func (f *Fold) Depth(agent uint64) int {
	if k, ok := f.SubAgents.Value(agent); ok && agent != f.Root {
		return k.Depth
	}
	return 0
}

// startSubAgent takes the start of a sub-agent. One that reports itself isn't started by that, except to a trusting fold.
func (f *Fold) startSubAgent(c *Chunk) *SubAgent {
	session, call := c.Word("subSessionId"), f.name(c, "callId")
	if !session.OK || !call.OK {
		return nil
	}
	f.Announced.Add(session.Hash)
	if session.Hash == c.Agent.Key && !f.options.Trusting {
		return nil
	}
	k := &SubAgent{
		ID: session, Call: call, Kind: c.Word("subAgentType"), Parent: c.Agent.Key, By: c.Agent.Name, Depth: f.Depth(c.Agent.Key) + 1, Time: c.Time,
	}
	f.SubAgents.Put(session.Hash, k)
	return k
}

// endSubAgent drops a sub-agent that has ended. Things that a failed one left open stay open.
func (f *Fold) endSubAgent(c *Chunk) *SubAgent {
	session := c.Word("subSessionId")
	if !session.OK {
		return nil
	}
	k, open := f.SubAgents.Value(session.Hash)
	if open && session.Hash != c.Agent.Key {
		a, ok := f.Agents.Value(session.Hash)
		if !ok {
			a = &Agent{Key: session.Hash}
		}
		result, there := c.Members.Member("result")
		if compared := there && a.Output != nil; !compared && (result == nil || a.Fatal) {
			f.abandon(a)
		}
	}
	f.SubAgents.Drop(session.Hash)
	f.Agents.Drop(session.Hash)
	f.states.Drop(session.Hash)
	return k
}
