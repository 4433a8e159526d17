package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// delegate hands work to a sub-agent. One that fails is like a tool that fails.
func (a *agent) delegate(ctx context.Context, d Delegation) error {
	ports := a.x.s.ports
	c := Call{ID: ports.IDs.New("call"), Tool: "subagent__" + d.AgentType}
	child := &agent{
		// helix.subagents.unique, helix.state.per-agent: a sub-agent has a session and a stage of its own.
		x: a.x, id: ports.IDs.New("session"), agentType: d.AgentType, model: ports.Model(d.Model), stage: newStage(nil),
	}
	// helix.subagents.step: own fills in the step that the root is in.
	about := func(kind string) Chunk {
		// helix.subagents.paired, helix.subagents.call-id: one function makes both chunks, so their ids agree.
		return Chunk{"type": kind, "subAgentType": d.AgentType, "subSessionId": child.id, "callId": c.ID}
	}
	// helix.subagents.parent-id: the parent writes the chunk, so own fills in the parent's ids.
	// helix.subagents.reported: a sub-agent writes nothing before this chunk; conclude below writes its end.
	err := a.say(ctx,
		Chunk{"type": "tool_start", "toolCallId": c.ID, "toolName": c.Tool, "arguments": json.RawMessage("{}")},
		about("subagent_start"))
	if err != nil {
		return err
	}
	// helix.subagents.within, helix.subagents.child-id: the child writes, under its own id, until work returns.
	failure := child.work(ctx, d.Timeout)
	result := orNull(d.Result)
	if child.output != nil {
		// helix.subagents.result: the result is the output that the child sent.
		result = child.output
	}
	end := about("subagent_end")
	if failure != nil {
		if context.Cause(ctx) == nil { // the child's failure, not the cancellation of its parent
			// helix.subagents.child-terminal: the error is a chunk of the child; it ends neither the parent nor the stream.
			if err := child.conclude(fatal(ports.Classify(failure))); err != nil {
				return err
			}
		}
		// helix.subagents.failed: a child that failed returns null.
		result, end["error"] = orNull(nil), ports.Classify(failure).Message
	}
	end["result"] = result
	// helix.subagents.ended, helix.tools.ended: conclude writes even if the work was cancelled.
	if err := a.conclude(end, toolEnd(c, result, failure)); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// fatal returns the error chunk of a failure that nothing follows.
func fatal(f Failure) Chunk {
	f.Recoverable = false
	return f.chunk()
}

// work does all steps of a sub-agent.
func (a *agent) work(ctx context.Context, timeout time.Duration) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if timeout > 0 {
		defer a.x.limit(timeout, cancel)()
	}
	for n := 0; ; n++ {
		turn, err := a.model.Step(ctx, n, a.x)
		if errors.Is(err, io.EOF) {
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		if err := a.play(ctx, turn); err != nil {
			return err
		}
		if closing := a.closing(); len(closing) > 0 {
			if err := a.say(ctx, closing...); err != nil {
				return err
			}
		}
		a.settle()
	}
}

// settle makes the agent's staged changes its state.
func (a *agent) settle() {
	a.x.s.mu.Lock()
	defer a.x.s.mu.Unlock()
	a.stage = newStage(a.stage.state)
}

// limit cancels work that takes too long. The run is not settled before that, or before the returned function is called,
// because the timer will fire. Cancelled work may have to wait before it can write.
func (x *executor) limit(timeout time.Duration, cancel context.CancelCauseFunc) (done func()) {
	x.s.mu.Lock()
	x.busy++
	x.s.mu.Unlock()
	over := sync.OnceFunc(func() {
		x.s.mu.Lock()
		defer x.s.mu.Unlock()
		x.idle()
	})
	stop := x.s.ports.Clock.AfterFunc(timeout, func() {
		cancel(&Error{Message: fmt.Sprintf("the sub-agent took longer than %v", timeout), Code: codeTimeout})
		over()
	})
	return func() {
		stop()
		over()
	}
}
