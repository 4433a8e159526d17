package helix

import (
	"github.com/streamcert/streamcert/runner/fold"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/patch"
	"github.com/streamcert/streamcert/runner/wire"
)

// history is the part of a produced stream's past that later chunks are compared with: the fold of its chunks, and the ids
// that were used.
type history struct {
	*fold.Fold

	started  judge.Seen // calls, by agent and id, and by id alone
	ended    judge.Seen // calls, likewise
	finished judge.Seen // sub-agents
	marks    judge.Seen // checkpoints that were created
	known    judge.Seen // checkpoints that were named by a chunk that knows them
	steps    judge.Seen // steps that were committed or discarded
}

func newHistory(o judge.Options) *history {
	return &history{Fold: fold.New(fold.Options{State: o.State, Limits: fold.Limits{
		States: 32, Points: 64, StoredStates: 8,
		// A state that grows beyond these, or that is more work than the budget of its stream, which lasts about a second,
		// isn't followed any more.
		State: patch.Limits{Bytes: 2 << 20, Values: 40_000, Budget: patch.NewBudget(1 << 28)},
	}})}
}

// object is a chunk, decoded.
type object map[string]any

// Member implements fold.Members.
func (o object) Member(name string) (value any, there bool) {
	value, there = o[name]
	return value, there
}

// producedChunk is one chunk of a known type.
type producedChunk struct {
	fold.Chunk
	f       *wire.Frame
	members object
	content bool // content of an agent, as opposed to control chunks
}

func (c *producedChunk) position() judge.Position { return judge.At(c.f) }

func (c *producedChunk) word(member string) judge.Word { return judge.WordOf(c.members[member]) }

func (c *producedChunk) number(member string) judge.Number { return judge.Integer(c.members[member]) }

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
	h.Attach(head.Status != 0 && !head.Removed && fromStart)
}

// restarted releases the ids of calls and sub-agents: their earlier uses are obsolete.
func (h *history) restarted() {
	h.started.Age()
	h.ended.Age()
	h.finished.Age()
}

// removed also releases the ids of checkpoints and steps: the chunks with them may have been removed. A rollback alone
// removes nothing.
func (h *history) removed() {
	h.restarted()
	h.marks.Age()
	h.steps.Age()
}

// tell compares a chunk with the ones before it.
func (p *production) tell(f *wire.Frame, v judge.Verdict, chunk any, seq judge.Number) {
	if p == nil {
		return
	}
	h := p.past
	if h.Advance(seq) {
		h.removed()
	}
	whole, _ := chunk.(map[string]any)
	id, _ := whole["agentId"].(string)
	if !v.ChunkKnown || id == "" {
		return
	}
	own := object(whole)
	c := &producedChunk{f: f, members: own, content: isContent(v.ChunkType), Chunk: fold.Chunk{
		Kind: v.ChunkType, AgentID: id, Run: judge.WordOf(own["runId"]), Seq: seq, Step: judge.Integer(own["step"]),
		Time: judge.Integer(own["timestamp"]), Length: len(f.Data), Members: own,
	}}
	if c.Kind == "stream_resync" {
		p.resync(c)
	}
	h.Meet(&c.Chunk)
	if !c.ofItself() && !p.belongs(c) {
		return
	}
	p.pace(c)
	p.follows(c)
	p.judgeChunk(c)
}

// judgeChunk compares the chunk with the history, and adds it.
func (p *production) judgeChunk(c *producedChunk) {
	called := false
	switch c.Kind {
	case "text_delta":
		p.delta(c)
	case "thinking":
		p.thinking(c)
	case "tool_start":
		p.toolStart(c)
	case "tool_end":
		p.toolEnd(c)
	case "tool_approval_request":
		p.approval(c)
	case "subagent_start":
		called = p.subagentStart(c)
	case "subagent_end":
		p.subagentEnd(c)
	case "output":
		p.put(c)
	case "run_interrupted":
		p.interrupted(c)
	case "run_resumed":
		p.resumed(c)
	case "checkpoint_created":
		p.checkpoint(c)
	case "step_committed":
		p.past.known.Add(c.word("checkpointId").Hash)
		p.settled(c)
	case "step_discarded":
		p.settled(c)
	}
	effect := p.past.Take(&c.Chunk)
	switch {
	case c.Kind == "state_patch":
		p.statePatch(c, effect)
	case effect.SubAgent != nil && called:
		effect.SubAgent.Called = true
	}
}

// conclude compares the terminal frame with the stream.
func (p *production) conclude(f *wire.Frame, well bool, object map[string]any) {
	if p == nil {
		return
	}
	h := p.past
	last := h.Last()
	if !h.Sure() && !p.Options.Bare && p.Options.Profile != judge.BareChunks && judge.Decimal(f.ID) != (judge.Number{N: last.N + 1, OK: last.OK}) && h.Gap() {
		h.removed()
	}
	if root, ok := h.Agents.Get(h.Root); ok && h.Root != 0 {
		p.outcome(f, root, well, object)
	}
	if !well {
		return
	}
	p.callsEnded(f)
	p.subagentsAllEnded(f)
	p.blocksClosed(f)
}
