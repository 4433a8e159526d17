package fold

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
	f.states.byAgent.Drop(session.Hash)
	return k
}
