package run

import (
	"encoding/json"
	"fmt"
	"slices"
)

// scriptStep is one instruction of a script.
type scriptStep struct {
	kind     string
	text     string          // text, thinking, stop and await; error: its message
	name     string          // tool, custom, subagent: its name; set, append, delete: the key
	value    any             // tool: arguments; custom: data; set: value; output
	items    []any           // that append adds, in their order
	result   any             // of a tool or a sub-agent; nil for none
	fails    *string         // tool, subagent
	consent  bool            // tool: it waits for an approval
	broken   bool            // the approval gate is
	client   bool            // tool: it waits for a result of the client
	waits    string          // tool: name of the barrier that it waits for, "" for none
	limit    float64         // subagent: its time in milliseconds, which runs out where it waits; 0 for none
	branches [][]*scriptStep // parallel: run concurrently; subagent: its script
	code     string          // error
	again    bool            // error: it is retryable
	abort    bool            // error: the run is cancelled
}

// ParseScript reads the steps of a script as the control binding has them.
func ParseScript(raw []byte) (Script, error) {
	var lists [][]map[string]json.RawMessage
	if err := json.Unmarshal(raw, &lists); err != nil {
		return nil, fmt.Errorf("reading a script: %w", err)
	}
	return scriptStepsOf(lists)
}

// Script lists the script steps of an agent, by step of its run.
type Script [][]*scriptStep

func scriptStepsOf(lists [][]map[string]json.RawMessage) ([][]*scriptStep, error) {
	out := make([][]*scriptStep, 0, len(lists))
	for _, list := range lists {
		scriptSteps := make([]*scriptStep, 0, len(list))
		for _, members := range list {
			for kind, raw := range members {
				a, err := scriptStepOf(kind, raw)
				if err != nil {
					return nil, fmt.Errorf("reading the act %s of a script: %w", kind, err)
				}
				scriptSteps = append(scriptSteps, a)
			}
		}
		out = append(out, scriptSteps)
	}
	return out, nil
}

func scriptStepOf(kind string, raw json.RawMessage) (a *scriptStep, err error) {
	a = &scriptStep{kind: kind}
	switch kind {
	case "text", "thinking", "stop", "await":
		return a, json.Unmarshal(raw, &a.text)
	case "output":
		return a, json.Unmarshal(raw, &a.value)
	case "parallel":
		var lists [][]map[string]json.RawMessage
		if err = json.Unmarshal(raw, &lists); err == nil {
			a.branches, err = scriptStepsOf(lists)
		}
		return a, err
	}
	var m struct {
		Name, EventName, Key, Type string
		Arguments, Data, Value     any
		Result                     any
		Items                      []any
		Error                      *string
		Approval                   any
		Client                     bool
		Waits, Message, Code       string
		Retryable, Abort           bool
		Script                     [][]map[string]json.RawMessage
		TimeoutMs                  float64
	}
	if err = json.Unmarshal(raw, &m); err != nil {
		return nil, err
	}
	switch kind {
	case "tool":
		a.name, a.value, a.result, a.fails, a.client, a.waits = m.Name, m.Arguments, m.Result, m.Error, m.Client, m.Waits
		a.broken = m.Approval == "broken" // a gate that fails demands consent
		a.consent = m.Approval == true || a.broken
	case "custom":
		a.name, a.value = m.EventName, m.Data
	case "set", "append", "delete":
		a.name, a.value, a.items = m.Key, m.Value, m.Items
	case "subagent":
		a.name, a.result, a.fails, a.limit = m.Type, m.Result, m.Error, m.TimeoutMs
		a.branches, err = scriptStepsOf(m.Script)
	case "error":
		a.text, a.code, a.again, a.abort = m.Message, m.Code, m.Retryable, m.Abort
	default:
		err = fmt.Errorf("there is no such act")
	}
	return a, err
}

// arguments returns the arguments that readers must receive, and the requirement on them: helix.tools.arguments-parsed,
// helix.tools.arguments-coerced.
func (a *scriptStep) arguments() (object map[string]any, rule string) {
	switch given := a.value.(type) {
	case map[string]any:
		return given, "helix.tools.reported"
	case string:
		if json.Unmarshal([]byte(given), &object) == nil && object != nil {
			return object, "helix.tools.arguments-parsed"
		}
	}
	return map[string]any{}, "helix.tools.arguments-coerced"
}

// fatalStops lists the stop reasons that are failures.
var fatalStops = []string{"content_filter", "refusal", "error", "unknown"}

// fault returns the error that a script step causes, nil if it causes none.
func (a *scriptStep) fault() *fault {
	switch {
	case a.kind == "stop" && a.text == "max_tokens":
		return &fault{rule: "helix.errors.stop-reason", goesOn: true}
	case a.kind == "stop" && slices.Contains(fatalStops, a.text):
		return &fault{rule: "helix.errors.stop-reason"}
	case a.kind == "stop":
		return nil
	case a.abort:
		return &fault{rule: "helix.errors.cancelled", code: "framework_cancelled"}
	case a.code == "":
		return &fault{rule: "helix.errors.unclassified", code: "framework_internal_error", orNone: true}
	}
	return &fault{rule: "helix.errors.classified", code: a.code, goesOn: a.again}
}

// fault is an error that must be reported in a chunk.
type fault struct {
	rule   string // that is broken if it isn't reported
	code   string // "" for any
	orNone bool   // or without a code
	goesOn bool   // the error is recoverable, and the run continues
}
