package helix

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// A subAgent is a sub-agent that was started and hasn't ended.
type subAgent struct {
	key      uint64 // of the agent that it is
	name     string
	call     judge.Word
	kind     judge.Word
	parent   uint64
	by       string // the parent's name
	called   bool   // the tool call that started it was seen before
	mistyped bool   // a chunk that carries another type was found
}

// belongs checks that a chunk comes from the root or from a sub-agent that is at
// work. It is false for one of a sub-agent that is done: such a chunk is out of
// place as a whole.
func (m *machine) belongs(c *said) bool {
	h, key := m.past, c.agent.key
	if key == h.root {
		return true
	}
	if k, ok := h.subAgents.Get(key); ok {
		m.Saw(subagentsChildID)
		m.Saw(subagentsWithin)
		m.ofType(c, k)
		return true
	}
	if h.finished.Now(key) {
		m.Saw(subagentsWithin)
		m.Breach(subagentsWithin, c.place(), "a sub-agent goes on after its end",
			"nothing of "+judge.Show(c.agent.name)+" after its subagent_end",
			"a chunk of type "+judge.Show(c.kind))
		h.agents.Drop(key)
		return false
	}
	if h.root == 0 || !h.whole || c.agent.stray || h.announced.Ever(key) || h.announced.Lost() {
		return true
	}
	m.Saw(subagentsChildID)
	m.Breach(subagentsChildID, c.place(), "a chunk comes from an agent that nobody started",
		"the root's agentId, or the subSessionId of a subagent_start before it", judge.Show(c.agent.name))
	c.agent.stray = true // once is enough
	return true
}

func (m *machine) ofType(c *said, k *subAgent) {
	if k.mistyped { // once is enough
		return
	}
	k.mistyped = !m.Same(subagentsAgentType, c.place(), "a sub-agent's chunk carries another type than it was started with",
		k.kind, c.word("agentType"))
}

// ofItself says whether an agent reports its own start or end, which is wrong in a
// way of its own.
func (c *said) ofItself() bool {
	if c.kind != "subagent_start" && c.kind != "subagent_end" {
		return false
	}
	return c.members["subSessionId"] == c.members["agentId"]
}

// apart checks that what is said about a sub-agent comes from its parent.
func (m *machine) apart(c *said, session judge.Word) bool {
	m.Saw(subagentsParentID)
	if session.Hash != c.agent.key {
		return true
	}
	m.Breach(subagentsParentID, c.place(), "a sub-agent is reported by itself",
		"the agentId of its parent", judge.Show(session.Start))
	return false
}

func (m *machine) subagentStart(c *said) {
	h, session, id := m.past, c.word("subSessionId"), c.word("callId")
	if !session.OK || !id.OK {
		return
	}
	if !m.apart(c, session) {
		h.announced.Add(session.Hash)
		return
	}
	if open, ok := h.calls.Get(callKey(c.agent, id)); ok {
		m.SameNumber(subagentsStep, c.place(), "a sub-agent begins in another step than the call that starts it", open.step, c.step)
	}
	m.Unique(subagentsUnique, c.place(), &h.announced, session.Hash, "a sub-agent is started a second time",
		"a subSessionId of its own", session.Shown)
	h.finished.Drop(session.Hash)
	h.subAgents.Put(session.Hash, &subAgent{
		key: session.Hash, name: session.Start, call: id, kind: c.word("subAgentType"), parent: c.agent.key, by: c.agent.name,
		called: m.calledBy(c, id),
	})
}

// calledBy says whether the call that starts a sub-agent was seen, and finds one
// that another agent made.
func (m *machine) calledBy(c *said, id judge.Word) bool {
	h := m.past
	if h.started.Ever(callKey(c.agent, id)) {
		m.Saw(subagentsCallID)
		return true
	}
	other, ok := h.called(id)
	if !ok {
		return false
	}
	m.Saw(subagentsCallID)
	m.Breach(subagentsCallID, c.place(), "the tool call that starts a sub-agent was made by another agent",
		judge.Show(c.agent.name), judge.Show(other.by))
	return true
}

