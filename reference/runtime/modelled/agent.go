package modelled

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/streamcert/streamcert/reference/model"
	"github.com/streamcert/streamcert/reference/runtime"
)

// Agent is an agent with a language model. It is a runtime.Model. Make it with New.
type Agent struct {
	client *model.Client // shared with the tools
	text   string        // of the user

	mu    sync.Mutex    // guards steps
	steps []*stepOutput // in their order; only appended
}

// stepOutput is the model's output in one step, with the calls whose results its tools returned.
type stepOutput struct {
	message model.Message // role, content and calls
	calls   []*call       // those of message
}

// call is a tool call of the model. A runtime's call has it as its Origin.
type call struct {
	model.Call
	mu      sync.Mutex     // guards outcome
	outcome *model.Outcome // nil while it is unknown
}

// New makes an agent that answers a user.
func New(client *model.Client, text string) *Agent { return &Agent{client: client, text: text} }

// source is the stored form of an agent's configuration.
type source struct {
	Text string // of the user
}

// step is the stored form of a step: the model's output, and the results of its calls.
type step struct {
	Content string           // "" for none
	Calls   []model.Call     // in the order of the model
	Came    []*model.Outcome // result of each call; null while it is unknown
}

// Source returns the stored form of the agent's configuration, for Restore.
func (a *Agent) Source() (json.RawMessage, error) { return json.Marshal(source{a.text}) }

// Recall implements runtime.Recalling.
func (a *Agent) Recall(from, to int) (json.RawMessage, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	to = min(to, len(a.steps))
	if from >= to {
		return nil, nil
	}
	var recalled []step
	for _, s := range a.steps[from:to] {
		one := step{Content: s.message.Content, Calls: s.message.Calls}
		for _, c := range s.calls {
			one.Came = append(one.Came, c.came())
		}
		recalled = append(recalled, one)
	}
	return json.Marshal(recalled)
}

// Restore makes an agent that continues another one, from its Source and the results of its Recall.
func Restore(client *model.Client, text json.RawMessage, recalled []json.RawMessage) (*Agent, error) {
	var begun source
	if err := json.Unmarshal(text, &begun); err != nil {
		return nil, fmt.Errorf("reading what a user wrote: %w", err)
	}
	a := New(client, begun.Text)
	for _, text := range recalled {
		var steps []step
		if text == nil {
			continue
		}
		if err := json.Unmarshal(text, &steps); err != nil {
			return nil, fmt.Errorf("reading what a model said: %w", err)
		}
		for _, one := range steps {
			s := &stepOutput{message: model.Message{Role: "assistant", Content: one.Content, Calls: one.Calls}}
			for i, c := range one.Calls {
				called := &call{Call: c}
				if i < len(one.Came) {
					called.outcome = one.Came[i]
				}
				s.calls = append(s.calls, called)
			}
			a.steps = append(a.steps, s)
		}
	}
	return a, nil
}

// came returns the result of the call, nil while it is unknown.
func (c *call) came() *model.Outcome {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.outcome
}

// Step implements runtime.Model. A step that is repeated drops its earlier output and the steps after it.
func (a *Agent) Step(_ context.Context, n int, _ runtime.Waiter) (runtime.Turn, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if n < 0 || n > len(a.steps) || n > 0 && len(a.steps[n-1].calls) == 0 {
		return nil, io.EOF
	}
	talk := []model.Message{{Role: "user", Content: a.text}}
	for _, s := range a.steps[:n] {
		talk = append(talk, s.message)
		for _, c := range s.calls {
			talk = append(talk, model.Message{Role: "tool", CallID: c.ID, Content: c.returned()})
		}
	}
	a.steps = a.steps[:n]
	return &turn{agent: a, talk: talk}, nil
}

// returned returns the tool message for the model: the result, the error text, or null while the result is unknown, as for
// a call that the client answers.
func (c *call) returned() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.outcome == nil:
		return "null"
	case c.outcome.Error != nil:
		return *c.outcome.Error
	}
	return string(c.outcome.Result)
}

// end stores the output of a step.
func (a *Agent) end(s *stepOutput) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.steps = append(a.steps, s)
}

// turn is one answer.
type turn struct {
	agent     *Agent          // that it adds its output to
	talk      []model.Message // the conversation up to this answer
	answer    *model.Answer   // nil before the first event
	output    stepOutput      // so far; complete once over
	reasoning string          // that isn't a runtime event yet
	refused   bool            // the model refused, which its finish doesn't say
	left      []runtime.Event // that come before anything else
	over      bool            // the answer is complete
}

// Next implements runtime.Turn.
func (t *turn) Next(ctx context.Context) (runtime.Event, error) {
	for {
		if len(t.left) > 0 {
			event := t.left[0]
			t.left = t.left[1:]
			return event, nil
		}
		if t.over {
			return nil, io.EOF
		}
		if err := t.read(ctx); err != nil {
			t.over = true
			return nil, classified(ctx, err)
		}
	}
}

