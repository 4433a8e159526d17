package helix

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/fold"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// subAgentRules are the rules of sub-agents.
type subAgentRules struct {
	*judge.Base
	past  *fold.Fold // the stream before the chunk that is judged
	calls *callRules // the calls that start sub-agents

	finished judge.Seen // sub-agents that have ended
}

// belongs checks that a chunk comes from the root or from a running sub-agent. It returns false for one of a finished
// sub-agent, whose content isn't judged.
func (r *subAgentRules) belongs(c *producedChunk) bool {
	h, key := r.past, c.Agent.Key
	if key == h.Root {
		return true
	}
	if k, ok := h.SubAgents.Get(key); ok {
		r.Saw(subagentsChildID)
		r.Saw(subagentsWithin)
		r.ofType(c, k)
		return true
	}
	if r.finished.Now(key) {
		r.Saw(subagentsWithin)
		r.Violation(subagentsWithin, c.position(), "a sub-agent goes on after its end",
			"nothing of "+judge.Show(c.Agent.Name)+" after its subagent_end",
			"a chunk of type "+judge.Show(c.Kind))
		h.Agents.Drop(key)
		return false
	}
	if h.Root == 0 || !h.Complete() || c.Agent.Orphan || h.Announced.Ever(key) || h.Announced.Lost() {
		return true
	}
	r.Saw(subagentsChildID)
	r.Violation(subagentsChildID, c.position(), "a chunk comes from an agent that wasn't started",
		"the root's agentId, or the subSessionId of a subagent_start before it", judge.Show(c.Agent.Name))
	c.Agent.Orphan = true // once is enough
	return true
}

// ofType compares the agentType of a sub-agent's chunk with that of its start.
func (r *subAgentRules) ofType(c *producedChunk, k *fold.SubAgent) {
	if k.Mistyped { // once is enough
		return
	}
	k.Mistyped = !r.Same(subagentsAgentType, c.position(), "a sub-agent's chunk carries another type than it was started with",
		k.Kind, c.word("agentType"))
}

// apart checks that a chunk about a sub-agent comes from its parent.
func (r *subAgentRules) apart(c *producedChunk, session judge.Word) bool {
	r.Saw(subagentsParentID)
	if session.Hash != c.Agent.Key {
		return true
	}
	r.Violation(subagentsParentID, c.position(), "a sub-agent is reported by itself",
		"the agentId of its parent", judge.Show(session.Start))
	return false
}

// subagentStart judges the start of a sub-agent. It reports whether the call that starts it was seen.
func (r *subAgentRules) subagentStart(c *producedChunk) (called bool) {
	h, session, id := r.past, c.word("subSessionId"), c.word("callId")
	if !session.OK || !id.OK || !r.apart(c, session) {
		return false
	}
	if open, ok := h.CallOf(c.Agent, id); ok {
		r.SameNumber(subagentsStep, c.position(), "a sub-agent begins in another step than the call that starts it", open.Step, c.Step)
	}
	r.Unique(subagentsUnique, c.position(), &h.Announced, session.Hash, "a sub-agent is started a second time",
		"a subSessionId of its own", session.Shown)
	r.finished.Drop(session.Hash)
	return r.calledBy(c, id)
}

// calledBy reports whether the call that starts a sub-agent was seen, and finds one
// that another agent made.
func (r *subAgentRules) calledBy(c *producedChunk, id judge.Word) bool {
	if r.calls.started.Ever(c.Agent.CallKey(id)) {
		r.Saw(subagentsCallID)
		return true
	}
	other, ok := r.calls.called(id)
	if !ok {
		return false
	}
	r.Saw(subagentsCallID)
	r.Violation(subagentsCallID, c.position(), "the tool call that starts a sub-agent was made by another agent",
		judge.Show(c.Agent.Name), judge.Show(other.By))
	return true
}

