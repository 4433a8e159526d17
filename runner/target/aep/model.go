package aep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/target"
)

// Send posts a request to the agent. body uses the names and shapes of the specification, which are translated into those
// of the target; a script in it is performed by the model if the kit plays that. Otherwise it is as [RequestStream]; the error can
// also be ErrBlocks, or a *target.UnavailableError for a script that the model can't perform.
func Send(s *target.Session, body []byte, r target.StreamRequest) (*target.Reader, error) {
	model := s.Target().Model()
	if model == nil {
		return send(s, body, r)
	}
	var request object
	if json.Unmarshal(body, &request) != nil { // an invalid request has no script
		return send(s, body, r)
	}
	start := s.Target().ModelConfig().Start
	script, err := scriptIn(request, s.Target().ModelConfig().Tools)
	switch {
	case err == nil && script == nil && !start.IsSet():
		return send(s, body, r)
	case err == nil && !r.Untrusted:
		err = modelled(s, start, request, script, &r)
	}
	switch refused := (*target.Beyond)(nil); {
	case errors.As(err, &refused) && s.Target().Scripts():
		return send(s, body, r)
	case errors.As(err, &refused):
		return nil, target.Unmodelled(refused.What)
	case err != nil:
		return nil, err
	case r.Untrusted && !s.Target().Scripts():
		return nil, target.Unmodelled("a script without its token")
	case r.Untrusted:
		return send(s, body, r)
	}
	return played(s, r)
}

// send posts a body in the shapes of the target.
func send(s *target.Session, body []byte, r target.StreamRequest) (*target.Reader, error) {
	shaped, err := ConfigOf(s.Target()).Shaped(body)
	if err != nil {
		return nil, err
	}
	r.Body = shaped
	return RequestStream(s, r)
}

// scripted is a request whose script the model plays.
type scripted struct {
	provider.Script
	mark string // that the user's text carries, so that the provider finds the script
}

// modelled makes the request that has the model play a script; nil is none.
func modelled(s *target.Session, start target.Start, request object, script *scripted, r *target.StreamRequest) error {
	if script != nil {
		_, count, err := within(request["messages"], "")
		if err != nil {
			return err
		}
		script.Messages = count
		script.mark = s.Play(script.Script)
		messages, _, err := within(request["messages"], provider.Marker(script.mark))
		if err != nil {
			return err
		}
		request["messages"] = messages
		withoutScript(request)
	}
	if start.IsSet() {
		return fromTemplate(start, request, r, script)
	}
	body, err := ConfigOf(s.Target()).Shaped(written(request))
	r.Body, r.Mark = body, script.mark
	return err
}

// fromTemplate makes the request that the config shows.
func fromTemplate(start target.Start, request object, r *target.StreamRequest, script *scripted) error {
	var thread string
	for name := range request {
		switch known := json.Unmarshal(request["threadId"], &thread) == nil; {
		case name == "messages":
		case name == "threadId" && known && start.HasPlaceholder("thread"):
		default:
			return &target.Beyond{What: "a request with " + name + ", for which model.start has no place"}
		}
	}
	_, count, err := within(request["messages"], "")
	if err != nil {
		return err
	}
	if count != 1 {
		return &target.Beyond{What: "a request of several messages, for which model.start has no place"}
	}
	path, body, err := start.Fill(textOf(request["messages"]), map[string]string{"thread": thread})
	if err != nil {
		return err
	}
	r.Method, r.Body, r.Path, r.Headers = start.Method, body, path, headers(r.Headers, start.Headers)
	if script != nil {
		r.Mark = script.mark
	}
	return nil
}

func headers(own, more map[string]string) map[string]string {
	out := map[string]string{}
	maps.Copy(out, more)
	maps.Copy(out, own)
	return out
}

// played posts a request that has the model play a script.
func played(s *target.Session, r target.StreamRequest) (*target.Reader, error) {
	r.Route = Stream()
	if r.PathValues == nil {
		r.PathValues = map[string]string{"agent": ConfigOf(s.Target()).Agent}
	}
	reader, err := s.RequestStream(r)
	if err == nil && r.Mark != "" {
		s.Plays(reader.Exchange, r.Mark)
	}
	return reader, err
}

