package helix

import (
	"encoding/json"
	"strconv"
)

// Message is what the agent said in one step.
type Message struct {
	ID    string `json:"id"`
	Role  string `json:"role"`
	Parts []Part `json:"parts"`
}

// Part is a piece of a message: text or reasoning with its text, or a tool with the rest.
type Part struct {
	Type       string          `json:"type"` // text, reasoning or tool
	Text       string          `json:"text,omitempty"`
	ToolCallID string          `json:"toolCallId,omitempty"`
	ToolName   string          `json:"toolName,omitempty"`
	State      string          `json:"state,omitempty"` // executing, completed or error
	Arguments  json.RawMessage `json:"arguments,omitempty"`
	Result     json.RawMessage `json:"result,omitempty"`
	Error      string          `json:"error,omitempty"`
}

func messageID(n int) string { return "msg-" + strconv.Itoa(n) }

// draft is a message that is being written.
type draft struct {
	step    int64
	hasStep bool
	parts   []*piece
	thought int // index of the block of reasoning that is open; -1 for none
}

// piece is a part that grows. Its text is bytes, so that a long one isn't copied with each delta.
type piece struct {
	Part
	text []byte
}

func (d *draft) message(id string) Message {
	m := Message{ID: id, Role: "assistant", Parts: make([]Part, 0, len(d.parts))}
	for _, p := range d.parts {
		part := p.Part
		part.Text = string(p.text)
		m.Parts = append(m.Parts, part)
	}
	return m
}

// add takes in what the agent said: text, reasoning, or that it calls a tool.
func (d *draft) add(s said) {
	switch s.kind {
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
	d.parts[n-1].text = append(d.parts[n-1].text, text...)
}

// think adds to the open block of reasoning, or begins one. What closes it has the whole block, or nothing to add.
func (d *draft) think(content string, closes bool) {
	if d.thought < 0 {
		if content == "" {
			return
		}
		d.thought = len(d.parts)
		d.parts = append(d.parts, &piece{Part: Part{Type: "reasoning"}})
	}
	block := d.parts[d.thought]
	switch {
	case !closes:
		block.text = append(block.text, content...)
		return
	case content != "":
		block.text = []byte(content)
	}
	d.thought = -1
}

// toolEnd ends a call that began in this step; false if none did.
func (d *draft) toolEnd(s said) bool {
	for _, p := range d.parts {
		if p.Type != "tool" || p.State != "executing" || p.ToolCallID != s.text("toolCallId") {
			continue
		}
		p.State = "error"
		if s.flag("success") {
			p.State = "completed"
		}
		p.Result, p.Error = s.members["result"], s.text("error")
		return true
	}
	return false
}
