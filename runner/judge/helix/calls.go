package helix

import (
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// A call is a tool call that has begun and not ended.
type call struct {
	key, id uint64
	agent   uint64     // key of the agent that made it
	by      string     // its name
	text    string     // the call's id
	name    judge.Word // of the tool
	time    judge.Number
	step    judge.Number
}

// An ask is a request for approval that no call has been seen for.
type ask struct {
	agent uint64
	text  string // the call's id
	at    judge.Place
}

// callKey is the key of a call: an id is an agent's own.
func callKey(a *agent, id judge.Word) uint64 { return judge.Pair(a.key, id.Hash) }

func (m *machine) toolStart(c *said) {
	id, h := c.word("toolCallId"), m.past
	if !id.OK {
		return
	}
	key := callKey(c.agent, id)
	before := h.started.Ever(key)
	m.Unique(toolsUniqueID, c.place(), &h.started, key, "a tool call begins with an id that its agent has used before",
		"an id of its own", id.Shown)
	m.answered(id)
	if !before {
		m.startedLate(c, id)
	}
	h.started.Add(id.Hash)
	h.calls.Put(key, &call{
		key: key, id: id.Hash, agent: c.agent.key, by: c.agent.name, text: id.Start, name: c.word("toolName"), time: c.time, step: c.step,
	})
}

func (m *machine) toolEnd(c *said) {
	m.success(c)
	id, h := c.word("toolCallId"), m.past
	if !id.OK {
		return
	}
	m.answered(id)
	key := callKey(c.agent, id)
	open, ok := h.calls.Get(key)
	if !ok {
		open, ok = h.called(id)
	}
	if ok {
		m.ends(c, open)
	} else {
		m.endsNothing(c, id, key)
	}
	h.ended.Add(key)
	h.ended.Add(id.Hash)
}

// called returns the oldest open call of that id, whoever made it.
func (h *history) called(id judge.Word) (*call, bool) {
	if !h.started.Ever(id.Hash) && !h.started.Lost() {
		return nil, false // without a look at each
	}
	return h.calls.Find(func(o *call) bool { return o.id == id.Hash })
}

// ends compares the end of a call with its start.
func (m *machine) ends(c *said, open *call) {
	m.past.calls.Drop(open.key)
	m.past.ended.Add(open.key)
	m.Saw(toolsStartFirst)
	m.Saw(toolsEndOnce)
	m.Same(toolsSameAgent, c.place(), "a tool call is ended by another agent than the one that made it",
		judge.Word{Hash: open.agent, Start: open.by, OK: true}, c.agent.word())
	m.Same(toolsSameName, c.place(), "a tool call ends with another tool's name", open.name, c.word("toolName"))
	if c.time.OK {
		m.Ascends(toolsClock, c.place(), judge.Order{
			Message: "a tool call ends before it began", Want: "a timestamp of at least %d", Equal: true,
		}, open.time, c.time.N)
	}
}

func toolBrackets() judge.Brackets {
	return judge.Brackets{
		Paired: toolsStartFirst, Once: toolsEndOnce, Closed: toolsEnded, Start: "tool_start", End: "tool_end",
		NeverBegan: "a tool call ends that never began", Twice: "a tool call ends twice",
		LeftOpen: "the stream ends while a tool call is open", Missing: "a tool_end for %s", Open: "none; %d open in all",
	}
}

// endsNothing judges an end whose call isn't open. It may have been given up, or
// begun where nobody looked.
func (m *machine) endsNothing(c *said, id judge.Word, key uint64) {
	h := m.past
	again := h.ended.Now(key) || h.whole && h.ended.Now(id.Hash) && !h.started.Ever(key)
	unknown := h.started.Ever(key) || h.ended.Ever(key) || h.started.Lost() || h.ended.Lost() || !h.whole
	m.Unopened(toolBrackets(), c.place(), again, !unknown, id.Start)
}

// success checks that a call either succeeded or says why not.
func (m *machine) success(c *said) {
	success, isFlag := c.members["success"].(bool)
	text, isText := c.members["error"].(string)
	if !isFlag || !isText && c.members["error"] != nil {
		return
	}
	m.Saw(toolsOutcome)
	switch {
	case success && text != "":
		m.Breach(toolsOutcome, c.place(), "a call that succeeded has an error", "no error", judge.Show(text))
	case !success && text == "":
		m.Breach(toolsOutcome, c.place(), "a call that failed doesn't say why",
			"a text in error", judge.Show(c.members["error"]))
	}
}

// callsEnded finds calls that are open when the stream ends well.
func (m *machine) callsEnded(f *wire.Frame) {
	h := m.past
	oldest, _ := h.calls.Oldest()
	m.AllClosed(toolBrackets(), judge.At(f), h.ended.Any(), h.calls.Len(), func() string { return oldest.text })
	for _, a := range h.asks.All() {
		m.Saw(approvalRequestMembers)
		m.Breach(approvalRequestMembers, a.at, "a request for approval names a call that never comes",
			"a tool_start or tool_end for it", "none for "+judge.Show(a.text))
	}
}

func (m *machine) approval(c *said) {
	id, h := c.word("toolCallId"), m.past
	if !id.OK || !h.whole || h.started.Lost() || h.started.Ever(id.Hash) {
		return
	}
	h.asks.Put(id.Hash, ask{c.agent.key, id.Start, c.place()})
}

// answered notes that the call of a request has been seen.
func (m *machine) answered(id judge.Word) { m.past.asks.Drop(id.Hash) }
