package fold

import "github.com/streamcert/streamcert/runner/judge"

// An Effect is the effect of a chunk. Fields of other types are zero.
type Effect struct {
	Call     *Call      // that begins, ends, or needs an approval; nil if it isn't known
	SubAgent *SubAgent  // that begins or ends; nil likewise
	Block    *judge.Sum // of reasoning, which the chunk completes; nil if there were no increments
	Returned bool       // to a checkpoint whose state is known
	Sure     int        // operations of a patch that the state was known for, where they matter
	// Err is the reason why a patch isn't applied: a *patch.ConflictError, a *patch.LimitError, a *patch.SyntaxError, or
	// ErrLost.
	Err error
}

// Meet determines the agent of a chunk. The first chunk is the root agent's, unless earlier ones may be missing. A
// stream_resync voids the chunks before it.
func (f *Fold) Meet(c *Chunk) {
	if c.Kind == "stream_resync" {
		f.back(c)
	}
	c.Agent = f.agent(judge.WordOf(c.AgentID))
	if f.first && (f.complete || f.options.Trusting) {
		f.Root = c.Agent.Key
		if f.options.State != nil {
			f.states.begin(f.Root, f.states.given())
		}
	}
	c.Agent.enter(c.Run)
}

// Take adds the content of a chunk after Meet.
func (f *Fold) Take(c *Chunk) (e Effect) {
	f.extend(c)
	switch c.Kind {
	case "thinking":
		e.Block = f.think(c)
	case "tool_start":
		e.Call = f.startCall(c)
	case "tool_approval_request":
		e.Call, _ = f.Calls.Value(c.Agent.CallKey(f.name(c, "toolCallId")))
	case "tool_end":
		e.Call = f.endCall(c)
	case "subagent_start":
		e.SubAgent = f.startSubAgent(c)
	case "subagent_end":
		e.SubAgent = f.endSubAgent(c)
	case "state_patch":
		e.Sure, e.Err = f.patch(c)
	case "error":
		f.fail(c)
	case "output":
		f.putOut(c)
	case "run_interrupted":
		c.Agent.Stopped, c.Agent.Paused, c.Agent.StoppedRun = true, false, c.Run
		f.abandon(c.Agent)
	case "run_paused":
		f.pause(c)
	case "run_resumed":
		f.resume(c)
	case "executor_superseded":
		f.forget()
	case "step_discarded":
		f.abandon(c.Agent)
	case "checkpoint_created":
		f.mark(c)
	case "stream_resync":
		e.Returned = f.restore(c)
	}
	return e
}
