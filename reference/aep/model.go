package aep

import (
	"context"
	"errors"
	"io"

	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/model"
)

// Modelled is an agent whose model and tool results come from a provider.
type Modelled struct{ Client *model.Client }

// Answer implements agent.Model.
func (m Modelled) Answer(ctx context.Context, turn agent.Turn, do func(agent.Instruction) error) error {
	var talk []model.Message
	for _, messages := range turn.History {
		role := map[string]string{agent.ByUser: "user", agent.ByAgent: "assistant"}[messages.Who]
		talk = append(talk, model.Message{Role: role, Content: messages.Text})
	}
	for _, text := range turn.Messages {
		talk = append(talk, model.Message{Role: "user", Content: text})
	}
	for {
		messages, err := m.say(ctx, talk, do)
		if err != nil || len(messages.Calls) == 0 {
			return failed(ctx, err)
		}
		talk = append(talk, messages)
		for _, call := range messages.Calls {
			result, err := m.call(ctx, call, do)
			if err != nil {
				return failed(ctx, err)
			}
			talk = append(talk, model.Message{Role: "tool", CallID: call.ID, Content: result})
		}
	}
}

// say emits the model's output and returns it as a message.
func (m Modelled) say(ctx context.Context, talk []model.Message, do func(agent.Instruction) error) (messages model.Message, err error) {
	messages.Role = "assistant"
	answer, err := m.Client.Complete(ctx, talk)
	if err != nil {
		return messages, err
	}
	defer answer.Close()
	for {
		piece, err := answer.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return messages, err
		}
		act := agent.Instruction{Name: "text", Text: piece.Text + piece.Refusal}
		if piece.Thinking != "" {
			act = agent.Instruction{Name: "thinking", Text: piece.Thinking}
		}
		messages.Content += piece.Text
		if err := do(act); err != nil {
			return messages, err
		}
	}
	if answer.Finish == "content_filter" {
		return messages, &agent.Failure{Code: "agent_error", Message: "a filter stopped the model"}
	}
	messages.Calls = answer.Calls
	return messages, nil
}

// call calls a tool and returns its result for the model.
func (m Modelled) call(ctx context.Context, call model.Call, do func(agent.Instruction) error) (result string, err error) {
	outcome, err := m.Client.Tool(ctx, call)
	if err != nil {
		return "", err
	}
	result = string(outcome.Result)
	if outcome.Error != nil {
		result = *outcome.Error
	}
	return result, do(agent.Instruction{Name: "tool", Tool: agent.Tool{
		Name: call.Name, Arguments: []byte(call.Arguments), Result: outcome.Result, Error: outcome.Error, Summary: outcome.Summary,
	}})
}

// failed attributes an error to the agent, unless the turn was cancelled or the server has failed.
func failed(ctx context.Context, err error) error {
	var fault *model.Error
	if ctx.Err() == nil && (errors.As(err, &fault) || errors.Is(err, model.ErrInterrupted)) {
		// aep.errors.agent: a model that fails is an agent that does.
		return &agent.Failure{Code: "agent_error", Message: "the model failed: " + err.Error()}
	}
	return err
}
