package helix

import (
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/patch"
	"github.com/streamcert/streamcert/runner/wire"
)

// history is what a produced stream has said, as far as what follows is compared
// with it: what is open, and which names were used. Its size is bounded: of the
// names at most maxSeen of a kind, of what is open at most maxOpen, of texts their
// hashes.
type history struct {
	sure  bool // the head says that nothing comes before the first chunk
	begun bool
	whole bool         // nothing that lies before the last chunk is unknown
	last  judge.Number // its position
	root  uint64       // key of the root agent, 0 as long as it isn't known

	agents    judge.Opened[*agent]
	states    judge.Opened[*patch.Document] // of agents, by their keys
	calls     judge.Opened[*call]
	subAgents judge.Opened[*subAgent]
	asks      judge.Opened[ask]

	started   judge.Seen // calls, by agent and id, and by id alone
	ended     judge.Seen // calls, likewise
	announced judge.Seen // sub-agents
	finished  judge.Seen // sub-agents
	marks     judge.Seen // checkpoints that were created
	known     judge.Seen // checkpoints that were named by a chunk that knows them
	steps     judge.Seen // steps that were committed or discarded
	points    []checkpoint
	work      *patch.Budget // of the patches, nil before the first
}

// An agent is what is remembered of one that the stream has chunks of.
type agent struct {
	key        uint64
	name       string
	step       judge.Number // of its last chunk that has one
	time       judge.Number
	run        judge.Word // runId of its last chunk that has one
	block      *judge.Sum // reasoning of which increments came and not yet the whole
	inside     bool       // its first increment may not be a block's first
	fatal      bool
	failure    judge.Word // text of its fatal error
	output     *output
	stopped    bool       // interrupted, and not resumed yet
	stoppedRun judge.Word // runId of its last interruption or pause
	paused     bool
	stray      bool         // nobody started it
	covered    judge.Number // steps that its last checkpoint covers
	marked     judge.Number // stepCount of its last checkpoint
	awaits     bool         // nothing but its next run can go on
	patched    judge.Number // position of its last patch
	extents    []extent     // where its last steps end
}

// word is the agent's name.
func (a *agent) word() judge.Word { return judge.Word{Hash: a.key, Start: a.name, OK: true} }

// said is one chunk of a known type.
type said struct {
	f       *wire.Frame
	kind    string
	seq     judge.Number
	members map[string]any
	agent   *agent
	step    judge.Number
	time    judge.Number
	content bool // what an agent says or does, not what is said about it
}

func (c *said) place() judge.Place { return judge.At(c.f) }

func (c *said) word(member string) judge.Word { return judge.WordOf(c.members[member]) }

func (c *said) number(member string) judge.Number { return judge.Integer(c.members[member]) }

func isContent(kind string) bool {
	switch kind {
	case "text_delta", "thinking", "tool_start", "output":
		return true
	}
	return false
}

// attach takes from the head whether the response shows the stream from its start.
func (h *history) attach(head judge.Head) {
	fromStart := !head.HasCursor || head.Cursor == "" || judge.Decimal(head.Cursor) == judge.Number{OK: true}
	h.sure = head.Status != 0 && !head.Removed && fromStart
}

// advance takes the position of the next chunk. Where the head doesn't say that
// nothing is missing, only numbers without a gap from the stream's first do.
func (h *history) advance(seq judge.Number) {
	switch {
	case h.sure:
		h.whole = h.whole || !h.begun
	case !h.begun:
		h.whole = seq.OK && seq.N <= 1
	case !seq.OK || !h.last.OK || seq.N != h.last.N+1:
		h.lose()
	}
	h.begun, h.last = true, seq
}

// lose takes a gap, in which anything may have been said.
func (h *history) lose() {
	if h.whole || h.last.OK { // without numbers there is no gap to see
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
	h.calls.Clear()
	h.subAgents.Clear()
	h.asks.Clear()
	h.agents.Each(func(a *agent) { a.block = nil })
}

// restart forgets everything that a step back in the stream makes obsolete.
func (h *history) restart() {
	h.forget()
	h.agents.Clear()
	h.states.Clear()
	for _, s := range []*judge.Seen{&h.started, &h.ended, &h.announced, &h.finished} {
		s.Age()
	}
}

// unname forgets what checkpoints and steps were called: chunks that said so may be gone. A return to a checkpoint alone
// removes nothing.
func (h *history) unname() {
	h.marks.Age()
	h.steps.Age()
}

// abandon drops what an agent, and if it is the root everybody, has open.
func (h *history) abandon(a *agent) {
	if a.key == h.root || h.root == 0 {
		h.forget()
		return
	}
	a.block = nil
	h.calls.DropIf(func(c *call) bool { return c.agent == a.key })
	h.asks.DropIf(func(k ask) bool { return k.agent == a.key })
	children := []uint64{}
	h.subAgents.DropIf(func(k *subAgent) bool {
		if k.parent == a.key {
			children = append(children, k.key)
		}
		return k.parent == a.key
	})
	for _, key := range children {
		if c, ok := h.agents.Peek(key); ok { // without making it younger
			h.abandon(c)
		} else {
			h.abandon(&agent{key: key})
		}
	}
}

// theAgent returns what is remembered of an agent.
func (h *history) theAgent(id string) *agent {
	w := judge.WordOf(id)
	if a, ok := h.agents.Get(w.Hash); ok {
		return a
	}
	a := &agent{key: w.Hash, name: w.Start, inside: !h.whole || h.agents.Lost()}
	h.agents.Put(w.Hash, a)
	return a
}

// tell compares a chunk with the ones before it.
func (m *machine) tell(f *wire.Frame, v judge.Verdict, chunk any, seq judge.Number) {
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
		step: judge.Integer(members["step"]), time: judge.Integer(members["timestamp"]), content: isContent(v.ChunkType),
	}
	if first && h.whole {
		h.root = c.agent.key
		if m.Options.State != nil {
			h.begin(h.root, h.stateOf(m.Options.State))
		}
	}
	if !c.ofItself() && !m.belongs(c) {
		return
	}
	m.pace(c)
	m.past.extend(c)
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
		m.past.known.Add(c.word("checkpointId").Hash)
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
	if !h.sure && !m.Options.Bare && !m.isBare() && judge.Decimal(f.ID) != (judge.Number{N: h.last.N + 1, OK: h.last.OK}) {
		h.lose()
	}
	if root, ok := h.agents.Get(h.root); ok && h.root != 0 {
		m.outcome(f, root, well, object)
	}
	if !well {
		return
	}
	m.callsEnded(f)
	m.subagentsAllEnded(f)
	m.blocksClosed(f)
}
