package merlin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Request is the body of a client's POST.
type Request struct {
	Message string  `json:"message"`     // of the user
	Script  *Script `json:"conformance"` // nil: the model answers, or the server repeats the message
}

// Script describes the initial state of a stream and its events.
type Script struct {
	Stream string `json:"stream"` // the name that the client gives it
	Start
	Instructions []Instruction `json:"acts"` // in their order
}

// Start is the state with which a stream begins.
type Start struct {
	GlobalIndex       int               `json:"globalIndex"`       // index at which the stream continues
	EventManagerIndex int               `json:"eventManagerIndex"` // of the event manager
	ContentIndex      *int              `json:"contentIndex"`      // content index that the caller chooses; nil leaves it to the server
	Suppress          bool              `json:"suppress"`          // the model's output isn't sent to the client
	Attachments       []json.RawMessage `json:"attachments"`       // of the message; those of the type web are cited
	Manager           string            `json:"manager"`           // version of the event manager, "" for the default
}

// Instruction is one instruction of a script; one member is set.
type Instruction struct {
	Delta      json.RawMessage  `json:"delta"`      // an event of the model with this delta
	Usage      json.RawMessage  `json:"usage"`      // an event of the model with this usage
	Bytes      *string          `json:"bytes"`      // bytes of the model, unchanged
	Split      *int             `json:"split"`      // from here on it comes in pieces of so many bytes; 0: an event a piece
	Abort      bool             `json:"abort"`      // the connection to the model breaks
	Stop       bool             `json:"stop"`       // the user stops the request
	Await      string           `json:"await"`      // waits until this barrier is released
	Step       *StepInstruction `json:"progress"`   // an operation on the event manager
	SubAgent   *SubAgent        `json:"subagent"`   // an agent whose answer is a tool's result
	ToolResult *ToolResult      `json:"toolResult"` // a complete result of a tool
	Handoff    string           `json:"handoff"`    // another agent, of this name, goes on
}

// StepInstruction is an operation on the event manager.
type StepInstruction struct {
	Do     string            `json:"do"`     // create, send, tags, latest, rename or end
	Step   string            `json:"step"`   // name of the step; none where the manager is renamed
	Name   string            `json:"name"`   // new name of the manager
	Icon   string            `json:"icon"`   // "" for the default
	Values []json.RawMessage `json:"values"` // any JSON values, for send
	Tags   []string          `json:"tags"`   // for tags
}

// SubAgent is an agent whose answer is the result of a tool.
type SubAgent struct {
	Index        int           `json:"index"`    // of the tool result
	Suppress     bool          `json:"suppress"` // its partial result isn't sent to the client
	Instructions []Instruction `json:"acts"`     // output of its model
}

// ToolResult is a result that is complete.
type ToolResult struct {
	Index      int    `json:"index"`      // of the call
	Result     string `json:"result"`     // sent as it is
	ToolCallID string `json:"toolCallId"` // of the call
	Name       string `json:"name"`       // of the tool
}

// upstream reports whether an instruction is output of the model.
func (a Instruction) upstream() bool {
	return a.Delta != nil || a.Usage != nil || a.Bytes != nil || a.Split != nil
}

// readRequest reads the body of a request.
func readRequest(body []byte) (r Request, err error) {
	if err := json.Unmarshal(body, &r); err != nil {
		return r, fmt.Errorf("the body is no request: %w", err)
	}
	if r.Script == nil {
		return r, nil
	}
	if r.Script.Stream == "" {
		return r, errors.New("the script names no stream")
	}
	return r, checkInstructions(r.Script.Instructions, 0)
}

// checkInstructions rejects an empty or impossible instruction.
func checkInstructions(instructions []Instruction, depth int) error {
	if depth > 1 {
		return errors.New("a sub-agent has no sub-agents")
	}
	for i, a := range instructions {
		if a.Split != nil && *a.Split < 0 {
			return fmt.Errorf("act %d splits into pieces of less than a byte", i+1)
		}
		known := a.upstream() || a.Abort || a.Stop || a.Await != "" || a.Step != nil || a.SubAgent != nil || a.ToolResult != nil || a.Handoff != ""
		if !known {
			return fmt.Errorf("act %d is none that this server knows", i+1)
		}
		if a.SubAgent != nil {
			if err := checkInstructions(a.SubAgent.Instructions, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// written returns the bytes that the model sends for consecutive script steps, divided into pieces. split is the size of a piece in
// bytes, 0 for one piece a step; a step can change it, also for the steps after these.
func written(instructions []Instruction, split *int) (pieces [][]byte) {
	var joined []byte
	cut := func() {
		for len(joined) > 0 {
			n := min(*split, len(joined))
			pieces, joined = append(pieces, joined[:n:n]), joined[n:]
		}
	}
	for _, a := range instructions {
		var text []byte
		switch {
		case a.Split != nil:
			cut()
			*split = *a.Split
			continue
		case a.Bytes != nil:
			text = []byte(*a.Bytes)
		case a.Usage != nil:
			text = upstreamEvent(`{"choices":[],"usage":%s}`, a.Usage)
		default:
			text = upstreamEvent(`{"choices":[{"delta":%s}]}`, a.Delta)
		}
		if *split > 0 {
			joined = append(joined, text...)
		} else {
			pieces = append(pieces, text)
		}
	}
	cut()
	return pieces
}

func upstreamEvent(shape string, value json.RawMessage) []byte {
	var line bytes.Buffer
	if json.Compact(&line, value) != nil {
		line.Write(value)
	}
	return fmt.Appendf(nil, "data: "+shape+"\n\n", line.Bytes())
}
