package helix

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/target"
)

// Steps reads a script of one step a line, each a list of instructions.
func Steps(script string) ([]json.RawMessage, error) {
	var lines []json.RawMessage
	for line := range strings.Lines(script) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		var instructions []map[string]any
		if err := json.Unmarshal([]byte(line), &instructions); err != nil {
			return nil, fmt.Errorf("a step of the script is no list of acts: %s: %w", line, err)
		}
		lines = append(lines, json.RawMessage(line))
	}
	return lines, nil
}

// Stepwise reports whether it matters for a requirement which step of a run an instruction belongs to.
func Stepwise(requirement string) bool {
	_, rest, _ := strings.Cut(requirement, ".")
	chapter, _, _ := strings.Cut(rest, ".")
	return !slices.Contains([]string{"text", "thinking", "tools", "approval", "errors", "wire", "security", "output"}, chapter)
}

// Modelled reports whether the model of a target plays a script, in a scenario of a requirement.
func Modelled(t *target.Target, requirement, script string) bool {
	lines, err := Steps(script)
	if err == nil {
		_, err = modelled(Run{Script: lines, Stepwise: Stepwise(requirement)}, t.ModelConfig().Tools)
	}
	return err == nil
}

// modelled returns the model's part of a script. tools reports that the results of tools can be played too. The error is a
// *target.Beyond, or describes a mistake in the script.
func modelled(r Run, tools bool) (provider.Script, error) {
	if r.Schema != nil {
		return provider.Script{}, &target.Beyond{What: "an output of a schema"}
	}
	c := &compiler{tools: tools, stepwise: r.Stepwise}
	for i, raw := range r.Script {
		var instructions []map[string]json.RawMessage
		if err := json.Unmarshal(raw, &instructions); err != nil {
			return c.script, fmt.Errorf("step %d of a script is no list of acts: %w", i+1, err)
		}
		if err := c.step(instructions, i == len(r.Script)-1); err != nil {
			return c.script, err
		}
	}
	if len(c.script.Steps) == 0 {
		return c.script, &target.Beyond{What: "a run without a step"}
	}
	return c.script, nil
}

// compiler makes steps of the model of instructions.
type compiler struct {
	script   provider.Script   // the steps so far, and the tools
	actions  []provider.Action // of the step that isn't complete
	finish   string            // finish reason of that step; "" for the usual one
	tools    bool              // the server's tools request their results from the kit
	stepwise bool              // the division into steps matters
	over     bool              // nothing follows in this script
}

func (c *compiler) close() {
	c.script.Steps = append(c.script.Steps, provider.Step{Actions: c.actions, Finish: c.finish})
	c.actions = nil
}

// step adds a step of the script. All but the last must end in a tool, because only a tool makes an agent send another
// request to its model.
func (c *compiler) step(instructions []map[string]json.RawMessage, last bool) error {
	called := false // the last act was a call
	for i, act := range instructions {
		if c.over || called && c.stepwise {
			return &target.Beyond{What: "an act behind another one that ends a step of a model"}
		}
		for name, value := range act {
			before := len(c.script.Steps)
			if err := c.add(name, value); err != nil {
				return err
			}
			called = len(c.script.Steps) > before
		}
		if c.over && i < len(instructions)-1 {
			return &target.Beyond{What: "an act behind the end of an answer"}
		}
	}
	switch {
	case c.over && !last, !last && !called:
		return &target.Beyond{What: "a step behind one that calls no tool"}
	case last && called && c.stepwise:
		return &target.Beyond{What: "a call at the end of a run, after which a model is asked once more"}
	case last && !(c.over && c.actions == nil):
		c.close()
	}
	return nil
}

func (c *compiler) add(name string, value json.RawMessage) error {
	switch name {
	case "text", "thinking", "stop":
		var text string
		if err := json.Unmarshal(value, &text); err != nil {
			return fmt.Errorf("the act %s of a script: %w", name, err)
		}
		return c.say(name, text)
	case "tool":
		call, err := c.call(value)
		if err != nil {
			return err
		}
		c.actions = append(c.actions, call)
		c.close()
		return nil
	case "parallel":
		return c.parallel(value)
	case "error":
		return c.fail(value)
	}
	return &target.Beyond{What: "the act " + name}
}