// startedAfterWork finds the first call of an id by which a sub-agent is at work already.
func (r *subAgentRules) startedAfterWork(c *producedChunk) {
	h, id := r.past, c.word("toolCallId")
	if h.SubAgents.Len() == 0 || !h.Complete() {
		return
	}
	k, ok := h.SubAgents.Find(func(k *fold.SubAgent) bool {
		return !k.Called && k.Call.Hash == id.Hash && k.Parent == c.Agent.Key
	})
	if !ok {
		return
	}
	k.Called = true
	r.Saw(subagentsCallID)
	r.Violation(subagentsCallID, c.position(), "the tool call that starts a sub-agent comes after the sub-agent",
		"tool_start before subagent_start", "tool_start of "+judge.Show(id.Start)+" after it")
}

// subagentEnd compares the end of a sub-agent with its start.
func (r *subAgentRules) subagentEnd(c *producedChunk) {
	h, session := r.past, c.word("subSessionId")
	if !session.OK {
		return
	}
	defer r.finished.Add(session.Hash)
	if !r.apart(c, session) {
		return
	}
	k, ok := h.SubAgents.Get(session.Hash)
	if !ok {
		r.endsNoSubAgent(c, session)
		return
	}
	r.Saw(subagentsPaired)
	if !k.Called && h.Complete() && !r.calls.started.Lost() { // no such call was made: the id was invented
		r.Saw(subagentsCallID)
	}
	if differs := differences(k, c); len(differs) > 0 {
		r.Violation(subagentsPaired, c.position(), "a subagent_end differs from its subagent_start in "+strings.Join(differs, ", "),
			shown(k), fmt.Sprintf("%s of %s, call %s, by %s", judge.Show(c.word("subAgentType").Start), judge.Show(session.Start),
				judge.Show(c.word("callId").Start), judge.Show(c.Agent.Name)))
	}
	r.leaves(c, k)
}

// differences lists the members in which an end isn't that of the start.
func differences(k *fold.SubAgent, c *producedChunk) []string {
	var names []string
	if call := c.word("callId"); call.OK && call.Hash != k.Call.Hash {
		names = append(names, "callId")
	}
	if kind := c.word("subAgentType"); kind.OK && k.Kind.OK && kind.Hash != k.Kind.Hash {
		names = append(names, "subAgentType")
	}
	if c.Agent.Key != k.Parent {
		names = append(names, "agentId")
	}
	return names
}

// shown describes the start of a sub-agent for people.
func shown(k *fold.SubAgent) string {
	return fmt.Sprintf("%s of %s, call %s, by %s", judge.Show(k.Kind.Start), judge.Show(k.ID.Start), judge.Show(k.Call.Start), judge.Show(k.By))
}

func subagentBrackets() judge.Brackets {
	return judge.Brackets{
		Paired: subagentsPaired, Once: subagentsPaired, Closed: subagentsEnded, Start: "subagent_start", End: "subagent_end",
		NeverBegan: "a sub-agent ends that was never started", Twice: "a sub-agent ends twice",
		LeftOpen: "the stream ends while a sub-agent is at work", Missing: "a subagent_end for %s", Open: "none; %d at work",
	}
}

// endsNoSubAgent judges the end of a sub-agent that isn't at work.
func (r *subAgentRules) endsNoSubAgent(c *producedChunk, session judge.Word) {
	h := r.past
	unknown := !h.Complete() || h.Announced.Ever(session.Hash) || h.Announced.Lost()
	r.Unopened(subagentBrackets(), c.position(), r.finished.Now(session.Hash), !unknown, session.Start)
}

// leaves compares the result with the sub-agent's output.
func (r *subAgentRules) leaves(c *producedChunk, k *fold.SubAgent) {
	a, ok := r.past.Agents.Get(k.ID.Hash)
	if !ok {
		return
	}
	sawLast(r.Base, a)
	if result, there := c.members["result"]; there && a.Output != nil {
		r.SameValue(subagentsResult, c.position(), "the result of a sub-agent isn't what it put out",
			judge.Digest(result) == a.Output.Digest, a.Output.Shown, result)
	}
}

// subagentsAllEnded finds sub-agents that are at work when the stream ends well.
func (r *subAgentRules) subagentsAllEnded(f *wire.Frame) {
	h := r.past
	oldest, _ := h.SubAgents.Oldest()
	r.AllClosed(subagentBrackets(), judge.At(f), r.finished.Any(), h.SubAgents.Len(), func() string { return oldest.ID.Start })
}
