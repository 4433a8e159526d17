package aep

import (
	"encoding/json"
	"slices"
	"strings"
)

// ScriptStep is one instruction of a script of the control binding.
type ScriptStep struct {
	Name string        // text, thinking, echo, fail, await, tool or continue
	Text string        // of all but the last two
	Tool Tool          // of a tool
	Asks ActionRequest // of a continue
}

// Tool is a call with its result.
type Tool struct {
	Name      string
	Arguments map[string]any // sent as they are
	Secret    string         // occurs at the end of the tool's result
	Form      string         // of that: "", an object, or "list" or "text"
	Fails     bool           // its result is an error
	Small     int            // without a secret: which of the small values it returns; 0 for none, and for a failure without words
	Summary   *string        // nil: the server finds words
}

// ActionRequest is an action of the client.
type ActionRequest struct {
	Kind    string
	Payload any // any JSON value
}

// small are the values that a server may take for nothing.
var small = []any{nil, false, 0.0, "", []any{}, map[string]any{}, true}

// returns returns the result of the tool as a JSON value.
func (t Tool) returns() any {
	if t.Secret == "" {
		return small[t.Small%len(small)]
	}
	rows := strings.Repeat("row ", payload/4)
	switch t.Form {
	case "list":
		return []any{rows, t.Secret}
	case "text":
		return rows + t.Secret
	}
	return map[string]any{"rows": []any{rows, t.Secret}} // one member, so that the secret is last in any order of members
}

// Result is the client's result of an action.
type Result struct {
	ActionID string // "" leaves the id out
	Value    any    // a JSON value
	Failed   bool   // Value is a string, sent as the member error
	Status   string // status of the result; "" leaves it out
}

// Object returns the result as it is sent, with its value under the given member.
func (r Result) Object(member string) map[string]any {
	if r.Failed {
		member = "error"
	}
	object := map[string]any{member: r.Value}
	if r.ActionID != "" {
		object["actionId"] = r.ActionID
	}
	if r.Status != "" {
		object["status"] = r.Status
	}
	return object
}

// unclear reports whether results hold two results for one action, or one that names none.
func unclear(results []Result) bool {
	seen := map[string]bool{"": true}
	for _, r := range results {
		if seen[r.ActionID] {
			return true
		}
		seen[r.ActionID] = true
	}
	return false
}

// payload is the approximate minimum length of a tool's result with a secret, whose end the suite searches for.
const payload = 320

// Object returns the step in the form of a script.
func (a ScriptStep) Object() map[string]any {
	switch a.Name {
	case "tool":
		tool := map[string]any{"name": a.Tool.Name, "arguments": a.Tool.Arguments}
		switch {
		case a.Tool.Fails && a.Tool.Small == 0:
			tool["error"] = ""
		case a.Tool.Fails:
			tool["error"] = "it failed"
		case a.Tool.Secret != "" || a.Tool.Small > 0:
			tool["result"] = a.Tool.returns()
		}
		if a.Tool.Summary != nil {
			tool["summary"] = *a.Tool.Summary
		}
		return map[string]any{"tool": tool}
	case "continue":
		return map[string]any{"continue": map[string]any{"kind": a.Asks.Kind, "payload": a.Asks.Payload}}
	}
	return map[string]any{a.Name: a.Text}
}

// decoded returns a value as a client reads it that was sent as JSON.
func decoded(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings, numbers and values made from them
	}
	var out any
	if err := json.Unmarshal(raw, &out); err != nil {
		panic(err)
	}
	return out
}

// echoes reports whether one of the steps is an echo, whose text the script doesn't contain.
func echoes(steps []ScriptStep) bool {
	return slices.ContainsFunc(steps, func(s ScriptStep) bool { return s.Name == "echo" })
}

// literal returns the text that the steps specify, without the text of echoes.
func literal(steps []ScriptStep) string {
	var all strings.Builder
	for _, s := range steps {
		if s.Name == "text" {
			all.WriteString(s.Text)
		}
	}
	return all.String()
}

// before returns the steps that an agent performs which may pass so many barriers.
func before(steps []ScriptStep, barriers int) []ScriptStep {
	for i, s := range steps {
		if s.Name == "await" {
			if barriers--; barriers < 0 {
				return steps[:i]
			}
		}
	}
	return steps
}

// failed contains the requirement of each code with which an agent fails.
var failed = map[string]string{"agent_error": "aep.errors.agent", "tool_error": "aep.errors.tool", "internal_error": "aep.errors.in-stream"}

// cleanEnd is the failure of a model whose body ends without a finish reason, as runner/target/aep names it.
const cleanEnd = "a clean end without a finish reason"

// failure returns the code with which an agent fails after the steps, "" if it doesn't.
func failure(steps []ScriptStep) string {
	n := len(steps)
	switch {
	case n == 0 || steps[n-1].Name != "fail":
		return ""
	case failed[steps[n-1].Text] != "":
		return steps[n-1].Text
	}
	return "agent_error" // the model broke off
}

// unfinished reports whether the model's answer ends after the steps without a finish reason.
func unfinished(steps []ScriptStep) bool {
	n := len(steps)
	return n > 0 && steps[n-1].Name == "fail" && steps[n-1].Text == cleanEnd
}
