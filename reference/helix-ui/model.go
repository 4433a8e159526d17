package helixui

import (
	"context"
	"errors"
	"io"

	"github.com/streamcert/streamcert/reference/model"
)

// answer emits the model's output, and sends another request after its tools.
func (a *agent) answer(ctx context.Context, client *model.Client) error {
	var talk []model.Message
	for _, m := range a.turn.User {
		talk = append(talk, model.Message{Role: m.Role, Content: m.text()})
	}
	for {
		said, err := a.complete(ctx, client, talk)
		if err != nil || len(said.Calls) == 0 {
			return a.failed(ctx, err)
		}
		talk = append(talk, said)
		for _, call := range said.Calls {
			result, err := a.tool(ctx, client, call)
			if err != nil {
				return a.failed(ctx, err)
			}
			talk = append(talk, model.Message{Role: "tool", CallID: call.ID, Content: result})
		}
		a.say(Chunk{"type": "step_committed"})
	}
}

// complete requests an answer of the model, emits and returns it.
func (a *agent) complete(ctx context.Context, client *model.Client, talk []model.Message) (said model.Message, err error) {
	said.Role = "assistant"
	answer, err := client.Complete(ctx, talk)
	if err != nil {
		return said, err
	}
	defer answer.Close()
	reasoning := ""
	for {
		piece, err := answer.Next()
		if reasoning != "" && (err != nil || piece.Thinking == "") {
			a.say(Chunk{"type": "thinking", "content": reasoning, "isComplete": true})
			reasoning = ""
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return said, err
		}
		if piece.Thinking != "" {
			reasoning += piece.Thinking
			a.say(Chunk{"type": "thinking", "content": piece.Thinking, "isComplete": false})
		}
		if text := piece.Text + piece.Refusal; text != "" {
			said.Content += text
			a.say(Chunk{"type": "text_delta", "delta": text})
		}
	}
	said.Calls = answer.Calls
	a.reason = reasonOf(answer.Finish)
	return said, nil
}

// reasonOf translates a provider's stop reason. helix-ui.flow.reason: finish contains the model's stop reason.
func reasonOf(finish string) string {
	switch finish {
	case "length":
		return "length"
	case "content_filter":
		return "content-filter"
	}
	return "stop"
}

// tool calls a tool and returns its result for the model.
func (a *agent) tool(ctx context.Context, client *model.Client, call model.Call) (result string, err error) {
	outcome, err := client.Tool(ctx, call)
	if err != nil {
		return "", err
	}
	// helix-ui.tools.bad-arguments: the model hears of it, and goes on.
	if !a.call(Call{Name: call.Name, Arguments: []byte(call.Arguments), Result: outcome.Result, Error: outcome.Error, id: call.ID}) {
		return "the arguments are no JSON object", nil
	}
	if outcome.Error != nil {
		return *outcome.Error, nil
	}
	return string(outcome.Result), nil
}

// failed turns a failure of the model into one of the agent, unless the turn was cancelled.
func (a *agent) failed(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	// helix-ui.errors.told: a failure of the request to the model is reported, without the provider's text.
	a.say(Chunk{"type": "error", "error": "the model failed", "recoverable": false})
	return errFailed
}
