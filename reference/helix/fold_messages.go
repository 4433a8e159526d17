package helix

import (
	"encoding/json"
	"strconv"
)

// Message contains the text, reasoning and tool calls of one step.
type Message struct {
	ID    string `json:"id"`    // from its index among the messages
	Role  string `json:"role"`  // always "assistant"
	Parts []Part `json:"parts"` // in the order of the stream; never nil
}

// Part is a piece of a message: text or reasoning with its text, or a tool with the remainder.
type Part struct {
	Type       string          `json:"type"`                 // text, reasoning or tool
	Text       string          `json:"text,omitempty"`       // of text and reasoning
	ToolCallID string          `json:"toolCallId,omitempty"` // of tools, as the members below
	ToolName   string          `json:"toolName,omitempty"`
	State      string          `json:"state,omitempty"` // of a tool executing, completed or error; of open reasoning streaming
	Arguments  json.RawMessage `json:"arguments,omitempty"`
	Result     json.RawMessage `json:"result,omitempty"` // once it is completed
	Error      string          `json:"error,omitempty"`  // once it is in error
}

func messageID(n int) string { return "msg-" + strconv.Itoa(n) }

// draft is a message that is being written, or was.
type draft struct {
	step          int64    // undefined unless hasStep
	hasStep       bool     // false: its chunks had no step
	parts         []*piece // in the order of the stream
	openReasoning int      // index of the block of reasoning that is open; -1 for none
	from          int64    // sequence of the event before its first chunk
	state         document // as it was then
}

// piece is a part that grows. Its text is bytes, so that a long one isn't copied with each delta.
type piece struct {
	Part
	text  []byte // concatenated deltas; Part.Text is set from it
	ended int64  // sequence of the chunk that ended a call, 0 for none
}

// message returns the draft as it was at a sequence at or above that of its text: of its content, only the end of a call
// may come after a later step has started.
func (d *draft) message(id string, at int64) Message {
	m := Message{ID: id, Role: "assistant", Parts: make([]Part, 0, len(d.parts))}
	for i, p := range d.parts {
		part := p.Part
		part.Text = string(p.text)
		switch {
		case i == d.openReasoning:
			part.State = "streaming"
		case p.ended > at:
			part.State, part.Result, part.Error = "executing", nil, ""
		}
		m.Parts = append(m.Parts, part)
	}
	return m
}

// add adds output of the agent: text, reasoning, or a tool call.
func (d *draft) add(s foldedChunk) {
	switch s.kind {
	// helix.snapshot.partial-parts: the draft of the open step collects text, reasoning and calls.
	case "text_delta":
		d.say("text", s.text("delta"))
	case "thinking":
		d.think(s.text("content"), s.flag("isComplete"))
	case "tool_start":
		d.parts = append(d.parts, &piece{Part: Part{
			Type: "tool", ToolCallID: s.text("toolCallId"), ToolName: s.text("toolName"), State: "executing",
			Arguments: s.members["arguments"],
		}})
	}
}

// say joins a text to the last part, or begins one.
func (d *draft) say(kind, text string) {
	if text == "" {
		return
	}
	n := len(d.parts)
	if n == 0 || d.parts[n-1].Type != kind {
		d.parts = append(d.parts, &piece{Part: Part{Type: kind}})
		n++
	}
	// helix.snapshot.text: the text joins every delta up to the snapshot, so later deltas complete it.
	d.parts[n-1].text = append(d.parts[n-1].text, text...)
}

// think adds to the open block of reasoning, or begins one. The chunk that closes it has the complete block, or nothing to
// add.
func (d *draft) think(content string, closes bool) {
	if d.openReasoning < 0 {
		if content == "" {
			return
		}
		d.openReasoning = len(d.parts)
		d.parts = append(d.parts, &piece{Part: Part{Type: "reasoning"}})
	}
	block := d.parts[d.openReasoning]
	switch {
	case !closes:
		block.text = append(block.text, content...)
		return
	case content != "":
		block.text = []byte(content)
	}
	d.openReasoning = -1
}

// end takes in how a call ended.
func (p *piece) end(s foldedChunk) {
	p.Result, p.Error, p.ended = s.members["result"], s.text("error"), s.sequence
	_, says := s.members["success"]
	p.State = "error"
	if s.flag("success") || !says && s.members["error"] == nil {
		p.State = "completed"
	}
}
