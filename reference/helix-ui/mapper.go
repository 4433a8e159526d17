package helixui

import (
	"strconv"
	"strings"
)

// Mapper makes the parts of one turn of its chunks. Its methods are called in the order of the turn.
type Mapper struct {
	Turn  Turn              // whose ids and metadata the parts have
	Names map[string]string // of data parts, see Options.Names

	parts     int          // that were opened
	open      string       // the kind of the part that is open: text, reasoning or ""
	id        string       // of that part
	reasoning string       // concatenated increments of the open reasoning part
	step      bool         // a step is open
	failed    bool         // an error part was sent
	aborted   bool         // an abort part was sent
	pausedOn  string       // why the turn waits for the user or client, "" if it doesn't
	calls     map[any]bool // calls with an input and no output, by id; true: the input came with the request for approval
}

// Begin returns the parts that a turn begins with.
func (m *Mapper) Begin() []Part {
	// helix-ui.flow.start, helix-ui.flow.start-once, helix-ui.resume.message-id: a turn begins once, and names its message.
	start := Part{"type": "start", "messageId": m.Turn.MessageID}
	if m.Turn.StartMetadata != nil {
		// helix-ui.metadata.start: the configured start metadata is sent with it.
		start["messageMetadata"] = m.Turn.StartMetadata
	}
	return []Part{start}
}

// End returns the parts that a turn ends with. reason is why the model stopped.
func (m *Mapper) End(reason string) []Part {
	if m.failed || m.aborted {
		// helix-ui.errors.silent: nothing but the end of the stream follows an error.
		return nil
	}
	// helix-ui.tools.closed, helix-ui.waiting.finish: calls without an output are the client's.
	if m.pausedOn != "" || len(m.calls) > 0 {
		reason = "tool-calls"
	}
	// helix-ui.flow.finish, helix-ui.flow.finish-last, helix-ui.flow.reason: every other turn has one finish, as its last part.
	// helix-ui.resume.same-message: both ends name the same message.
	finish := Part{"type": "finish", "finishReason": reason, "messageId": m.Turn.MessageID}
	if m.Turn.FinishMetadata != nil {
		// helix-ui.metadata.finish: likewise.
		finish["messageMetadata"] = m.Turn.FinishMetadata
	}
	// helix-ui.metadata.absent: without configuration no metadata is sent.
	return append(m.endStep(), finish)
}

// Map returns the parts that a chunk becomes.
// helix-ui.mapping.chunks: each case is a row of the table.
// helix-ui.parts.members, helix-ui.parts.optional, helix-ui.parts.data, helix-ui.parts.known: each part is written here once.
func (m *Mapper) Map(c Chunk) []Part {
	// helix-ui.mapping.agents: chunks of other agents than the root aren't part of its message.
	if agent := c.text("agentId"); agent != "" && agent != m.Turn.Chat {
		return nil
	}
	switch c.text("type") {
	case "text_delta":
		return m.grow("text", c.text("delta"))
	case "thinking":
		return m.think(c.text("content"), c["isComplete"] == true)
	case "tool_start":
		return m.call(c)
	case "tool_end":
		return m.returned(c)
	case "tool_approval_request":
		m.pausedOn = c.text("toolCallId")
		var out []Part
		// helix-ui.mapping.approval-first: the request has the input of a call that hasn't started.
		if _, begun := m.calls[c["toolCallId"]]; !begun {
			out = m.call(c)
			m.calls[c["toolCallId"]] = true
		}
		return append(append(out, m.inStep()...), Part{"type": "tool-approval-request", "approvalId": approvalID(c["toolCallId"]), "toolCallId": c["toolCallId"]})
	case "step_committed":
		return m.endStep()
	case "error":
		return m.fail(c)
	case "run_interrupted":
		m.aborted = true
		return []Part{without(Part{"type": "abort", "reason": c["reason"]})}
	case "checkpoint_created", "executor_superseded":
		return nil
	}
	return m.data(c)
}

// data makes a data part of the application.
func (m *Mapper) data(c Chunk) []Part {
	passing := func(name string, data any) []Part {
		return m.datum(nil, Part{"type": name, "data": data, "transient": true})
	}
	switch c.text("type") {
	case "custom":
		return append(m.close(), Part{"type": "data-" + c.text("eventName"), "data": c["data"]})
	case "output":
		return m.datum(m.close(), Part{"type": "data-output", "data": c["output"]})
	case "subagent_start", "subagent_end":
		return m.datum(m.close(), without(Part{"type": "data-subagent", "id": c["callId"], "data": specificMembers(c)}))
	case "state_patch":
		return passing("data-state", c["patches"])
	case "run_paused", "run_resumed":
		return passing("data-run", specificMembers(c))
	case "step_discarded", "stream_resync":
		return passing("data-resync", specificMembers(c))
	}
	return nil
}

// datum appends a data part under the type that the server gives it.
// helix-ui.mapping.transient: parts that describe the work come with transient.
func (m *Mapper) datum(out []Part, p Part) []Part {
	switch name := m.Names[p.Type()]; name {
	case "none":
		return out
	case "":
	default:
		p["type"] = name
	}
	return append(out, p)
}

