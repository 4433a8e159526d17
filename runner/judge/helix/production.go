package helix

import (
	"github.com/streamcert/streamcert/runner/fold"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/patch"
	"github.com/streamcert/streamcert/runner/wire"
)

// production judges the chunks of a server that produces its stream against the chunks before them. Each chapter of the
// spec has a type for its rules, which has the ids that its rules compare; all compare with the fold. A nil production
// is that of a server that only relays, and judges nothing.
//
// Invariant: past has taken every chunk before the one that is judged, and none after it.
type production struct {
	found *judge.Base // that of the machine, shared with all rules
	past  *fold.Fold  // shared with all rules, which only read it

	calls       callRules       // chapters tools and approval
	checkpoints checkpointRules // chapters checkpoints and resync
	outcomes    outcomeRules    // chapters errors and output
	reasoning   reasoningRules  // chapters text and thinking
	runs        runRules        // chapter runs
	state       stateRules      // chapter state
	subAgents   subAgentRules   // chapter subagents; it uses calls
}

func newProduction(found *judge.Base, o judge.Options) *production {
	past := fold.New(fold.Options{State: o.State, Limits: fold.Limits{
		States: 32, Points: 64, StoredStates: 8,
		// A state that grows beyond these, or that is more work than the budget of its stream, which lasts about a second,
		// isn't followed any more.
		State: patch.Limits{Bytes: 2 << 20, Values: 40_000, Budget: patch.NewBudget(1 << 28)},
	}})
	p := &production{
		found: found, past: past,
		calls: callRules{Base: found, past: past}, checkpoints: checkpointRules{Base: found, past: past},
		outcomes: outcomeRules{found, past}, reasoning: reasoningRules{found, past}, runs: runRules{Base: found, past: past},
		state: stateRules{found}, subAgents: subAgentRules{Base: found, past: past},
	}
	p.subAgents.calls = &p.calls
	return p
}

// attach reads from the head whether the response shows the stream from its start.
func (p *production) attach(head judge.Head) {
	fromStart := !head.HasCursor || head.Cursor == "" || judge.Decimal(head.Cursor) == judge.Number{OK: true}
	p.past.Attach(head.Status != 0 && !head.Removed && fromStart)
}

// restarted releases the ids of calls and sub-agents: their earlier uses are obsolete.
func (p *production) restarted() {
	p.calls.restarted()
	p.subAgents.finished.Age()
}

// removed also releases the ids of checkpoints and steps: the chunks with them may have been removed. A rollback alone
// removes nothing.
func (p *production) removed() {
	p.restarted()
	p.checkpoints.marks.Age()
	p.runs.steps.Age()
}

// truncated takes a truncated frame: earlier chunks may have been removed.
func (p *production) truncated() {
	if p != nil {
		p.past.Removed()
		p.removed()
	}
}

// tell compares a chunk with the ones before it.
func (p *production) tell(f *wire.Frame, v judge.Verdict, chunk any, seq judge.Number) {
	if p == nil {
		return
	}
	h := p.past
	if h.Advance(seq) {
		p.removed()
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
		p.checkpoints.resync(c)
		p.restarted()
	}
	h.Meet(&c.Chunk)
	if !c.ofItself() && !p.subAgents.belongs(c) {
		return
	}
	p.runs.pace(c)
	p.outcomes.follows(c)
	if c.content {
		p.runs.running(c)
	}
	p.judgeChunk(c)
}

// judgeChunk compares the chunk with the history, and adds it.
func (p *production) judgeChunk(c *producedChunk) {
	called := false
	switch c.Kind {
	case "text_delta":
		p.reasoning.delta(c)
	case "thinking":
		p.reasoning.thinking(c)
	case "tool_start":
		if p.calls.toolStart(c) {
			p.subAgents.startedAfterWork(c)
		}
	case "tool_end":
		p.calls.toolEnd(c)
	case "tool_approval_request":
		p.calls.approval(c)
	case "subagent_start":
		called = p.subAgents.subagentStart(c)
	case "subagent_end":
		p.subAgents.subagentEnd(c)
	case "output":
		if value, there := c.members["output"]; there {
			p.reasoning.blockOpen(c.Agent, c.position(), "its output")
			p.outcomes.put(c, value)
		}
	case "run_interrupted":
		p.checkpoints.interrupted(c)
	case "run_resumed":
		p.runs.resumed(c)
		p.checkpoints.from(c)
	case "checkpoint_created":
		p.checkpoints.checkpoint(c)
	case "step_committed":
		p.checkpoints.known.Add(c.word("checkpointId").Hash)
		p.runs.settled(c)
	case "step_discarded":
		p.runs.settled(c)
	}
	effect := p.past.Take(&c.Chunk) // after the rules, which compare with the chunks before
	switch {
	case c.Kind == "state_patch":
		p.state.statePatch(c, effect)
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
	if !h.Sure() && !p.found.Options.Bare && p.found.Options.Profile != judge.BareChunks && judge.Decimal(f.ID) != (judge.Number{N: last.N + 1, OK: last.OK}) && h.Gap() {
		p.removed()
	}
	if root, ok := h.Agents.Get(h.Root); ok && h.Root != 0 {
		p.outcomes.outcome(f, root, well, object)
	}
	if !well {
		return
	}
	p.calls.callsEnded(f)
	p.subAgents.subagentsAllEnded(f)
	p.reasoning.blocksClosed(f)
}
