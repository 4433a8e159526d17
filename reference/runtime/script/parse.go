package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/streamcert/streamcert/reference/runtime"
)

// maxDepth limits the nesting of sub-agents and parallel branches.
const maxDepth = 64

// maxTimeout is the longest time that a sub-agent can be given, in milliseconds.
const maxTimeout = 24 * 60 * 60 * 1000

// tool is a scripted tool call and its outcome.
type tool struct {
	Name      string          `json:"name"`      // never empty
	Arguments json.RawMessage `json:"arguments"` // sent as they are
	Result    json.RawMessage `json:"result"`    // nil or Error is nil
	Error     *string         `json:"error"`
	Approval  approval        `json:"approval"` // whether the user decides first
	Client    bool            `json:"client"`   // the client runs it
	Waits     *string         `json:"waits"`    // barrier before its end; nil for none
}

// approval is true, false or "broken".
type approval struct{ needed, broken bool }

func (a *approval) UnmarshalJSON(raw []byte) error {
	if string(raw) == `"broken"` {
		a.broken = true
		return nil
	}
	if err := json.Unmarshal(raw, &a.needed); err != nil {
		return errors.New(`approval is a boolean or "broken"`)
	}
	return nil
}

type custom struct {
	EventName string          `json:"eventName"` // never empty
	Data      json.RawMessage `json:"data"`      // any JSON value
}

type set struct {
	Key   string          `json:"key"`   // of the state; never empty
	Value json.RawMessage `json:"value"` // any JSON value
}

type appending struct {
	Key   string            `json:"key"`   // of a list in the state; never empty
	Items []json.RawMessage `json:"items"` // any JSON values, in order
}

type deletion struct {
	Key string `json:"key"` // of the state; never empty
}

type subagent struct {
	Type      string          `json:"type"`      // never empty
	Script    json.RawMessage `json:"script"`    // an array of steps
	Result    json.RawMessage `json:"result"`    // nil or Error is nil
	Error     *string         `json:"error"`     // it fails after its script
	TimeoutMs *float64        `json:"timeoutMs"` // an integer from 1 to maxTimeout; nil for none
}

type failure struct {
	Message   *string `json:"message"`   // required
	Code      string  `json:"code"`      // "" is unclassified
	Retryable bool    `json:"retryable"` // the agent may go on, unless Last
	Last      bool    `json:"last"`      // no retry is left
	Abort     bool    `json:"abort"`     // the run is cancelled
}

// parser is a position in a script.
type parser struct {
	at       string // JSON pointer into the script
	depth    int    // at most maxDepth
	inBranch bool   // inside a branch of a parallel instruction
}

func (p parser) errorf(format string, args ...any) error {
	return &Error{At: p.at, Reason: fmt.Sprintf(format, args...)}
}

// in goes to a member or an item.
func (p parser) in(name any) parser {
	p.at = fmt.Sprint(p.at, "/", name)
	return p
}

