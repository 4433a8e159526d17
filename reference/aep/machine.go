package aep

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/reference/aep/agent"
)

// Machine makes the events of one response from an agent's deltas. Every method returns the resulting events, in their
// order on the wire. It leaves timestamps to its caller.
type Machine struct {
	Request    Request                                           // that is answered
	CallID     func() string                                     // makes an id for a tool call
	OpenAction func(kind string, payload json.RawMessage) string // keeps an action and returns its id

	blocks    []Block        // of the message, in the order of their starts; an open one is incomplete
	open      *openBlock     // the block that deltas go to; nil: none
	calls     map[int]string // ids of tool calls, by their number
	continued bool           // there was a continuation
	deltas    int            // of the agent so far, as usage counts them
	over      bool           // the terminal event was returned
}

// openBlock is a block between its start and its stop.
type openBlock struct {
	Block
	id     string          // unique in the message
	index  int             // in Machine.blocks
	joined strings.Builder // its pieces so far
	pieces int             // number of its deltas so far
}

// Begin returns the events before the agent's first delta.
func (m *Machine) Begin() []Event {
	// aep.flow.metadata-once: answer calls Begin once, and nothing else makes a metadata event.
	return []Event{m.event(Event{Kind: Metadata, ThreadID: m.Request.Thread, AgentID: m.Request.Agent})}
}

// Take returns the events that a delta of the agent makes. After the terminal event there are none.
func (m *Machine) Take(d agent.Delta) []Event {
	if m.over {
		return nil
	}
	m.deltas++
	switch d.Kind {
	case agent.Text:
		// aep.content.text: text blocks get every text piece of the agent, and nothing else.
		return m.say(Text, d.Piece)
	case agent.Thinking:
		// aep.content.thinking: reasoning is streamed as it arises.
		return m.say(Thinking, d.Piece)
	case agent.Call:
		if m.calls == nil {
			m.calls = map[int]string{}
		}
		// aep.tools.call: each call opens a block.
		m.calls[d.Call] = m.CallID()
		return append(m.close(), m.start(Block{Kind: ToolCall, ToolCallID: m.calls[d.Call], ToolName: d.Tool}))
	case agent.Arguments:
		if m.open == nil || m.open.Kind != ToolCall {
			return nil // arguments of no call have no place
		}
		return m.piece(d.Piece)
	case agent.Called:
		return m.close()
	case agent.Outcome:
		// aep.tools.result: each outcome gets a block.
		return m.outcome(d)
	case agent.Action:
		// aep.actions.unique: OpenAction makes a new id for each continuation.
		m.continued = true
		return append(m.close(), m.event(Event{
			Kind: Continuation, ActionID: m.OpenAction(d.ActionKind, d.Payload), ActionKind: d.ActionKind, Payload: d.Payload,
		}))
	}
	return nil
}

// Done returns the end of a run that succeeded.
func (m *Machine) Done() []Event {
	// aep.done.stop, aep.done.no-action: the reason is stop unless there was a continuation.
	reason := "stop"
	if m.continued {
		// aep.actions.action-required: a continuation changes the reason.
		reason = "action_required"
	}
	// aep.flow.blocks-closed, aep.events.same-message, aep.done.thread, aep.done.same-thread: close stops the open block,
	// and both ids are those of the events before.
	return m.end(m.close(), Event{
		Kind: Done, MessageID: m.Request.Message, ThreadID: m.Request.Thread, FinishReason: reason,
		Usage: &Usage{Input: len(m.Request.Body.Messages), Output: m.deltas},
	})
}

// Text returns the text of the answer so far, that of all its blocks joined.
func (m *Machine) Text() string {
	var messages strings.Builder
	for i, b := range m.blocks {
		switch {
		case b.Kind != Text:
		case m.open != nil && m.open.index == i:
			messages.WriteString(m.open.joined.String())
		default:
			messages.WriteString(b.Text)
		}
	}
	return messages.String()
}

