package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Script lists the instructions of an agent in one turn.
type Script struct {
	Instructions []Instruction // in their order
	Refuse       string        // error code with which the request fails before its stream has started; there are no instructions then
}

// Instruction is one instruction of a script. Name is the member that it has, and the field of that name is set.
type Instruction struct {
	Name     string // decides which of the fields below is set
	Text     string // of text, thinking, echo, fail and await
	Tool     Tool
	Continue Continue
}

// Tool is a call with its result.
type Tool struct {
	Name      string
	Arguments json.RawMessage // an object, compact
	Result    json.RawMessage // nil: none
	Error     *string         // the tool fails
	Summary   string          // "" leaves it to the server
}

// Continue is a request to the client.
type Continue struct {
	Kind    string          // never empty
	Payload json.RawMessage // an object, compact
}

// object is a JSON object whose members keep their bytes.
type object = map[string]json.RawMessage

// Parse reads a script. Its errors name the wrong instruction and the mistake.
func Parse(raw []byte) (*Script, error) {
	members, err := objectOf(raw, "script", "refuse")
	if err != nil {
		return nil, err
	}
	if len(members) != 1 { // a script and a refusal exclude each other
		return nil, errors.New("a script, or a code to refuse with, is expected")
	}
	if code, ok := members["refuse"]; ok {
		text, err := oneOf(code, "internal_error", "stream_timeout")
		if err != nil {
			return nil, fmt.Errorf("refuse: %w", err)
		}
		return &Script{Refuse: text}, nil
	}
	var raws []json.RawMessage
	if json.Unmarshal(members["script"], &raws) != nil || raws == nil {
		return nil, errors.New("script: an array of acts is expected")
	}
	s := &Script{Instructions: make([]Instruction, 0, len(raws))}
	for i, raw := range raws {
		act, err := parseInstruction(raw)
		if err != nil {
			return nil, fmt.Errorf("act %d: %w", i+1, err)
		}
		if i > 0 {
			err = follows(s.Instructions[i-1].Name, act.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("act %d: %w", i+1, err)
		}
		s.Instructions = append(s.Instructions, act)
	}
	return s, nil
}

// follows returns an error if an instruction may not come after another.
func follows(before, name string) error {
	switch {
	case before == "fail":
		return errors.New("nothing follows a fail")
	case before == "continue" && name != "continue":
		return errors.New("only a continue follows a continue")
	}
	return nil
}

func parseInstruction(raw json.RawMessage) (act Instruction, err error) {
	members, err := objectOf(raw)
	if err != nil {
		return act, err
	}
	if len(members) != 1 {
		return act, errors.New("an object with one member is expected")
	}
	for name, value := range members {
		act.Name = name
		switch name {
		case "text", "thinking":
			act.Text, err = textOf(value)
		case "await":
			act.Text, err = nonEmpty(value)
		case "echo":
			act.Text, err = oneOf(value, "messages", "history", "results", "context")
		case "fail":
			act.Text, err = oneOf(value, "agent_error", "tool_error", "internal_error")
		case "hang":
			if !bytes.Equal(value, []byte("true")) {
				err = errors.New("true is expected")
			}
		case "tool":
			act.Tool, err = parseTool(value)
		case "continue":
			act.Continue, err = parseContinue(value)
		default:
			err = errors.New("there is no such act")
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}
	return act, err
}

func parseTool(raw json.RawMessage) (t Tool, err error) {
	members, err := objectOf(raw, "name", "arguments", "result", "error", "summary")
	if err != nil {
		return t, err
	}
	if t.Name, err = nonEmpty(members["name"]); err != nil {
		return t, fmt.Errorf("name: %w", err)
	}
	if _, err = objectOf(members["arguments"]); err != nil {
		return t, fmt.Errorf("arguments: %w", err)
	}
	t.Arguments, t.Result = members["arguments"], members["result"]
	if raw, ok := members["error"]; ok {
		text, err := textOf(raw)
		if err != nil {
			return t, fmt.Errorf("error: %w", err)
		}
		t.Error = &text
	}
	if raw, ok := members["summary"]; ok {
		if t.Summary, err = textOf(raw); err != nil {
			return t, fmt.Errorf("summary: %w", err)
		}
	}
	return t, nil
}

func parseContinue(raw json.RawMessage) (c Continue, err error) {
	members, err := objectOf(raw, "kind", "payload")
	if err != nil {
		return c, err
	}
	if c.Kind, err = nonEmpty(members["kind"]); err != nil {
		return c, fmt.Errorf("kind: %w", err)
	}
	payload, ok := members["payload"]
	if !ok {
		return c, errors.New("a payload is expected")
	}
	c.Payload = payload
	return c, nil
}

// objectOf reads an object; where names are given, it may have no others.
func objectOf(raw []byte, names ...string) (object, error) {
	var members object
	if json.Unmarshal(raw, &members) != nil || members == nil {
		return nil, errors.New("an object is expected")
	}
	for name := range members {
		if len(names) > 0 && !slices.Contains(names, name) {
			return nil, fmt.Errorf("%q isn't one of %q", name, names)
		}
	}
	return members, nil
}

func textOf(raw []byte) (string, error) {
	var text *string
	if json.Unmarshal(raw, &text) != nil || text == nil {
		return "", errors.New("a string is expected")
	}
	return *text, nil
}

func nonEmpty(raw []byte) (string, error) {
	text, err := textOf(raw)
	if err == nil && text == "" {
		err = errors.New("a string that isn't empty is expected")
	}
	return text, err
}

func oneOf(raw []byte, names ...string) (string, error) {
	text, err := textOf(raw)
	if err == nil && !slices.Contains(names, text) {
		err = fmt.Errorf("one of %q is expected", names)
	}
	return text, err
}
