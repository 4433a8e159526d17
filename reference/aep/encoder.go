package aep

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Encoder writes events as server-sent events.
type Encoder interface {
	// Append appends one event, its blank line included, to dst.
	Append(dst []byte, e Event) []byte
}

// Frames is the Encoder of the protocol: a line with the name, and one line of data.
type Frames struct{}

// Append implements Encoder.
func (Frames) Append(dst []byte, e Event) []byte {
	dst = append(append(dst, "event: "...), e.Kind...)
	dst = AppendJSON(append(dst, "\ndata: "...), e)
	return append(dst, "\n\n"...)
}

// TimeFormat is RFC 3339 with milliseconds.
const TimeFormat = "2006-01-02T15:04:05.000Z07:00"

// AppendJSON appends the JSON of an event, on one line.
func AppendJSON(dst []byte, e Event) []byte {
	w := members{dst: append(dst, '{')}
	w.text("event", string(e.Kind))
	w.text("requestId", e.RequestID)
	switch {
	case e.Kind.Staged():
		w.stage(e)
	case e.Kind == Metadata:
		w.text("threadId", e.ThreadID)
		w.text("agentId", e.AgentID)
	case e.Kind == Continuation:
		w.text("actionId", e.ActionID)
		w.text("kind", e.Asked)
		w.raw("payload", e.Payload)
	case e.Kind == Done:
		w.done(e)
	case e.Kind == Failed:
		w.text("code", e.Code)
		w.raw("retryable", strconv.AppendBool(nil, e.Retryable))
		w.text("message", e.Message)
	case e.Kind == Aborted && e.Reason != "":
		w.text("reason", e.Reason)
	}
	w.text("timestamp", e.Timestamp.UTC().Format(TimeFormat))
	return append(w.dst, '}')
}

// members appends the members of an object whose opening brace is there.
type members struct {
	dst   []byte
	begun bool
}

func (w *members) name(name string) {
	if w.begun {
		w.dst = append(w.dst, ',')
	}
	w.begun = true
	w.dst = append(append(append(w.dst, '"'), name...), '"', ':')
}

func (w *members) text(name, value string) {
	w.name(name)
	w.dst = appendQuoted(w.dst, value)
}

func (w *members) integer(name string, value int) {
	w.name(name)
	w.dst = strconv.AppendInt(w.dst, int64(value), 10)
}

// raw appends a JSON value without white space, so that no line feed in it can end the line. What is no JSON is null.
func (w *members) raw(name string, value []byte) {
	w.name(name)
	compact := bytes.NewBuffer(w.dst)
	if json.Compact(compact, value) != nil {
		w.dst = append(w.dst, "null"...)
		return
	}
	w.dst = compact.Bytes()
}

func (w *members) stage(e Event) {
	w.text("messageId", e.MessageID)
	w.text("blockId", e.BlockID)
	w.text("stage", string(e.Stage))
	switch e.Stage {
	case Start:
		w.integer("blockIndex", e.BlockIndex)
		w.tool(e.Block)
	case Delta:
		w.text("delta", e.Piece)
		w.integer("deltaIndex", e.DeltaIndex)
	case Stop:
		w.whole(e.Block, "text")
	}
}

// tool is what a block of a tool says from its start on.
func (w *members) tool(b Block) {
	if b.Kind == ToolCall || b.Kind == ToolResult {
		w.text("toolCallId", b.ToolCallID)
	}
	if b.Kind == ToolCall {
		w.text("toolName", b.ToolName)
	}
}

// whole is what a block says when it is whole; a thought has another name in the content of done.
func (w *members) whole(b Block, thought string) {
	switch b.Kind {
	case Text:
		w.text("text", b.Text)
	case Thinking:
		w.text(thought, b.Text)
	case ToolCall:
		w.raw("args", b.Args)
	case ToolResult:
		w.text("status", b.Status)
		w.text("summary", b.Summary)
	}
}

func (w *members) done(e Event) {
	w.text("messageId", e.MessageID)
	w.text("threadId", e.ThreadID)
	w.name("content")
	w.dst = append(w.dst, '[')
	for i, b := range e.Content {
		if i > 0 {
			w.dst = append(w.dst, ',')
		}
		block := members{dst: append(w.dst, '{')}
		kind := string(b.Kind)
		if b.Kind == ToolCall {
			kind = "tool_use"
		}
		block.text("type", kind)
		block.tool(b)
		block.whole(b, "thinking")
		w.dst = append(block.dst, '}')
	}
	w.dst = append(w.dst, ']')
	w.text("finishReason", e.FinishReason)
	if e.Usage != nil {
		usage := members{dst: []byte{'{'}}
		usage.integer("messages", e.Usage.Input)
		usage.integer("deltas", e.Usage.Output)
		w.raw("usage", append(usage.dst, '}'))
	}
}

// appendQuoted appends a JSON string; every control character in it is escaped.
func appendQuoted(dst []byte, text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil { // no string fails
		panic(err)
	}
	return append(dst, quoted...)
}
