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
	// aep.wire.named, aep.wire.same-name: field and member are written from the same e.Kind.
	dst = append(append(dst, "event: "...), e.Kind...)
	// aep.wire.json, aep.wire.single-data-line: AppendJSON writes one object on one line.
	dst = AppendJSON(append(dst, "\ndata: "...), e)
	// aep.wire.blank-line: terminal events pass here too.
	return append(dst, "\n\n"...)
}

// TimeFormat is RFC 3339 with milliseconds.
const TimeFormat = "2006-01-02T15:04:05.000Z07:00"

// AppendJSON appends the JSON of an event, on one line.
func AppendJSON(dst []byte, e Event) []byte {
	w := members{dst: append(dst, '{')}
	// aep.events.object: every event starts with this member.
	w.text("event", string(e.Kind))
	// aep.events.request-id: every event carries it, and so does the body of a refusal.
	w.text("requestId", e.RequestID)
	// aep.events.members: each case writes the members of its kind; text, integer and raw fix their types.
	// aep.events.nulls: an optional member without a value is left out.
	switch {
	case e.Kind.Staged():
		// aep.stages.no-stage: only events of blocks get a stage.
		w.stage(e)
	case e.Kind == Metadata:
		// aep.flow.metadata-members: the machine sets both from the request.
		w.text("threadId", e.ThreadID)
		w.text("agentId", e.AgentID)
	case e.Kind == Continuation:
		// aep.actions.members: kind and payload come from the agent, the id from OpenAction.
		w.text("actionId", e.ActionID)
		w.text("kind", e.ActionKind)
		// aep.actions.unchanged: raw writes the agent's bytes, without white space between tokens.
		w.raw("payload", e.Payload)
	case e.Kind == Done:
		w.done(e)
	case e.Kind == Failed:
		// aep.errors.code, aep.errors.retryable, aep.errors.message: every error event carries all three.
		w.text("code", e.Code)
		w.raw("retryable", strconv.AppendBool(nil, e.Retryable))
		w.text("message", e.Message)
	case e.Kind == Aborted && e.Reason != "":
		w.text("reason", e.Reason)
	}
	// aep.events.timestamp, aep.events.timestamp-offset: TimeFormat writes the offset as Z.
	w.text("timestamp", e.Timestamp.UTC().Format(TimeFormat))
	return append(w.dst, '}')
}

// members appends the members of an object whose opening brace is there.
type members struct {
	dst     []byte // what was appended so far
	started bool   // a member is there, so that a comma comes before the next
}

func (w *members) name(name string) {
	if w.started {
		w.dst = append(w.dst, ',')
	}
	w.started = true
	w.dst = append(append(append(w.dst, '"'), name...), '"', ':')
}

func (w *members) text(name, value string) {
	w.name(name)
	w.dst = appendQuoted(w.dst, value)
}

func (w *members) integer(name string, value int) {
	w.name(name)
	// aep.events.integers: indexes are Go ints that count blocks or pieces.
	w.dst = strconv.AppendInt(w.dst, int64(value), 10)
}

// raw appends a JSON value without white space, so that no line feed in it can end the line. Invalid JSON becomes null.
func (w *members) raw(name string, value []byte) {
	w.name(name)
	// aep.security.forged-payload: valid JSON has control characters only as white space, which Compact drops.
	compact := bytes.NewBuffer(w.dst)
	if json.Compact(compact, value) != nil {
		w.dst = append(w.dst, "null"...)
		return
	}
	w.dst = compact.Bytes()
}

func (w *members) stage(e Event) {
	// aep.events.message-id: every event of a block carries it.
	w.text("messageId", e.MessageID)
	// aep.stages.block-id, aep.stages.stage: every event of a block carries it; the stage follows.
	w.text("blockId", e.BlockID)
	w.text("stage", string(e.Stage))
	switch e.Stage {
	case Start:
		// aep.stages.block-index: the index of the block counts from 0.
		w.integer("blockIndex", e.BlockIndex)
		w.tool(e.Block)
	case Delta:
		// aep.content.text-delta, aep.tools.fragments: the delta is a string in every kind of block.
		w.text("delta", e.Piece)
		// aep.stages.delta-index: the index of the piece counts from 0.
		w.integer("deltaIndex", e.DeltaIndex)
	case Stop:
		// aep.stages.final-data: a stop contains the complete block.
		w.writeBlock(e.Block, "text")
	}
}

// tool appends the members that a block of a tool has from its start on.
func (w *members) tool(b Block) {
	if b.Kind == ToolCall || b.Kind == ToolResult {
		// aep.tools.named, aep.tools.result-call-id: the start carries them.
		w.text("toolCallId", b.ToolCallID)
	}
	if b.Kind == ToolCall {
		w.text("toolName", b.ToolName)
	}
}

// writeBlock appends the final data of a block. The member of reasoning has another name in the content of done.
func (w *members) writeBlock(b Block, reasoning string) {
	switch b.Kind {
	case Text:
		w.text("text", b.Text)
	case Thinking:
		// aep.content.final-text, aep.done.text: the text is the one that close joined from the deltas.
		w.text(reasoning, b.Text)
	case ToolCall:
		// aep.tools.final-arguments, aep.done.arguments: the value is the one that close joined from the deltas.
		w.raw("args", b.Args)
	case ToolResult:
		// aep.tools.summary-only: a result has only these two members.
		w.text("status", b.Status)
		w.text("summary", b.Summary)
	}
}

func (w *members) done(e Event) {
	w.text("messageId", e.MessageID)
	w.text("threadId", e.ThreadID)
	// aep.done.content, aep.done.complete: the list contains every block, in the order of its start.
	w.name("content")
	w.dst = append(w.dst, '[')
	for i, b := range e.Content {
		if i > 0 {
			w.dst = append(w.dst, ',')
		}
		block := members{dst: append(w.dst, '{')}
		kind := string(b.Kind)
		if b.Kind == ToolCall {
			// aep.done.block-members: a tool_call event becomes a tool_use block.
			kind = "tool_use"
		}
		block.text("type", kind)
		// aep.done.call, aep.done.outcome: the block is the one that start and close have written to the events.
		block.tool(b)
		block.writeBlock(b, "thinking")
		w.dst = append(block.dst, '}')
	}
	w.dst = append(w.dst, ']')
	// aep.done.finish-reason: Done always sets a reason.
	w.text("finishReason", e.FinishReason)
	// aep.done.usage: usage is an object.
	if e.Usage != nil {
		usage := members{dst: []byte{'{'}}
		usage.integer("messages", e.Usage.Input)
		usage.integer("deltas", e.Usage.Output)
		w.raw("usage", append(usage.dst, '}'))
	}
}

// appendQuoted appends a JSON string; every control character in it is escaped.
func appendQuoted(dst []byte, text string) []byte {
	// aep.security.forged-text: Marshal escapes CR, LF and NUL.
	quoted, err := json.Marshal(text)
	if err != nil { // no string fails
		panic(err)
	}
	return append(dst, quoted...)
}