// say adds text, reasoning, or a stop reason.
func (c *compiler) say(name, text string) error {
	switch {
	case name == "text":
		c.actions = append(c.actions, provider.Text(text))
		return nil
	case name == "thinking":
		if len(c.actions) > 0 {
			if _, thinks := c.actions[len(c.actions)-1].(provider.Thinking); thinks || text == "" {
				return &target.Beyond{What: "two thoughts in a row"}
			}
		}
		c.actions = append(c.actions, provider.Thinking(text))
		return nil
	}
	c.over = true
	switch text {
	case "end_turn", "stop_sequence":
	case "max_tokens":
		c.finish = "length"
	case "content_filter":
		c.finish = text
	case "refusal":
		c.actions = append(c.actions, provider.Refusal("I can't help with that."))
	default:
		return &target.Beyond{What: "the stop reason " + text}
	}
	return nil
}

// call adds a call, and stores its result.
func (c *compiler) call(raw json.RawMessage) (provider.Call, error) {
	if !c.tools {
		return provider.Call{}, target.BeyondTools()
	}
	var tool struct {
		Name      string
		Arguments json.RawMessage
		Result    json.RawMessage
		Error     *string
		Approval  any
		Client    bool
		Waits     *string
	}
	if err := json.Unmarshal(raw, &tool); err != nil {
		return provider.Call{}, fmt.Errorf("the act tool of a script: %w", err)
	}
	if tool.Approval == "broken" || tool.Waits != nil {
		return provider.Call{}, &target.Beyond{What: "a tool that waits, or whose gate is broken"}
	}
	var arguments bytes.Buffer
	if tool.Arguments != nil && json.Compact(&arguments, tool.Arguments) != nil {
		return provider.Call{}, fmt.Errorf("the act tool of a script: its arguments are no JSON: %s", tool.Arguments)
	}
	n := len(c.script.Tools)
	c.script.Tools = append(c.script.Tools, provider.Tool{
		Result: tool.Result, Error: tool.Error, Approval: tool.Approval == true, Client: tool.Client,
	})
	isObject := bytes.HasPrefix(arguments.Bytes(), []byte("{")) // other arguments are there for what a runtime makes of them
	return provider.Call{Name: tool.Name, Arguments: arguments.String(), Tool: n, Fit: isObject}, nil
}

// parallel adds calls that are made at a time.
func (c *compiler) parallel(raw json.RawMessage) error {
	var branches [][]map[string]json.RawMessage
	if err := json.Unmarshal(raw, &branches); err != nil {
		return fmt.Errorf("the act parallel of a script: %w", err)
	}
	for _, branch := range branches {
		if len(branch) != 1 || branch[0]["tool"] == nil {
			return &target.Beyond{What: "branches that do something else than call a tool"}
		}
		call, err := c.call(branch[0]["tool"])
		if err != nil {
			return err
		}
		c.actions = append(c.actions, call)
	}
	if len(branches) < 2 {
		return &target.Beyond{What: "a branch by itself"}
	}
	c.close()
	return nil
}

// fail adds a step in which the provider answers a request with the status of an error's code.
func (c *compiler) fail(raw json.RawMessage) error {
	var failure struct {
		Message, Code    string
		Retryable, Abort bool
	}
	if err := json.Unmarshal(raw, &failure); err != nil {
		return fmt.Errorf("the act error of a script: %w", err)
	}
	status := map[string]int{"provider_auth_error": 401, "provider_invalid_request": 400}[failure.Code]
	if status == 0 || failure.Retryable || failure.Abort || failure.Message == "" || len(c.actions) > 0 {
		return &target.Beyond{What: "this failure"}
	}
	fault := provider.BadRequest
	if fault.Message = failure.Message; status == 401 {
		fault = provider.WrongKey
		fault.Message = failure.Message
	}
	c.script.Steps = append(c.script.Steps, provider.Step{Fault: &fault})
	c.over = true
	return nil
}
