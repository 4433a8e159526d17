package fold

import "github.com/streamcert/streamcert/runner/judge"

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