// list reads an array, each item by the function given.
func list[T any](p parser, raw json.RawMessage, of string, item func(parser, json.RawMessage, bool) (T, error)) ([]T, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil || items == nil {
		return nil, p.errorf("this is an array of %s", of)
	}
	all := make([]T, 0, len(items))
	for i, raw := range items {
		one, err := item(p.in(i), raw, i == len(items)-1)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

func (p parser) steps(raw json.RawMessage) ([][]instruction, error) {
	if p.depth > maxDepth {
		return nil, p.errorf("nothing can be nested deeper than %d", maxDepth)
	}
	return list(p, raw, "steps", func(p parser, raw json.RawMessage, last bool) ([]instruction, error) {
		return p.parseInstructions(raw, last)
	})
}

// parseInstructions reads one step or one branch; in the last step the last instruction may be an output.
func (p parser) parseInstructions(raw json.RawMessage, lastStep bool) ([]instruction, error) {
	return list(p, raw, "acts", func(p parser, raw json.RawMessage, last bool) (instruction, error) {
		return p.parseInstruction(raw, lastStep && last && !p.inBranch)
	})
}

func (p parser) parseInstruction(raw json.RawMessage, last bool) (instruction, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil || len(members) != 1 {
		return instruction{}, p.errorf("an act is an object with one member")
	}
	for name, value := range members {
		// helix.output.once, helix.output.last: output is refused anywhere but at the very end.
		if name == "output" && !last {
			return instruction{}, p.errorf("output is the last act of the last step")
		}
		return p.in(name).named(name, value)
	}
	return instruction{}, nil
}

func (p parser) named(name string, raw json.RawMessage) (instruction, error) {
	switch name {
	case "text", "thinking", "stop", "await":
		return p.word(name, raw)
	case "tool":
		return p.tool(raw)
	case "custom", "set", "append", "delete":
		return p.work(name, raw)
	case "parallel":
		return p.parallel(raw)
	case "subagent":
		return p.subagent(raw)
	case "error":
		return p.failure(raw)
	case "output":
		return instruction{event: runtime.Output{Value: raw}}, nil
	}
	return instruction{}, p.errorf("there is no such act")
}

// reasons returns the valid stop reasons of a model.
func reasons() []string {
	return []string{
		"end_turn", "stop_sequence", "tool_use", "max_tokens", "content_filter", "refusal", "error", "unknown",
	}
}

// word reads an instruction whose value is a text.
func (p parser) word(name string, raw json.RawMessage) (instruction, error) {
	var text *string
	if err := json.Unmarshal(raw, &text); err != nil || text == nil {
		return instruction{}, p.errorf("this is a text")
	}
	switch name {
	case "text":
		return instruction{event: runtime.Text{Text: *text}}, nil
	case "thinking":
		return instruction{event: runtime.Reasoning{Text: *text}}, nil
	}
	if *text == "" {
		return instruction{}, p.errorf("this is a text that isn't empty")
	}
	if name == "stop" {
		if !slices.Contains(reasons(), *text) {
			return instruction{}, p.errorf("a reason to stop is one of %s", strings.Join(reasons(), ", "))
		}
		return instruction{event: runtime.Stop{Reason: *text}}, nil
	}
	return instruction{barrier: *text}, nil
}

// object reads an object that has no members but those of into.
func (p parser) object(raw json.RawMessage, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members == nil {
		return p.errorf("this is an object")
	}
	for name, value := range members {
		if string(value) == "null" && !slices.Contains([]string{"arguments", "result", "data", "value"}, name) {
			return p.in(name).errorf("this can't be null")
		}
	}
	if err := decoder.Decode(into); err != nil {
		return p.errorf("%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

func (p parser) tool(raw json.RawMessage) (instruction, error) {
	var t tool
	if err := p.object(raw, &t); err != nil {
		return instruction{}, err
	}
	switch {
	case t.Name == "":
		return instruction{}, p.errorf("a tool needs a name")
	case t.Waits != nil && *t.Waits == "":
		return instruction{}, p.in("waits").errorf("this is a text that isn't empty")
	case t.Result != nil && t.Error != nil:
		return instruction{}, p.errorf("a tool has a result or an error, not both")
	}
	return instruction{event: runtime.Call{Tool: t.Name, Arguments: t.Arguments, Origin: &t}}, nil
}

func (p parser) work(name string, raw json.RawMessage) (instruction, error) {
	var origin any
	var err error
	var lacking bool
	switch name {
	case "custom":
		var c custom
		err = p.object(raw, &c)
		origin, lacking = c, c.EventName == ""
	case "set":
		var s set
		err = p.object(raw, &s)
		origin, lacking = s, s.Key == "" || s.Value == nil
	case "append":
		var a appending
		err = p.object(raw, &a)
		origin, lacking = a, a.Key == "" || a.Items == nil
	case "delete":
		var d deletion
		err = p.object(raw, &d)
		origin, lacking = d, d.Key == ""
	}
	switch {
	case err != nil:
		return instruction{}, err
	case lacking:
		return instruction{}, p.errorf("a member that this act needs is not there, or empty")
	}
	return instruction{event: runtime.Work{Origin: origin}}, nil
}

func (p parser) parallel(raw json.RawMessage) (instruction, error) {
	p.depth++
	p.inBranch = true
	if p.depth > maxDepth {
		return instruction{}, p.errorf("nothing can be nested deeper than %d", maxDepth)
	}
	branches, err := list(p, raw, "branches", func(p parser, raw json.RawMessage, _ bool) ([]instruction, error) {
		return p.parseInstructions(raw, false)
	})
	return instruction{parallel: branches}, err
}

func (p parser) subagent(raw json.RawMessage) (instruction, error) {
	var s subagent
	if err := p.object(raw, &s); err != nil {
		return instruction{}, err
	}
	switch {
	case s.Type == "":
		return instruction{}, p.errorf("a sub-agent needs a type")
	case s.Result != nil && s.Error != nil:
		return instruction{}, p.errorf("a sub-agent has a result or an error, not both")
	case s.TimeoutMs != nil && (*s.TimeoutMs < 1 || *s.TimeoutMs > maxTimeout || *s.TimeoutMs != math.Trunc(*s.TimeoutMs)):
		return instruction{}, p.in("timeoutMs").errorf("this is an integer of milliseconds, from 1 to %d", maxTimeout)
	}
	var timeout time.Duration
	if s.TimeoutMs != nil {
		timeout = time.Duration(*s.TimeoutMs) * time.Millisecond
	}
	inner := p.in("script")
	inner.depth++
	inner.inBranch = false
	steps, err := inner.steps(s.Script)
	if err != nil {
		return instruction{}, err
	}
	if s.Error != nil { // after its other acts
		if len(steps) == 0 {
			steps = [][]instruction{nil}
		}
		last := len(steps) - 1
		steps[last] = append(steps[last], instruction{err: errors.New(*s.Error)})
	}
	return instruction{event: runtime.Delegation{
		AgentType: s.Type, Model: &Script{steps}, Result: s.Result, Timeout: timeout,
	}}, nil
}

func (p parser) failure(raw json.RawMessage) (instruction, error) {
	var f failure
	if err := p.object(raw, &f); err != nil {
		return instruction{}, err
	}
	switch {
	case f.Message == nil:
		return instruction{}, p.errorf("an error needs a message")
	case f.Abort:
		return instruction{err: &aborted{*f.Message}}, nil
	case f.Code == "":
		return instruction{err: errors.New(*f.Message)}, nil // an unclassified error
	}
	return instruction{err: &runtime.Error{Message: *f.Message, Code: f.Code, Retryable: f.Retryable && !f.Last}}, nil
}