// specificMembers returns the members of a chunk other than the common ones.
func specificMembers(c Chunk) map[string]any {
	out := map[string]any{}
	for name, value := range c {
		switch name {
		case "agentId", "agentType", "timestamp", "step":
		default:
			out[name] = value
		}
	}
	return out
}

// without drops the members that have no value.
func without(p Part) Part {
	for name, value := range p {
		if value == nil {
			delete(p, name)
		}
	}
	return p
}

// grow adds a piece to a part, which it opens if none of the kind is open.
func (m *Mapper) grow(kind, piece string) []Part {
	var out []Part
	if m.open != kind {
		out = append(m.close(), m.inStep()...)
		m.parts++
		// helix-ui.text.unique, helix-ui.reasoning.unique: the number of a part is never used again in its turn.
		m.open, m.id = kind, kind+"-"+strconv.Itoa(m.parts)
		// helix-ui.text.opened, helix-ui.reasoning.opened: the start comes before the first piece.
		out = append(out, Part{"type": kind + "-start", "id": m.id})
	}
	// helix-ui.text.whole, helix-ui.reasoning.whole, helix-ui.reasoning.apart: a piece goes into a part of its own kind.
	return append(out, Part{"type": kind + "-delta", "id": m.id, "delta": piece})
}

// think takes an increment of reasoning, or the chunk that completes it and contains all of it or nothing.
func (m *Mapper) think(content string, complete bool) []Part {
	if !complete {
		out := m.grow("reasoning", content)
		m.reasoning += content // after grow, which drops the thought of the part before
		return out
	}
	var out []Part
	if rest, longer := strings.CutPrefix(content, m.reasoning); m.open != "reasoning" || longer && rest != "" {
		out = m.grow("reasoning", rest)
	}
	return append(out, m.close()...)
}

// close ends the part that is open.
// helix-ui.text.closed, helix-ui.reasoning.closed: whatever follows a part ends it.
func (m *Mapper) close() []Part {
	if m.open == "" {
		return nil
	}
	end := Part{"type": m.open + "-end", "id": m.id}
	m.open, m.id, m.reasoning = "", "", ""
	return []Part{end}
}

// inStep opens a step unless one is open. helix-ui.steps.nested, helix-ui.steps.tool-turn: content after a committed step
// opens another.
func (m *Mapper) inStep() []Part {
	if m.step {
		return nil
	}
	m.step = true
	return []Part{{"type": "start-step"}}
}

// endStep closes the step that is open, and the part in it.
// helix-ui.text.step, helix-ui.reasoning.step: no part outlives its step.
// helix-ui.steps.closed, helix-ui.steps.opened: a step that was opened is closed, and no other.
func (m *Mapper) endStep() []Part {
	out := m.close()
	if m.step {
		m.step = false
		out = append(out, Part{"type": "finish-step"})
	}
	return out
}

// call emits the start of a call.
func (m *Mapper) call(c Chunk) []Part {
	id, name := c["toolCallId"], c["toolName"]
	if m.calls[id] {
		m.calls[id] = false
		return nil
	}
	if m.calls == nil {
		m.calls = map[any]bool{}
	}
	m.calls[id] = false
	// helix-ui.tools.opened, helix-ui.tools.started, helix-ui.tools.once, helix-ui.tools.name, helix-ui.tools.arguments:
	// the input comes completely, once, before anything else of the call.
	return append(append(m.close(), m.inStep()...),
		Part{"type": "tool-input-start", "toolCallId": id, "toolName": name},
		Part{"type": "tool-input-available", "toolCallId": id, "toolName": name, "input": c["arguments"]})
}

// returned converts the result of a call. helix-ui.tools.result, helix-ui.tools.failure, helix-ui.tools.output-once,
// helix-ui.tools.closed: one part for one tool_end.
func (m *Mapper) returned(c Chunk) []Part {
	delete(m.calls, c["toolCallId"])
	if text, failed := c["error"]; failed {
		return append(m.close(), Part{"type": "tool-output-error", "toolCallId": c["toolCallId"], "errorText": textOf(text)})
	}
	return append(m.close(), Part{"type": "tool-output-available", "toolCallId": c["toolCallId"], "output": c["result"]})
}

// fail emits the failure of the run. A recoverable error is data: the part error ends the message for a client.
func (m *Mapper) fail(c Chunk) []Part {
	if c["recoverable"] == true {
		return m.datum(nil, Part{"type": "data-error", "data": specificMembers(c), "transient": true})
	}
	m.failed = true
	// helix-ui.errors.told, helix-ui.errors.part: the failure is a part, and the stream still ends as any other.
	return []Part{{"type": "error", "errorText": c.text("error")}}
}

// around returns the parts that must precede a part of the application.
func (m *Mapper) around(p Part) []Part {
	switch p.Type() {
	case "tool-input-start":
		return append(m.close(), m.inStep()...)
	case "tool-input-error":
		return nil
	}
	return m.close()
}
