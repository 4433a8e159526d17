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

// call calls a tool and reports what came of it. A tool that fails doesn't fail the agent.
func (a *agent) call(ctx context.Context, c Call) error {
	ports := a.x.s.r.ports
	c.ID, c.Arguments = ports.IDs.New("call"), ports.Arguments(c.Arguments)
	way, err := ports.Tools.Gate(ctx, c)
	if err != nil { // nobody knows whether it may run
		way.Consent = true
	}
	chunks := []Chunk{{"type": "tool_start", "toolCallId": c.ID, "toolName": c.Tool, "arguments": c.Arguments}}
	if way.Consent {
		chunks = append(chunks, Chunk{
			"type": "tool_approval_request", "toolCallId": c.ID, "toolName": c.Tool, "arguments": c.Arguments})
	}
	var p *pending
	if way.Consent || way.Client { // known before its readers are, who may answer at once
		p = a.x.expect(c, way.Consent)
	}
	if err := a.say(ctx, chunks...); err != nil {
		a.x.abandon(p)
		return err
	}
	result, err := a.answer(ctx, c, way, p)
	if err := a.conclude(toolEnd(c, result, err)); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// answer gets the result of a call from whoever has it.
func (a *agent) answer(ctx context.Context, c Call, way Way, p *pending) (json.RawMessage, error) {
	if way.Consent {
		switch decision, err := a.x.await(ctx, p); {
		case err != nil:
			return nil, err
		case decision.Approved == nil || !*decision.Approved:
			return nil, errDenied
		}
	}
	if !way.Client {
		return a.x.s.r.ports.Tools.Execute(ctx, c, env{a})
	}
	if way.Consent {
		p = a.x.expect(c, false)
	}
	answer, err := a.x.await(ctx, p)
	if err == nil && answer.Error != nil {
		err = errors.New(*answer.Error)
	}
	return answer.Result, err
}

// toolEnd is the chunk that ends a call. A failed one has an error that says something, and no result.
func toolEnd(c Call, result json.RawMessage, err error) Chunk {
	end := Chunk{"type": "tool_end", "toolCallId": c.ID, "toolName": c.Tool, "success": err == nil}
	switch {
	case err == nil:
		end["result"] = orNull(result)
	case err.Error() == "":
		end["error"] = errNoWords.Error()
	default:
		end["error"] = err.Error()
	}
	return end
}
