package helix

import (
	"fmt"
	"strconv"

	"github.com/streamcert/streamcert/runner/wire"
)

// A call is a tool call that has begun and not ended.
type call struct {
	key, id uint64
	agent   uint64 // key of the agent that made it
	by      string // its name
	text    string // the call's id
	name    word   // of the tool
	time    number
}

// An ask is a request for approval that no call has been seen for.
type ask struct {
	agent uint64
	text  string // the call's id
	at    place
}

// callKey is the key of a call: an id is an agent's own.
func callKey(a *agent, id word) uint64 { return pair(a.key, id.hash) }

func (m *machine) toolStart(c *said) {
	id, h := c.word("toolCallId"), m.past
	if !id.ok {
		return
	}
	key := callKey(c.agent, id)
	again := h.started.now(key)
	m.count[toolsUniqueID]++
	if again {
		m.add(toolsUniqueID, c.place(), "a tool call begins with an id that its agent has used before",
			"an id of its own", show(id.start))
	}
	m.answered(id)
	if !again && !h.started.ever(key) {
		m.startedLate(c, id)
	}
	h.started.add(key)
	h.started.add(id.hash)
	h.calls.put(key, &call{
		key: key, id: id.hash, agent: c.agent.key, by: c.agent.name, text: id.start, name: c.word("toolName"), time: c.time,
	})
}

func (m *machine) toolEnd(c *said) {
	m.success(c)
	id, h := c.word("toolCallId"), m.past
	if !id.ok {
		return
	}
	m.answered(id)
	key := callKey(c.agent, id)
	open, ok := h.calls.get(key)
	if !ok {
		open, ok = h.called(id)
	}
	if ok {
		m.ends(c, open)
	} else {
		m.endsNothing(c, id, key)
	}
	h.ended.add(key)
	h.ended.add(id.hash)
}

// called returns the oldest open call of that id, whoever made it.
func (h *history) called(id word) (*call, bool) {
	if !h.started.ever(id.hash) && !h.started.lost {
		return nil, false // without a look at each
	}
	return h.calls.find(func(o *call) bool { return o.id == id.hash })
}

// ends compares the end of a call with its start.
func (m *machine) ends(c *said, open *call) {
	m.past.calls.drop(open.key)
	m.past.ended.add(open.key)
	m.count[toolsStartFirst]++
	m.count[toolsEndOnce]++
	m.count[toolsSameAgent]++
	if open.agent != c.agent.key {
		m.add(toolsSameAgent, c.place(), "a tool call is ended by another agent than the one that made it",
			show(open.by), show(c.agent.name))
	}
	if name := c.word("toolName"); name.ok && open.name.ok {
		m.count[toolsSameName]++
		if name.hash != open.name.hash {
			m.add(toolsSameName, c.place(), "a tool call ends with another tool's name",
				show(open.name.start), show(name.start))
		}
	}
	if c.time.ok && open.time.ok {
		m.count[toolsClock]++
		if c.time.n < open.time.n {
			m.add(toolsClock, c.place(), "a tool call ends before it began",
				fmt.Sprintf("a timestamp of at least %d", open.time.n), strconv.FormatInt(c.time.n, 10))
		}
	}
}

// endsNothing judges an end whose call isn't open.
func (m *machine) endsNothing(c *said, id word, key uint64) {
	h := m.past
	switch {
	case h.ended.now(key), h.whole && h.ended.now(id.hash) && !h.started.ever(key):
		m.count[toolsEndOnce]++
		m.add(toolsEndOnce, c.place(), "a tool call ends twice", "one tool_end", "another for "+show(id.start))
	case h.started.ever(key), h.ended.ever(key), h.started.lost, h.ended.lost, !h.whole:
		// it was given up, or began where nobody looked
	default:
		m.count[toolsStartFirst]++
		m.add(toolsStartFirst, c.place(), "a tool call ends that never began",
			"a tool_start before it", "none for "+show(id.start))
	}
}

// success checks that a call either succeeded or says why not.
func (m *machine) success(c *said) {
	success, isFlag := c.members["success"].(bool)
	text, isText := c.members["error"].(string)
	if !isFlag || !isText && c.members["error"] != nil {
		return
	}
	m.count[toolsOutcome]++
	switch {
	case success && text != "":
		m.add(toolsOutcome, c.place(), "a call that succeeded has an error", "no error", show(text))
	case !success && text == "":
		m.add(toolsOutcome, c.place(), "a call that failed doesn't say why",
			"a text in error", show(c.members["error"]))
	}
}

// callsEnded finds calls that are open when the stream ends well.
func (m *machine) callsEnded(f *wire.Frame) {
	h := m.past
	keys := h.calls.keys()
	if len(keys) > 0 || len(h.ended.ages) > 0 {
		m.count[toolsEnded]++
	}
	if len(keys) > 0 {
		first := h.calls.items[keys[0]].value
		m.add(toolsEnded, placeOf(f), "the stream ends while a tool call is open",
			"a tool_end for "+show(first.text),
			fmt.Sprintf("none; %d open in all", len(keys)))
	}
	for _, key := range h.asks.keys() {
		a := h.asks.items[key].value
		m.count[approvalRequestMembers]++
		m.add(approvalRequestMembers, a.at, "a request for approval names a call that never comes",
			"a tool_start or tool_end for it", "none for "+show(a.text))
	}
}

func (m *machine) approval(c *said) {
	id, h := c.word("toolCallId"), m.past
	if !id.ok || !h.whole || h.started.lost || h.started.ever(id.hash) {
		return
	}
	h.asks.put(id.hash, ask{c.agent.key, id.start, c.place()})
}

// answered notes that the call of a request has been seen.
func (m *machine) answered(id word) { m.past.asks.drop(id.hash) }