// startedLate finds the call of a sub-agent that is at work already.
func (m *machine) startedLate(c *said, id judge.Word) {
	h := m.past
	if h.subAgents.Len() == 0 || !h.whole || h.started.Lost() {
		return
	}
	k, ok := h.subAgents.Find(func(k *subAgent) bool {
		return !k.called && k.call.Hash == id.Hash && k.parent == c.agent.key
	})
	if !ok {
		return
	}
	k.called = true
	m.Saw(subagentsCallID)
	m.Breach(subagentsCallID, c.place(), "the tool call that starts a sub-agent comes after the sub-agent",
		"tool_start before subagent_start", "tool_start of "+judge.Show(id.Start)+" after it")
}

func (m *machine) subagentEnd(c *said) {
	h, session := m.past, c.word("subSessionId")
	if !session.OK {
		return
	}
	defer h.gone(session.Hash)
	if !m.apart(c, session) {
		return
	}
	k, ok := h.subAgents.Get(session.Hash)
	if !ok {
		m.endsNobody(c, session)
		return
	}
	m.Saw(subagentsPaired)
	if !k.called && h.whole && !h.started.Lost() { // nobody made the call: the id was made up
		m.Saw(subagentsCallID)
	}
	if differs := k.differs(c); len(differs) > 0 {
		m.Breach(subagentsPaired, c.place(), "a subagent_end differs from its subagent_start in "+strings.Join(differs, ", "),
			k.shown(), fmt.Sprintf("%s of %s, call %s, by %s", judge.Show(c.word("subAgentType").Start), judge.Show(session.Start),
				judge.Show(c.word("callId").Start), judge.Show(c.agent.name)))
	}
	m.leaves(c, k)
}

// gone forgets a sub-agent that has ended.
func (h *history) gone(key uint64) {
	h.subAgents.Drop(key)
	h.agents.Drop(key)
	h.states.Drop(key)
	h.finished.Add(key)
}

// differs lists the members in which an end isn't that of the start.
func (k *subAgent) differs(c *said) []string {
	var names []string
	if call := c.word("callId"); call.OK && call.Hash != k.call.Hash {
		names = append(names, "callId")
	}
	if kind := c.word("subAgentType"); kind.OK && k.kind.OK && kind.Hash != k.kind.Hash {
		names = append(names, "subAgentType")
	}
	if c.agent.key != k.parent {
		names = append(names, "agentId")
	}
	return names
}

func (k *subAgent) shown() string {
	return fmt.Sprintf("%s of %s, call %s, by %s", judge.Show(k.kind.Start), judge.Show(k.name), judge.Show(k.call.Start), judge.Show(k.by))
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
	unknown := !h.whole || h.announced.Ever(session.Hash) || h.announced.Lost()
	m.Unopened(subagentBrackets(), c.place(), h.finished.Now(session.Hash), !unknown, session.Start)
}

// leaves compares the result with what the sub-agent put out. What one that
// failed left open stays open.
func (m *machine) leaves(c *said, k *subAgent) {
	h := m.past
	a, ok := h.agents.Get(k.key)
	if ok {
		m.kept(a)
	}
	result, there := c.members["result"]
	if ok && a.output != nil && there {
		m.SameValue(subagentsResult, c.place(), "the result of a sub-agent isn't what it put out",
			judge.Digest(result) == a.output.digest, a.output.text, result)
		return
	}
	if !ok {
		a = &agent{key: k.key}
	}
	if result == nil || a.fatal {
		h.abandon(a)
	}
}

// subagentsAllEnded finds sub-agents that are at work when the stream ends well.
func (m *machine) subagentsAllEnded(f *wire.Frame) {
	h := m.past
	oldest, _ := h.subAgents.Oldest()
	m.AllClosed(subagentBrackets(), judge.At(f), h.finished.Any(), h.subAgents.Len(), func() string { return oldest.name })
}
