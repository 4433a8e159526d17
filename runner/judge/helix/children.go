package helix

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/wire"
)

// A kid is a sub-agent that was started and hasn't ended.
type kid struct {
	key    uint64 // of the agent that it is
	name   string
	call   word
	kind   word
	parent uint64
	by     string // the parent's name
	called bool   // the tool call that started it was seen before
	told   bool   // that its chunks carry another type was found
}

// belongs checks that a chunk comes from the root or from a sub-agent that is at
// work. It is false for one of a sub-agent that is done: such a chunk is out of
// place as a whole.
func (m *machine) belongs(c *said) bool {
	h, key := m.past, c.agent.key
	if key == h.root {
		return true
	}
	if k, ok := h.kids.get(key); ok {
		m.count[subagentsChildID]++
		m.count[subagentsWithin]++
		m.ofType(c, k)
		return true
	}
	if h.finished.now(key) {
		m.count[subagentsWithin]++
		m.add(subagentsWithin, c.place(), "a sub-agent goes on after its end",
			"nothing of "+show(c.agent.name)+" after its subagent_end",
			"a chunk of type "+show(c.kind))
		h.agents.drop(key)
		return false
	}
	if h.root == 0 || !h.whole || c.agent.stray || h.announced.ever(key) || h.announced.lost {
		return true
	}
	m.count[subagentsChildID]++
	m.add(subagentsChildID, c.place(), "a chunk comes from an agent that nobody started",
		"the root's agentId, or the subSessionId of a subagent_start before it", show(c.agent.name))
	c.agent.stray = true // once is enough
	return true
}