// read takes in the next piece of the answer.
func (t *turn) read(ctx context.Context) (err error) {
	if t.answer == nil {
		t.output.message.Role = "assistant"
		if t.answer, err = t.agent.client.Complete(ctx, t.talk); err != nil {
			return err
		}
	}
	piece, err := t.answer.Next()
	switch {
	case errors.Is(err, io.EOF):
		t.close()
		return nil
	case err != nil:
		t.answer.Close()
		return err
	case piece.Thinking != "":
		t.reasoning += piece.Thinking
		return nil
	}
	t.think()
	if piece.Text != "" {
		t.output.message.Content += piece.Text
		t.left = append(t.left, runtime.Text{Text: piece.Text})
	}
	t.refused = t.refused || piece.Refusal != ""
	return nil
}

// think emits a block of reasoning once it is complete.
func (t *turn) think() {
	if t.reasoning != "" {
		t.left, t.reasoning = append(t.left, runtime.Reasoning{Text: t.reasoning}), ""
	}
}

// close ends the answer: its calls, and the model's stop reason.
func (t *turn) close() {
	t.over = true
	t.answer.Close()
	t.think()
	t.output.message.Calls = t.answer.Calls
	var events []runtime.Turn
	for _, c := range t.answer.Calls {
		called := &call{Call: c}
		t.output.calls = append(t.output.calls, called)
		event := runtime.Call{Tool: c.Name, Arguments: written(c.Arguments), Origin: called}
		events = append(events, &one{event})
		if len(t.answer.Calls) == 1 {
			t.left = append(t.left, event)
		}
	}
	if len(events) > 1 {
		t.left = append(t.left, runtime.Parallel{Branches: events})
	}
	reason := map[string]string{"length": "max_tokens", "content_filter": "content_filter"}[t.answer.Finish]
	if t.refused {
		reason = "refusal"
	}
	if reason != "" {
		t.left = append(t.left, runtime.Stop{Reason: reason})
	}
	t.agent.end(&t.output)
}

// written returns the model's arguments of a call as JSON, a string if they aren't valid JSON.
func written(arguments string) json.RawMessage {
	if json.Valid([]byte(arguments)) {
		return json.RawMessage(arguments)
	}
	out, err := json.Marshal(arguments)
	if err != nil {
		panic(err) // a text
	}
	return out
}

// one is a turn of one event.
type one struct{ event runtime.Event }

// Next implements runtime.Turn.
func (o *one) Next(context.Context) (runtime.Event, error) {
	if o.event == nil {
		return nil, io.EOF
	}
	event := o.event
	o.event = nil
	return event, nil
}

// classified classifies a failure of the model.
func classified(ctx context.Context, err error) error {
	var fault *model.Error
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if !errors.As(err, &fault) {
		return &runtime.Error{Code: "provider_error", Message: err.Error()}
	}
	code := map[int]string{
		400: "provider_invalid_request", 401: "provider_auth_error", 403: "provider_auth_error", 408: "provider_timeout",
		429: "provider_rate_limited", 503: "provider_overloaded", 504: "provider_timeout",
	}[fault.Status]
	if code == "" {
		code = "provider_error"
	}
	return &runtime.Error{Code: code, Message: fault.Message}
}

// Tools request their results from the provider. They implement runtime.Tools.
type Tools struct {
	Client *model.Client // of the provider that also plays the model
	Others runtime.Tools // for calls that no model made
}

// Gate implements runtime.Tools.
func (t Tools) Gate(ctx context.Context, c runtime.Call) (runtime.Way, error) {
	called, ours := c.Origin.(*call)
	if !ours {
		return t.Others.Gate(ctx, c)
	}
	outcome, err := t.Client.Tool(ctx, called.Call)
	if err != nil {
		return runtime.Way{}, fmt.Errorf("asking who decides on a call: %w", err)
	}
	called.mu.Lock()
	defer called.mu.Unlock()
	called.outcome = &outcome
	return runtime.Way{Consent: outcome.Approval, Client: outcome.Client}, nil
}

// Execute implements runtime.Tools.
func (t Tools) Execute(ctx context.Context, c runtime.Call, env runtime.Env) (json.RawMessage, error) {
	called, ours := c.Origin.(*call)
	if !ours {
		return t.Others.Execute(ctx, c, env)
	}
	called.mu.Lock()
	defer called.mu.Unlock()
	switch {
	case called.outcome == nil:
		return nil, errors.New("nobody knows what this tool does")
	case called.outcome.Error != nil:
		return nil, errors.New(*called.outcome.Error)
	}
	return called.outcome.Result, nil
}

// Work implements runtime.Tools.
func (t Tools) Work(ctx context.Context, w runtime.Work, env runtime.Env) error {
	return t.Others.Work(ctx, w, env)
}