// within appends a text to the last text of the last message, and counts the messages.
func within(raw json.RawMessage, more string) (messages json.RawMessage, count int, err error) {
	var list []object
	if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
		return nil, 0, &target.Beyond{What: "a script for a request without a message"}
	}
	last := list[len(list)-1]
	var blocks []object
	if json.Unmarshal(last["content"], &blocks) != nil || len(blocks) == 0 {
		return nil, 0, &target.Beyond{What: "a script for a message without a text"}
	}
	block := blocks[len(blocks)-1]
	var text string
	if json.Unmarshal(block["text"], &text) != nil {
		return nil, 0, &target.Beyond{What: "a script for a message without a text"}
	}
	block["text"] = written(text + more)
	last["content"] = written(blocks)
	return written(list), len(list), nil
}

// textOf returns the text of the only message.
func textOf(raw json.RawMessage) string {
	var list []struct{ Content []struct{ Text string } }
	_ = json.Unmarshal(raw, &list) // within has read it
	text := ""
	for _, block := range list[0].Content {
		text += block.Text
	}
	return text
}

// withoutScript removes the script from a request, and the context if it is empty then.
func withoutScript(request object) {
	var context object
	if json.Unmarshal(request["context"], &context) != nil {
		return
	}
	delete(context, "conformance")
	if request["context"] = written(context); len(context) == 0 {
		delete(request, "context")
	}
}

// scriptIn returns the model's part of a request's script; nil if it has none. tools reports that the results of tools can be
// played too. The error names the script step that a model can't perform.
func scriptIn(request object, tools bool) (*scripted, error) {
	var context struct {
		Conformance *struct {
			Script []object
			Refuse string
		}
	}
	if json.Unmarshal(request["context"], &context) != nil || context.Conformance == nil {
		return nil, nil
	}
	if context.Conformance.Refuse != "" {
		return nil, &target.Beyond{What: "a refusal before the stream"}
	}
	c := &compiler{tools: tools}
	for _, act := range context.Conformance.Script {
		for name, value := range act {
			if err := c.add(name, value); err != nil {
				return nil, err
			}
		}
	}
	if c.open {
		c.close()
	}
	if len(c.script.Steps) == 0 || c.script.Steps[len(c.script.Steps)-1].Fault == nil && calls(c.script.Steps[len(c.script.Steps)-1]) {
		c.close() // after the last tool the server sends one more request to the model
	}
	return &scripted{Script: c.script}, nil
}

// compiler translates a script into the model's steps: a call ends a step, and the next one follows the tool's result.
type compiler struct {
	script   provider.Script   // the steps so far, and the tools
	actions  []provider.Action // of the step that isn't complete
	open     bool              // actions belong to a step that script doesn't have yet
	tools    bool              // the server's tools request their results from the kit
	upstream provider.Spelling // of the events of every step; "" as models usually write them
}

// Upstream is the instruction of a script that states how a model writes its events, one of provider.Spellings. It comes first, and
// only a model can do it.
const Upstream = "upstream"

// Upstreams lists the values of the instruction Upstream, sorted.
func Upstreams() []string { return provider.Spellings() }

func (c *compiler) close() {
	if c.upstream != "" {
		c.actions = append([]provider.Action{c.upstream}, c.actions...)
	}
	c.script.Steps = append(c.script.Steps, provider.Step{Actions: c.actions})
	c.actions, c.open = nil, false
}

func calls(step provider.Step) bool {
	return slices.ContainsFunc(step.Actions, func(a provider.Action) bool { _, is := a.(provider.Call); return is })
}

