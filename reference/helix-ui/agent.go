package helixui

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"github.com/streamcert/streamcert/reference/text"
)

// Instruction is one instruction of a script; one member is set.
type Instruction struct {
	Text     *string         `json:"text"`
	Thinking Reasoning       `json:"thinking"` // its pieces, with barriers in between
	Tool     *Call           `json:"tool"`     // a call with its result
	Fail     *string         `json:"fail"`     // with this message; nothing follows
	Finish   *string         `json:"finish"`   // the model stops for this reason; nothing follows
	Await    *string         `json:"await"`    // waits until this barrier is released
	Hang     bool            `json:"hang"`     // does nothing until the turn is stopped
	Chunk    json.RawMessage `json:"chunk"`    // a chunk of helix as it is
	Part     json.RawMessage `json:"part"`     // a data part of the application
}

// Reasoning is the reasoning of an agent: texts, and barriers between them.
type Reasoning []Instruction

// UnmarshalJSON reads a text, or an array of texts and of objects with an await.
func (t *Reasoning) UnmarshalJSON(raw []byte) error {
	var whole string
	if json.Unmarshal(raw, &whole) == nil {
		*t = Reasoning{{Text: &whole}}
		return nil
	}
	var pieces []json.RawMessage
	if err := json.Unmarshal(raw, &pieces); err != nil || len(pieces) == 0 {
		return errors.Join(errors.New("a thought is a text, or an array of texts and barriers"), err)
	}
	*t = nil
	for _, raw := range pieces {
		var said string
		var act struct{ Await *string }
		switch {
		case json.Unmarshal(raw, &said) == nil:
			*t = append(*t, Instruction{Text: &said})
		case json.Unmarshal(raw, &act) == nil && act.Await != nil:
			*t = append(*t, Instruction{Await: act.Await})
		default:
			return errors.New("a piece of a thought is a text or a barrier")
		}
	}
	return nil
}

// Call is a call of a tool with its result.
type Call struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"` // a string is the model's raw output
	Result    json.RawMessage `json:"result"`    // nil for none
	Error     *string         `json:"error"`     // nil if it doesn't fail
	Approval  bool            `json:"approval"`  // the user has to approve it
	Client    bool            `json:"client"`    // the client runs it

	id string // that the model gave it; "" for one of a script
}

// errFailed reports that the agent has emitted its failure.
var errFailed = errors.New("the agent failed")

// agent is the agent of one turn.
type agent struct {
	turn   *turn       // that it writes
	chunk  func(Chunk) // maps a chunk to parts
	part   func(Part)  // sends a part as it is
	calls  int         // in the message so far; the number of the latest
	reason string      // why the model stopped
}

// play performs a script, and ends with an error after the last possible instruction.
func (a *agent) play(ctx context.Context, instructions []Instruction) error {
	for i, act := range instructions {
		if act.waits() {
			a.wait(instructions[i:])
			return nil
		}
		if err := a.do(ctx, act); err != nil {
			return err
		}
	}
	return nil
}

func (a *agent) do(ctx context.Context, act Instruction) error {
	switch {
	case act.Text != nil:
		for _, piece := range text.Words(*act.Text) {
			a.say(Chunk{"type": "text_delta", "delta": piece})
		}
	case act.Thinking != nil:
		return a.think(ctx, act.Thinking)
	case act.Tool != nil:
		a.call(*act.Tool)
		a.say(Chunk{"type": "step_committed"})
	case act.Fail != nil:
		a.say(Chunk{"type": "error", "error": *act.Fail, "recoverable": false})
		return errFailed
	case act.Finish != nil:
		a.reason = *act.Finish
	case act.Await != nil:
		return a.turn.await(ctx, *act.Await)
	case act.Hang:
		<-ctx.Done()
		return ctx.Err()
	case act.Chunk != nil:
		a.chunk(decode(act.Chunk))
	case act.Part != nil:
		a.part(decode(act.Part))
	}
	return nil
}

// say emits a chunk of the root agent, whose name is that of the chat.
func (a *agent) say(c Chunk) {
	c["agentId"] = a.turn.Chat
	a.chunk(c)
}