func (m *machine) ofType(c *said, k *kid) {
	kind := c.word("agentType")
	if !kind.ok || !k.kind.ok || k.told {
		return
	}
	m.count[subagentsAgentType]++
	if kind.hash != k.kind.hash {
		k.told = true
		m.add(subagentsAgentType, c.place(), "a sub-agent's chunk carries another type than it was started with",
			show(k.kind.start), show(kind.start))
	}
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
func (m *machine) apart(c *said, session word) bool {
	m.count[subagentsParentID]++
	if session.hash != c.agent.key {
		return true
	}
	m.add(subagentsParentID, c.place(), "a sub-agent is reported by itself",
		"the agentId of its parent", show(session.start))
	return false
}

func (m *machine) subagentStart(c *said) {
	h, session, id := m.past, c.word("subSessionId"), c.word("callId")
	if !session.ok || !id.ok {
		return
	}
	if !m.apart(c, session) {
		h.announced.add(session.hash)
		return
	}
	m.count[subagentsUnique]++
	if h.announced.now(session.hash) {
		m.add(subagentsUnique, c.place(), "a sub-agent is started a second time",
			"a subSessionId of its own", show(session.start))
	}
	h.announced.add(session.hash)
	h.finished.drop(session.hash)
	h.kids.put(session.hash, &kid{
		key: session.hash, name: session.start, call: id, kind: c.word("subAgentType"), parent: c.agent.key, by: c.agent.name,
		called: m.calledBy(c, id),
	})
}

// calledBy says whether the call that starts a sub-agent was seen, and finds one
// that another agent made.
func (m *machine) calledBy(c *said, id word) bool {
	h := m.past
	if h.started.ever(callKey(c.agent, id)) {
		m.count[subagentsCallID]++
		return true
	}
	other, ok := h.called(id)
	if !ok {
		return false
	}
	m.count[subagentsCallID]++
	m.add(subagentsCallID, c.place(), "the tool call that starts a sub-agent was made by another agent",
		show(c.agent.name), show(other.by))
	return true
}

// startedLate finds the call of a sub-agent that is at work already.
func (m *machine) startedLate(c *said, id word) {
	h := m.past
	if len(h.kids.items) == 0 || !h.whole || h.started.lost {
		return
	}
	k, ok := h.kids.find(func(k *kid) bool {
		return !k.called && k.call.hash == id.hash && k.parent == c.agent.key
	})
	if !ok {
		return
	}
	k.called = true
	m.count[subagentsCallID]++
	m.add(subagentsCallID, c.place(), "the tool call that starts a sub-agent comes after the sub-agent",
		"tool_start before subagent_start", "tool_start of "+show(id.start)+" after it")
}

func (m *machine) subagentEnd(c *said) {
	h, session := m.past, c.word("subSessionId")
	if !session.ok {
		return
	}
	defer h.gone(session.hash)
	if !m.apart(c, session) {
		return
	}
	k, ok := h.kids.get(session.hash)
	if !ok {
		m.endsNobody(c, session)
		return
	}
	m.count[subagentsPaired]++
	if !k.called && h.whole && !h.started.lost { // nobody made the call: the id was made up
		m.count[subagentsCallID]++
	}
	if differs := k.differs(c); len(differs) > 0 {
		m.add(subagentsPaired, c.place(), "a subagent_end differs from its subagent_start in "+strings.Join(differs, ", "),
			k.shown(), fmt.Sprintf("%s of %s, call %s, by %s", show(c.word("subAgentType").start), show(session.start),
				show(c.word("callId").start), show(c.agent.name)))
	}
	m.leaves(c, k)
}

// gone forgets a sub-agent that has ended.
func (h *history) gone(key uint64) {
	h.kids.drop(key)
	h.agents.drop(key)
	h.states.drop(key)
	h.finished.add(key)
}

// differs lists the members in which an end isn't that of the start.
func (k *kid) differs(c *said) []string {
	var names []string
	if call := c.word("callId"); call.ok && call.hash != k.call.hash {
		names = append(names, "callId")
	}
	if kind := c.word("subAgentType"); kind.ok && k.kind.ok && kind.hash != k.kind.hash {
		names = append(names, "subAgentType")
	}
	if c.agent.key != k.parent {
		names = append(names, "agentId")
	}
	return names
}

func (k *kid) shown() string {
	return fmt.Sprintf("%s of %s, call %s, by %s", show(k.kind.start), show(k.name), show(k.call.start), show(k.by))
}

// endsNobody judges the end of a sub-agent that isn't at work.
func (m *machine) endsNobody(c *said, session word) {
	h := m.past
	switch {
	case h.finished.now(session.hash):
		m.count[subagentsPaired]++
		m.add(subagentsPaired, c.place(), "a sub-agent ends twice",
			"one subagent_end", "another for "+show(session.start))
	case !h.whole || h.announced.ever(session.hash) || h.announced.lost:
	default:
		m.count[subagentsPaired]++
		m.add(subagentsPaired, c.place(), "a sub-agent ends that was never started", "a subagent_start before it",
			"none for "+show(session.start))
	}
}

// leaves compares the result with what the sub-agent put out. What one that
// failed left open stays open.
func (m *machine) leaves(c *said, k *kid) {
	h := m.past
	a, ok := h.agents.get(k.key)
	if ok {
		m.kept(a)
	}
	result, there := c.members["result"]
	if ok && a.output != nil && there {
		m.count[subagentsResult]++
		if digest(result) != a.output.digest {
			m.add(subagentsResult, c.place(), "the result of a sub-agent isn't what it put out",
				a.output.text, show(result))
		}
		return
	}
	if !ok {
		a = &agent{key: k.key}
	}
	if result == nil || a.fatal {
		h.abandon(a)
	}
}

// kidsEnded finds sub-agents that are at work when the stream ends well.
func (m *machine) kidsEnded(f *wire.Frame) {
	h := m.past
	keys := h.kids.keys()
	if len(keys) > 0 || len(h.finished.ages) > 0 {
		m.count[subagentsEnded]++
	}
	if len(keys) > 0 {
		first := h.kids.items[keys[0]].value
		m.add(subagentsEnded, placeOf(f), "the stream ends while a sub-agent is at work",
			"a subagent_end for "+show(first.name),
			fmt.Sprintf("none; %d at work", len(keys)))
	}
}
