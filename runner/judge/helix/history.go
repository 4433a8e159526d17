package helix

import (
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// history is what a produced stream has said, as far as what follows is compared
// with it: what is open, and which names were used. Its size is bounded: of the
// names at most maxSeen of a kind, of what is open at most maxOpen, of texts their
// hashes.
type history struct {
	sure  bool // the head says that nothing comes before the first chunk
	begun bool
	whole bool   // nothing that lies before the last chunk is unknown
	last  number // its position
	root  uint64 // key of the root agent, 0 as long as it isn't known
	eras  int64

	agents opened[*agent]
	states opened[*document] // of agents, by their keys
	calls  opened[*call]
	kids   opened[*kid]
	asks   opened[ask]

	started   seen // calls, by agent and id, and by id alone
	ended     seen // calls, likewise
	announced seen // sub-agents
	finished  seen // sub-agents
	marks     seen // checkpoints that were created
	known     seen // checkpoints that were named by a chunk that knows them
	steps     seen // steps that were committed or discarded
	points    []checkpoint
}

// An agent is what is remembered of one that the stream has chunks of.
type agent struct {
	key        uint64
	name       string
	step       number // of its last chunk that has one
	time       number
	run        word // runId of its last chunk that has one
	block      *block
	inside     bool // its first increment may not be a block's first
	fatal      bool
	failure    word // text of its fatal error
	output     *output
	stopped    bool // interrupted, and not resumed yet
	stoppedRun word
	paused     bool
	stray      bool   // nobody started it
	covered    number // steps that its last checkpoint covers
	marked     number // stepCount of its last checkpoint
	awaits     bool   // nothing but its next run can go on
	patched    number // position of its last patch
}

// said is one chunk of a known type.
type said struct {
	f       *wire.Frame
	kind    string
	seq     number
	members map[string]any
	agent   *agent
	step    number
	time    number
	content bool // what an agent says or does, not what is said about it
}

func (c *said) place() place { return placeOf(c.f) }

func (c *said) word(member string) word { return wordOf(c.members[member]) }

func (c *said) number(member string) number { return integer(c.members[member]) }

func isContent(kind string) bool {
	switch kind {
	case "text_delta", "thinking", "tool_start", "output":
		return true
	}
	return false
}

// attach takes from the head whether the response shows the stream from its start.
func (h *history) attach(head judge.Head) {
	fromStart := !head.HasCursor || head.Cursor == "" || decimal(head.Cursor) == number{0, true}
	h.sure = head.Status != 0 && !head.Removed && fromStart
}

// advance takes the position of the next chunk. Where the head doesn't say that
// nothing is missing, only numbers without a gap from the stream's first do.
func (h *history) advance(seq number) {
	switch {
	case h.sure:
		h.whole = h.whole || !h.begun
	case !h.begun:
		h.whole = seq.ok && seq.n <= 1
	case !seq.ok || !h.last.ok || seq.n != h.last.n+1:
		h.lose()
	}
	h.begun, h.last = true, seq
}

// lose takes a gap, in which anything may have been said.
func (h *history) lose() {
	if h.whole || h.last.ok { // without numbers there is no gap to see
		h.restart()
		h.unname()
		for i := range h.points {
			h.points[i].kept = false
		}
	}
	h.whole = false
}

// forget drops what is open: nobody will say how it ended.
func (h *history) forget() {
	h.calls.clear()
	h.kids.clear()
	h.asks.clear()
	h.agents.each(func(a *agent) { a.block = nil })
}

// restart forgets everything that a step back in the stream makes obsolete.
func (h *history) restart() {
	h.forget()
	h.agents.clear()
	h.states.clear()
	for _, s := range []*seen{&h.started, &h.ended, &h.announced, &h.finished} {
		s.past()
	}
}

// unname forgets what checkpoints and steps were called: chunks that said so may be gone. A return to a checkpoint alone
// removes nothing.
func (h *history) unname() {
	h.marks.past()
	h.steps.past()
}

// abandon drops what an agent, and if it is the root everybody, has open.
func (h *history) abandon(a *agent) {
	if a.key == h.root || h.root == 0 {
		h.forget()
		return
	}
	a.block = nil
	h.calls.dropIf(func(c *call) bool { return c.agent == a.key })
	h.asks.dropIf(func(k ask) bool { return k.agent == a.key })
	children := []uint64{}
	h.kids.dropIf(func(k *kid) bool {
		if k.parent == a.key {
			children = append(children, k.key)
		}
		return k.parent == a.key
	})
	for _, key := range children {
		if c, ok := h.agents.items[key]; ok { // without making it younger
			h.abandon(c.value)
		} else {
			h.abandon(&agent{key: key})
		}
	}
}

// maxStates is how many agents' states are followed at a time.
const maxStates = 32

// state returns what is known of an agent's state.
func (h *history) state(key uint64) *document {
	if d, ok := h.states.get(key); ok {
		return d
	}
	return h.begin(key, unknown())
}

// begin makes a document an agent's state. What it holds is shared.
func (h *history) begin(key uint64, d document) *document {
	d.age(&h.eras)
	h.states.most = maxStates
	h.states.put(key, &d)
	return &d
}

// theAgent returns what is remembered of an agent.
func (h *history) theAgent(id string) *agent {
	w := wordOf(id)
	if a, ok := h.agents.get(w.hash); ok {
		return a
	}
	a := &agent{key: w.hash, name: w.start, inside: !h.whole || h.agents.lost}
	h.agents.put(w.hash, a)
	return a
}

// tell compares a chunk with the ones before it.
func (m *machine) tell(f *wire.Frame, v verdict, chunk any, seq number) {
	h := m.past
	if h == nil {
		return
	}
	first := !h.begun
	h.advance(seq)
	members, _ := chunk.(map[string]any)
	id, _ := members["agentId"].(string)
	if !v.ChunkKnown || id == "" {
		return
	}
	if v.ChunkType == "stream_resync" {
		m.resync(f, members, id, seq)
	}
	c := &said{
		f: f, kind: v.ChunkType, seq: seq, members: members, agent: h.theAgent(id),
		step: integer(members["step"]), time: integer(members["timestamp"]), content: isContent(v.ChunkType),
	}
	if first && h.whole {
		h.root = c.agent.key
		if m.o.State != nil {
			h.begin(h.root, documentOf(m.o.State))
		}
	}
	if !c.ofItself() && !m.belongs(c) {
		return
	}
	m.pace(c)
	m.follows(c)
	m.hear(c)
}

// hear takes what the chunk itself says.
func (m *machine) hear(c *said) {
	switch c.kind {
	case "text_delta":
		m.delta(c)
	case "thinking":
		m.thinking(c)
	case "tool_start":
		m.toolStart(c)
	case "tool_end":
		m.toolEnd(c)
	case "tool_approval_request":
		m.approval(c)
	case "subagent_start":
		m.subagentStart(c)
	case "subagent_end":
		m.subagentEnd(c)
	case "state_patch":
		m.statePatch(c)
	case "error":
		m.failed(c)
	case "output":
		m.put(c)
	case "run_interrupted":
		m.interrupted(c)
	case "run_paused":
		m.paused(c)
	case "run_resumed":
		m.resumed(c)
	case "executor_superseded":
		m.past.forget()
	case "checkpoint_created":
		m.checkpoint(c)
	case "step_committed":
		m.past.known.add(c.word("checkpointId").hash)
		m.settled(c)
	case "step_discarded":
		m.settled(c)
		m.past.abandon(c.agent)
	}
}

// conclude compares the frame that finishes the stream with what was said.
func (m *machine) conclude(f *wire.Frame, well bool, object map[string]any) {
	h := m.past
	if h == nil {
		return
	}
	if !h.sure && !m.o.Bare && !m.isBare() && decimal(f.ID) != (number{h.last.n + 1, h.last.ok}) {
		h.lose()
	}
	if root, ok := h.agents.get(h.root); ok && h.root != 0 {
		m.outcome(f, root, well, object)
	}
	if !well {
		return
	}
	m.callsEnded(f)
	m.kidsEnded(f)
	m.blocksClosed(f)
}