// think emits reasoning in increments, and then once more completely.
func (a *agent) think(ctx context.Context, reasoning Reasoning) error {
	whole := ""
	for _, piece := range reasoning {
		if piece.Await != nil {
			if err := a.turn.await(ctx, *piece.Await); err != nil {
				return err
			}
			continue
		}
		whole += *piece.Text
		for _, word := range text.Words(*piece.Text) {
			a.say(Chunk{"type": "thinking", "content": word, "isComplete": false})
		}
	}
	a.say(Chunk{"type": "thinking", "content": whole, "isComplete": true})
	return nil
}

// call calls a tool and emits its result. It reports whether the arguments can be parsed.
func (a *agent) call(c Call) (readable bool) {
	id := a.nextID()
	if c.id != "" {
		id = c.id
	}
	written := string(c.Arguments)
	_ = json.Unmarshal(c.Arguments, &written) // a string in a script is the model's raw output
	input := decode([]byte(written))
	if input == nil {
		// helix-ui.tools.bad-arguments: no chunk can contain arguments that aren't an object, so the part contains the
		// model's raw output.
		a.part(Part{"type": "tool-input-start", "toolCallId": id, "toolName": c.Name})
		a.part(Part{"type": "tool-input-error", "toolCallId": id, "toolName": c.Name, "input": written, "errorText": "the arguments are no JSON object"})
		return false
	}
	a.say(Chunk{"type": "tool_start", "toolCallId": id, "toolName": c.Name, "arguments": input})
	a.returns(c, id)
	return true
}

// nextID returns the id of the next call of the message.
func (a *agent) nextID() string {
	a.calls++
	return a.turn.MessageID + "-call-" + strconv.Itoa(a.calls)
}

// returns emits the result of a call.
func (a *agent) returns(c Call, id string) {
	end := Chunk{"type": "tool_end", "toolCallId": id, "toolName": c.Name, "success": c.Error == nil, "result": c.Result}
	if c.Result == nil {
		end["result"] = json.RawMessage("null")
	}
	if c.Error != nil {
		end["error"] = *c.Error
	}
	a.say(end)
}

// waits reports whether the client has to answer: the user approves the call, or the client runs it.
func (a Instruction) waits() bool { return a.Tool != nil && (a.Tool.Approval || a.Tool.Client) }

// wait emits the calls with which a script begins that wait at once. What follows is of the response to the answers.
// helix-ui.waiting.unrun, helix-ui.waiting.client-tools: no call returns before the client has answered.
func (a *agent) wait(script []Instruction) {
	n := slices.IndexFunc(script, func(one Instruction) bool { return !one.waits() })
	if n < 0 {
		n = len(script)
	}
	for _, one := range script[:n] {
		c := *one.Tool
		c.id = a.nextID()
		input := decode(c.Arguments)
		a.say(Chunk{"type": "tool_start", "toolCallId": c.id, "toolName": c.Name, "arguments": input})
		if c.Approval {
			// helix-ui.waiting.requested: each call has a request of its own.
			a.say(Chunk{"type": "tool_approval_request", "toolCallId": c.id, "toolName": c.Name, "arguments": input})
		}
		a.turn.waiting = append(a.turn.waiting, c)
	}
	a.turn.later, a.turn.calls = script[n:], a.calls
}

// outcomes emits the results of answered calls. Outputs that the client brought aren't repeated.
func (a *agent) outcomes() {
	for _, one := range a.turn.answers {
		switch {
		case one.call.Client:
		case one.part.approves():
			// helix-ui.waiting.approved: the tool runs now.
			a.returns(one.call, one.call.id)
		default:
			// helix-ui.waiting.denied: it never runs.
			a.part(Part{"type": "tool-output-denied", "toolCallId": one.call.id})
		}
	}
}

// brought returns the part of a stream for a call that the client has run, from its part of a message.
func (p Part) brought() Part {
	member := map[string]string{"output-available": "output", "output-error": "errorText"}[p.Text("state")]
	return Part{"type": "tool-" + p.Text("state"), "toolCallId": p["toolCallId"], member: p[member]}
}

// takes reports whether a part answers the call.
func (c Call) takes(p Part) bool {
	if c.Client {
		return p.Text("state") == "output-available" || p.Text("state") == "output-error"
	}
	approval, _ := p["approval"].(map[string]any)
	_, decided := approval["approved"].(bool)
	return p.Text("state") == "approval-responded" && decided && approval["id"] == approvalID(c.id)
}
