package runtime

import (
	"context"
	"encoding/json"
	"errors"
)

var (
	errDenied  = errors.New("Tool call was not approved by the user") // readers know it by these words, capital letter and all
	errNoWords = errors.New("the tool failed without a word")
)

// call calls a tool and writes its result. A failure of a tool doesn't fail the agent.
func (a *agent) call(ctx context.Context, c Call) error {
	ports := a.x.s.ports
	// helix.tools.unique-id: the runtime makes a new id for each call.
	c.ID, c.Arguments = ports.IDs.New("call"), ports.Arguments(c.Arguments)
	way, err := ports.Tools.Gate(ctx, c)
	if err != nil { // it is unknown whether it may run
		// helix.approval.fails-closed: a gate that fails asks for consent.
		way.Consent = true
	}
	chunks := []Chunk{{"type": "tool_start", "toolCallId": c.ID, "toolName": c.Tool, "arguments": c.Arguments}}
	if way.Consent {
		// helix.approval.requested, helix.approval.request-members: the request carries the members of the tool_start.
		chunks = append(chunks, Chunk{
			"type": "tool_approval_request", "toolCallId": c.ID, "toolName": c.Tool, "arguments": c.Arguments})
	}
	var p *pending
	if way.Consent || way.Client { // known before its readers are, who may answer at once
		p = a.x.expect(c, way.Consent)
	}
	// helix.tools.start-first, helix.approval.survives: both chunks are stored before the tool runs.
	if err := a.say(ctx, chunks...); err != nil {
		a.x.abandon(p)
		return err
	}
	result, err := a.answer(ctx, c, way, p)
	// helix.tools.reported, helix.tools.ended, helix.tools.end-once: every started call reaches this line once.
	if err := a.conclude(toolEnd(c, result, err)); err != nil {
		return err
	}
	// helix.tools.failure-goes-on: call doesn't return the error of the tool.
	return context.Cause(ctx)
}

// answer waits for the result of a call from the tool, the user or the client.
func (a *agent) answer(ctx context.Context, c Call, way Way, p *pending) (json.RawMessage, error) {
	if way.Consent {
		// helix.approval.waits, helix.approval.suspended: Execute and the tool_end come after the decision.
		switch decision, err := a.x.await(ctx, p); {
		case err != nil:
			return nil, err
		case decision.Approved == nil || !*decision.Approved:
			// helix.approval.denied: tool_end carries the text of errDenied.
			return nil, errDenied
		}
	}
	if !way.Client {
		// helix.approval.granted: an approved call runs like any other call.
		return a.x.s.ports.Tools.Execute(ctx, c, env{a})
	}
	if way.Consent {
		p = a.x.expect(c, false)
	}
	// helix.tools.client: the call ends only with the client's answer.
	answer, err := a.x.await(ctx, p)
	if err == nil && answer.Error != nil {
		err = errors.New(*answer.Error)
	}
	return answer.Result, err
}

// toolEnd returns the chunk that ends a call. A failed one has an error with a text, and no result.
func toolEnd(c Call, result json.RawMessage, err error) Chunk {
	// helix.tools.same-name, helix.tools.success: the name is that of the call; success is a boolean.
	end := Chunk{"type": "tool_end", "toolCallId": c.ID, "toolName": c.Tool, "success": err == nil}
	switch {
	// helix.tools.outcome, helix.tools.result: success writes the result, failure a non-empty error.
	case err == nil:
		end["result"] = orNull(result)
	case err.Error() == "":
		end["error"] = errNoWords.Error()
	default:
		end["error"] = err.Error()
	}
	return end
}
