package world

import (
	"bytes"
	"slices"
	"sync"

	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/steps"
)

// Message is a decoded frame, with the event that it came in.
type Message struct {
	frame.Content

	ID    string      // of the event
	Frame *wire.Frame // with its position in the response

	decoded any       // the value of Chunk after the first call of Value
	once    sync.Once // guards decoded
}

// ReadFrame decodes a frame. It returns nil for one that a client can't decode, which the judge reports.
func ReadFrame(f *wire.Frame) *Message {
	if !f.Dispatched() {
		return nil
	}
	m := &Message{Frame: f, ID: f.ID}
	var err error
	if m.Content, err = frame.Decode(f.Data); err != nil {
		return nil
	}
	return m
}

// Value returns the decoded chunk, nil where there is none.
func (m *Message) Value() any {
	if steps.ExceedsDepth(m.Chunk) { // decoding takes a hundred times its size, so it isn't stored
		v, _ := steps.Decode(m.Chunk)
		return v
	}
	m.once.Do(func() {
		if v, err := steps.Decode(m.Chunk); err == nil {
			m.decoded = v
		}
	})
	return m.decoded
}

// Member returns a member of the chunk, nil where there is none.
func (m *Message) Member(name string) any { return steps.MemberOf(m.Value(), name) }

// Is reports whether the message is a chunk frame with the chunk of an event. A
// nil message is none. A server may add members that no schema knows.
func (m *Message) Is(e *Event) bool { return m.Contains(e, false) }

// Contains reports the same as Is; with lossy, the chunk may also lack members that no schema knows.
func (m *Message) Contains(e *Event, lossy bool) bool {
	if m == nil || m.Type != "chunk" {
		return false
	}
	// Most servers relay the bytes unchanged; only another spelling of the same value has to be decoded. No event of a
	// scenario exceeds the depth.
	if bytes.Equal(m.Chunk, e.Body) || steps.ExceedsDepth(m.Chunk) {
		return bytes.Equal(m.Chunk, e.Body)
	}
	got, isObject := m.Value().(map[string]any)
	want, wasObject := e.Value().(map[string]any)
	if !isObject || !wasObject {
		return steps.Same(m.Value(), e.Value())
	}
	for name, value := range want {
		v, there := got[name]
		if there && !steps.Same(v, value) || !there && !(lossy && !slices.Contains(known(), name)) {
			return false
		}
	}
	for name := range got {
		if _, written := want[name]; !written && slices.Contains(known(), name) {
			return false
		}
	}
	return true
}

// known returns the members that the schemas give to chunks of any type.
func known() []string {
	return []string{
		"agentId", "agentType", "arguments", "callId", "checkpointId", "code", "content", "data", "delta", "error", "eventName",
		"fromCheckpointId", "fromSequence", "fromStepCount", "isComplete", "messageCount", "mode", "output", "patches",
		"pendingToolCallId", "pendingToolName", "reason", "recoverable", "result", "runId", "step", "stepCount", "stepId",
		"subAgentType", "subSessionId", "success", "timestamp", "toolCallId", "toolName", "type",
	}
}

// Event is one chunk that the runner wrote.
type Event struct {
	Label string // "event 3", "the marker"
	Body  []byte // as it was written
	ID    string // SSE id of the first delivery, "" until then

	decoded any       // the value of Body after the first call of Value
	once    sync.Once // guards decoded
}

// NewEvent returns an event whose chunk isn't written yet; label is its name in reports.
func NewEvent(label string, body []byte) *Event { return &Event{Label: label, Body: body} }

// Value returns the decoded body.
func (e *Event) Value() any {
	e.once.Do(func() {
		v, err := steps.Decode(e.Body)
		if err != nil {
			panic(err) // bodies are marshalled by this package
		}
		e.decoded = v
	})
	return e.decoded
}