// Fail returns the end of a run that failed. Open blocks get no stop, which would mark them as complete.
func (m *Machine) Fail(code, message string) []Event {
	return m.end(nil, Event{Kind: Failed, Code: code, Retryable: retryable(code), Message: message})
}

// Abort returns the end of a run that was cancelled.
func (m *Machine) Abort(reason string) []Event {
	return m.end(nil, Event{Kind: Aborted, Reason: reason})
}

func (m *Machine) end(before []Event, terminal Event) []Event {
	if m.over {
		return nil
	}
	// aep.flow.terminal-last: after this, Take and end return no event.
	m.over = true
	if terminal.Kind == Done {
		// including the block that before has closed
		terminal.Content = m.blocks // with what before has closed
	}
	return append(before, m.event(terminal))
}

func (m *Machine) event(e Event) Event {
	// aep.events.same-request: every event gets the id of the one request.
	e.RequestID = m.Request.ID
	return e
}

// say adds to the open block if it is of that kind, and opens one otherwise.
func (m *Machine) say(kind Kind, piece string) []Event {
	var events []Event
	// aep.content.thinking-apart, aep.stages.start-first: a piece goes to the open block of its kind, or to a new block.
	if m.open == nil || m.open.Kind != kind {
		events = append(m.close(), m.start(Block{Kind: kind}))
	}
	return append(events, m.piece(piece)...)
}

// outcome returns the events of a block that is complete at once.
func (m *Machine) outcome(d agent.Delta) []Event {
	status, messages := "success", " is done"
	if d.Failed {
		status, messages = "error", " failed"
	}
	// aep.tools.payload-hidden: the machine never reads d.Returned.
	events := append(m.close(), m.start(Block{Kind: ToolResult, ToolCallID: m.calls[d.Call]}))
	m.open.Status, m.open.Summary = status, cmp.Or(d.Summary, d.Tool+messages)
	return append(events, m.close()...)
}

func (m *Machine) start(b Block) Event {
	// aep.stages.one-start, aep.stages.index-unique, aep.stages.index-from-zero, aep.stages.index-order: id and index count
	// the blocks that were started.
	m.open = &openBlock{Block: b, id: "b" + strconv.Itoa(len(m.blocks)), index: len(m.blocks)}
	m.blocks = append(m.blocks, b)
	return m.stage(Event{Stage: Start, BlockIndex: m.open.index, Block: b})
}

// piece adds to the open block. An empty piece adds nothing.
func (m *Machine) piece(text string) []Event {
	// aep.stages.no-delta: an empty piece makes no delta.
	if text == "" {
		return nil
	}
	m.open.joined.WriteString(text)
	// aep.stages.delta-order, aep.stages.delta-from-zero: the index is the number of pieces before.
	e := m.stage(Event{Stage: Delta, DeltaIndex: m.open.pieces, Piece: text})
	m.open.pieces++
	return []Event{e}
}

// close stops the open block, if there is one.
func (m *Machine) close() []Event {
	if m.open == nil {
		return nil
	}
	b := m.open.Block
	switch b.Kind {
	case Text, Thinking:
		// aep.content.final-text: joined collects every delta of the block.
		b.Text = m.open.joined.String()
	case ToolCall:
		// aep.tools.final-arguments: joined collects every fragment of the block.
		b.Args = json.RawMessage(m.open.joined.String())
		if !json.Valid(b.Args) { // there were none, or the model has written something else
			b.Args = json.RawMessage("{}")
		}
	}
	m.blocks[m.open.index] = b
	e := m.stage(Event{Stage: Stop, Block: b})
	// aep.stages.after-stop: nothing can be added to a closed block.
	m.open = nil
	return []Event{e}
}

// stage makes an event of the open block.
func (m *Machine) stage(e Event) Event {
	// aep.stages.same-event: every stage takes its kind from the block.
	e.Kind, e.MessageID, e.BlockID = m.open.Kind, m.Request.Message, m.open.id
	return m.event(e)
}
