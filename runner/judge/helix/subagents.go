package helix

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/fold"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// belongs checks that a chunk comes from the root or from a sub-agent that is at
// work. It is false for one of a sub-agent that is done: such a chunk is out of
// place as a whole.
func (m *machine) belongs(c *said) bool {
	h, key := m.past, c.Agent.Key
	if key == h.Root {
		return true
	}
	if k, ok := h.SubAgents.Get(key); ok {
		m.Saw(subagentsChildID)
		m.Saw(subagentsWithin)
		m.ofType(c, k)
		return true
	}
	if h.finished.Now(key) {
		m.Saw(subagentsWithin)
		m.Breach(subagentsWithin, c.place(), "a sub-agent goes on after its end",
			"nothing of "+judge.Show(c.Agent.Name)+" after its subagent_end",
			"a chunk of type "+judge.Show(c.Kind))
		h.Agents.Drop(key)
		return false
	}
	if h.Root == 0 || !h.Whole() || c.Agent.Stray || h.Announced.Ever(key) || h.Announced.Lost() {
		return true
	}
	m.Saw(subagentsChildID)
	m.Breach(subagentsChildID, c.place(), "a chunk comes from an agent that nobody started",
		"the root's agentId, or the subSessionId of a subagent_start before it", judge.Show(c.Agent.Name))
	c.Agent.Stray = true // once is enough
	return true
}

func (m *machine) ofType(c *said, k *fold.SubAgent) {
	if k.Mistyped { // once is enough
		return
	}
	k.Mistyped = !m.Same(subagentsAgentType, c.place(), "a sub-agent's chunk carries another type than it was started with",
		k.Kind, c.word("agentType"))
}

// ofItself says whether an agent reports its own start or end, which is wrong in a
// way of its own.
func (c *said) ofItself() bool {
	if c.Kind != "subagent_start" && c.Kind != "subagent_end" {
		return false
	}
	return c.members["subSessionId"] == c.members["agentId"]
}

// apart checks that what is said about a sub-agent comes from its parent.
func (m *machine) apart(c *said, session judge.Word) bool {
	m.Saw(subagentsParentID)
	if session.Hash != c.Agent.Key {
		return true
	}
	m.Breach(subagentsParentID, c.place(), "a sub-agent is reported by itself",
		"the agentId of its parent", judge.Show(session.Start))
	return false
}

// subagentStart judges the start of a sub-agent. It says whether the call that starts it was seen.
func (m *machine) subagentStart(c *said) (called bool) {
	h, session, id := m.past, c.word("subSessionId"), c.word("callId")
	if !session.OK || !id.OK || !m.apart(c, session) {
		return false
	}
	if open, ok := h.CallOf(c.Agent, id); ok {
		m.SameNumber(subagentsStep, c.place(), "a sub-agent begins in another step than the call that starts it", open.Step, c.Step)
	}
	m.Unique(subagentsUnique, c.place(), &h.Announced, session.Hash, "a sub-agent is started a second time",
		"a subSessionId of its own", session.Shown)
	h.finished.Drop(session.Hash)
	return m.calledBy(c, id)
}

// calledBy says whether the call that starts a sub-agent was seen, and finds one
// that another agent made.
func (m *machine) calledBy(c *said, id judge.Word) bool {
	h := m.past
	if h.started.Ever(c.Agent.CallKey(id)) {
		m.Saw(subagentsCallID)
		return true
	}
	other, ok := h.called(id)
	if !ok {
		return false
	}
	m.Saw(subagentsCallID)
	m.Breach(subagentsCallID, c.place(), "the tool call that starts a sub-agent was made by another agent",
		judge.Show(c.Agent.Name), judge.Show(other.By))
	return true
}

// startedLate finds the call of a sub-agent that is at work already.
func (m *machine) startedLate(c *said, id judge.Word) {
	h := m.past
	if h.SubAgents.Len() == 0 || !h.Whole() || h.started.Lost() {
		return
	}
	k, ok := h.SubAgents.Find(func(k *fold.SubAgent) bool {
		return !k.Called && k.Call.Hash == id.Hash && k.Parent == c.Agent.Key
	})
	if !ok {
		return
	}
	k.Called = true
	m.Saw(subagentsCallID)
	m.Breach(subagentsCallID, c.place(), "the tool call that starts a sub-agent comes after the sub-agent",
		"tool_start before subagent_start", "tool_start of "+judge.Show(id.Start)+" after it")
}

func (m *machine) subagentEnd(c *said) {
	h, session := m.past, c.word("subSessionId")
	if !session.OK {
		return
	}
	defer h.finished.Add(session.Hash)
	if !m.apart(c, session) {
		return
	}
	k, ok := h.SubAgents.Get(session.Hash)
	if !ok {
		m.endsNobody(c, session)
		return
	}
	m.Saw(subagentsPaired)
	if !k.Called && h.Whole() && !h.started.Lost() { // nobody made the call: the id was made up
		m.Saw(subagentsCallID)
	}
	if differs := differences(k, c); len(differs) > 0 {
		m.Breach(subagentsPaired, c.place(), "a subagent_end differs from its subagent_start in "+strings.Join(differs, ", "),
			shown(k), fmt.Sprintf("%s of %s, call %s, by %s", judge.Show(c.word("subAgentType").Start), judge.Show(session.Start),
				judge.Show(c.word("callId").Start), judge.Show(c.Agent.Name)))
	}
	m.leaves(c, k)
}

// differences lists the members in which an end isn't that of the start.
func differences(k *fold.SubAgent, c *said) []string {
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

// endsNobody judges the end of a sub-agent that isn't at work.
func (m *machine) endsNobody(c *said, session judge.Word) {
	h := m.past
	unknown := !h.Whole() || h.Announced.Ever(session.Hash) || h.Announced.Lost()
	m.Unopened(subagentBrackets(), c.place(), h.finished.Now(session.Hash), !unknown, session.Start)
}

// leaves compares the result with what the sub-agent put out.
func (m *machine) leaves(c *said, k *fold.SubAgent) {
	a, ok := m.past.Agents.Get(k.ID.Hash)
	if !ok {
		return
	}
	m.kept(a)
	if result, there := c.members["result"]; there && a.Output != nil {
		m.SameValue(subagentsResult, c.place(), "the result of a sub-agent isn't what it put out",
			judge.Digest(result) == a.Output.Digest, a.Output.Shown, result)
	}
}

// subagentsAllEnded finds sub-agents that are at work when the stream ends well.
func (m *machine) subagentsAllEnded(f *wire.Frame) {
	h := m.past
	oldest, _ := h.SubAgents.Oldest()
	m.AllClosed(subagentBrackets(), judge.At(f), h.finished.Any(), h.SubAgents.Len(), func() string { return oldest.ID.Start })
}
