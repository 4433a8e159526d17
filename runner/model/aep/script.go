package aep

import (
	"bytes"
	"encoding/json"
)

// Act is one thing that the agent does, as the control binding has it.
type Act struct {
	Name string // text, thinking, echo, fail, await, tool or continue
	Text string // of all but the last two
	Tool Tool
	Asks Asked
}

// Tool is a call and what comes of it.
type Tool struct {
	Name      string
	Arguments map[string]any
	Secret    string // stands at the end of what the tool returns
	Fails     bool
	Summary   string
}

// Asked is something that the client has to do.
type Asked struct {
	Kind    string
	Payload any
}

// Result is what came of an action.
type Result struct {
	ActionID string
	Value    any
	Failed   bool // Value stands under error, and is a string
}

// Object is the result as it is sent, with the name of the member that holds it.
func (r Result) Object(member string) map[string]any {
	if r.Failed {
		member = "error"
	}
	return map[string]any{"actionId": r.ActionID, member: r.Value}
}

// payload is about how long what a tool returns is at least: the suite looks for the end of results of that size.
const payload = 320

// Object is the act as a script has it.
func (a Act) Object() map[string]any {
	switch a.Name {
	case "tool":
		tool := map[string]any{"name": a.Tool.Name, "arguments": a.Tool.Arguments}
		if a.Tool.Fails {
			tool["error"] = "it failed"
		} else {
			tool["result"] = map[string]any{"a": string(bytes.Repeat([]byte("row "), payload/4)), "z": a.Tool.Secret}
		}
		if a.Tool.Summary != "" {
			tool["summary"] = a.Tool.Summary
		}
		return map[string]any{"tool": tool}
	case "continue":
		return map[string]any{"continue": map[string]any{"kind": a.Asks.Kind, "payload": a.Asks.Payload}}
	}
	return map[string]any{a.Name: a.Text}
}

// decoded is a value as a client reads it that was sent as JSON.
func decoded(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings, numbers and what is made of them
	}
	var out any
	if err := json.Unmarshal(raw, &out); err != nil {
		panic(err)
	}
	return out
}