func (c *compiler) add(name string, value json.RawMessage) error {
	var text string
	if name != "tool" && name != "hang" && name != "continue" && json.Unmarshal(value, &text) != nil {
		return fmt.Errorf("the act %s of a script: a string is expected", name)
	}
	if name == Upstream {
		c.upstream = provider.Spelling(text)
		return nil
	}
	c.open = true
	switch name {
	case "text":
		c.actions = append(c.actions, provider.Text(text))
	case "thinking":
		c.actions = append(c.actions, provider.Thinking(text))
	case "await":
		c.actions = append(c.actions, provider.Await(text))
	case "hang":
		c.actions = append(c.actions, provider.Stall(0))
	case "echo":
		if !Echoes(text) {
			return &target.Beyond{What: "an echo of the " + text}
		}
		c.actions = append(c.actions, provider.Echo(text))
	case "fail":
		if how := breaks[text]; how != nil {
			c.actions = append(c.actions, how)
			c.close()
			return nil
		}
		if !Fails(text) {
			return &target.Beyond{What: "the failure " + text}
		}
		c.fail()
	case "tool":
		return c.call(value)
	default:
		return &target.Beyond{What: "the act " + name}
	}
	return nil
}

// Echoes reports whether a model can repeat the named part of its request.
func Echoes(what string) bool { return what == "messages" || what == "history" }

// Fails reports whether a model that fails makes the run fail with a code.
func Fails(code string) bool { return code == "agent_error" }

// The failures of a model alone: its body ends without a finish reason, or with an error as an event.
const (
	CleanEnd    = "a clean end without a finish reason"
	ErrorInBody = "an error in the model's body"
)

var breaks = map[string]provider.Action{CleanEnd: provider.Close{}, ErrorInBody: provider.Break{Fault: provider.Broken}}

// fail ends the answer with an error, or refuses the request if the answer is empty.
func (c *compiler) fail() {
	if len(c.actions) == 0 {
		c.script.Steps = append(c.script.Steps, provider.Step{Fault: &provider.BadRequest})
		c.open = false
		return
	}
	c.actions = append(c.actions, provider.Disconnect{})
	c.close()
}

func (c *compiler) call(raw json.RawMessage) error {
	if !c.tools {
		return target.BeyondTools()
	}
	var tool struct {
		Name      string
		Arguments json.RawMessage
		Result    json.RawMessage
		Error     *string
		Summary   string
	}
	if err := json.Unmarshal(raw, &tool); err != nil {
		return fmt.Errorf("the act tool of a script: %w", err)
	}
	var compact bytes.Buffer
	if json.Compact(&compact, tool.Arguments) != nil {
		return fmt.Errorf("the act tool of a script: its arguments aren't JSON: %s", tool.Arguments)
	}
	c.actions = append(c.actions, provider.Call{Name: tool.Name, Arguments: compact.String(), Tool: len(c.script.Tools), Fit: true})
	c.script.Tools = append(c.script.Tools, provider.Tool{Result: tool.Result, Error: tool.Error, Summary: tool.Summary})
	c.close()
	return nil
}

// Arguments returns the arguments of a call of the agent that answers a request: those of the script, or those that the
// model sent instead to satisfy the server's schema. nth counts the calls of the script from 0.
func Arguments(s *target.Session, e *target.Exchange, nth int, scripted any) any {
	if script := s.PlayedBy(e); script != "" {
		if text, changed := s.Target().Model().Arguments(script, nth); changed {
			var sent any
			if json.Unmarshal([]byte(text), &sent) == nil { // the provider has written it
				return sent
			}
		}
	}
	return scripted
}

// Modelled reports whether a model plays the content of a step, which is a script or a request.
func Modelled(t *target.Target, content string, isScript bool) bool {
	if isScript && content != "" {
		content = `{"context":{"conformance":{"script":` + content + `}}}`
	}
	var request object
	if json.Unmarshal([]byte(content), &request) != nil {
		return true // nothing that an agent does
	}
	_, err := scriptIn(request, t.ModelConfig().Tools)
	return err == nil
}

// Release opens a barrier of the agent that answers a request, by its model or by the control binding. The exchange is nil
// if the model opened it. The error is that of Session.Call.
func Release(s *target.Session, reader *target.Reader, requestID, barrier string, allow404 bool) (*target.Exchange, error) {
	if script := s.PlayedBy(reader.Exchange); script != "" {
		s.Target().Model().Release(script, barrier)
		return nil, nil
	}
	return s.Call("POST", "/aep/release", written(map[string]string{"requestId": requestID, "barrier": barrier}), allow404)
}
