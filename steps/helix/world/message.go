package world

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas/jsontext"
	"github.com/streamcert/streamcert/steps"
)

// Message is a frame as a client understands it.
type Message struct {
	Type            string          `json:"type"`
	Chunk           json.RawMessage `json:"chunk"`
	Status          string          `json:"status"`
	Error           json.RawMessage `json:"error"`
	Code            json.RawMessage `json:"code"`
	FinalOutput     json.RawMessage `json:"finalOutput"`
	TruncatedAtStep json.Number     `json:"truncatedAtStep"`
	AtSequence      json.Number     `json:"atSequence"`

	ID    string      `json:"-"` // of the event
	Frame *wire.Frame `json:"-"`

	decoded any // the value of Chunk, once it was asked for
	once    sync.Once
}

// ReadFrame reads a frame as a client does: what it can't read it passes over,
// since that is for the judge to report.
func ReadFrame(f *wire.Frame) *Message {
	if !f.Dispatched() {
		return nil
	}
	m := &Message{Frame: f, ID: f.ID}
	if m.read(f.Data) {
		return m
	}
	// Something is spelled as few servers do, or wrong: encoding/json knows what a client makes of it.
	m = &Message{Frame: f, ID: f.ID}
	if json.Unmarshal(f.Data, m) != nil {
		return nil
	}
	return m
}

// deepest is how deep encoding/json reads.
const deepest = 10_000

// read fills the message in as json.Unmarshal does and reports whether that is certain. Most frames are plain, and may
// hold megabytes, which it neither reads twice nor copies: what is raw lies in data.
func (m *Message) read(data []byte) bool {
	r := jsontext.NewReader(data, deepest)
	r.Space()
	if r.Next() != '{' {
		return false
	}
	for name, value := range r.Members() {
		if !name.Plain || !m.take(string(r.Raw(name)), value) {
			return false
		}
	}
	r.Space()
	return r.Err() == "" && len(r.Rest()) == 0
}

// take takes one member in. It is false where json.Unmarshal has to decide.
func (m *Message) take(name string, value []byte) bool {
	switch name {
	case "type":
		return taken(&m.Type, value)
	case "status":
		return taken(&m.Status, value)
	case "chunk":
		m.Chunk = value
	case "error":
		m.Error = value
	case "code":
		m.Code = value
	case "finalOutput":
		m.FinalOutput = value
	case "truncatedAtStep":
		return json.Unmarshal(value, &m.TruncatedAtStep) == nil
	case "atSequence":
		return json.Unmarshal(value, &m.AtSequence) == nil
	default: // encoding/json takes "Type" for "type"
		return !slices.ContainsFunc(spelled(), func(known string) bool { return strings.EqualFold(known, name) })
	}
	return true
}

// spelled are the members of a message.
func spelled() []string {
	return []string{"type", "chunk", "status", "error", "code", "finalOutput", "truncatedAtStep", "atSequence"}
}

// taken takes a string of plain letters.
func taken(into *string, value []byte) bool {
	if value[0] != '"' || bytes.ContainsFunc(value, func(r rune) bool { return r == '\\' || r >= utf8.RuneSelf }) {
		return false
	}
	*into = string(value[1 : len(value)-1])
	return true
}

// Value is the decoded chunk, nil where there is none.
func (m *Message) Value() any {
	if steps.TooDeep(m.Chunk) { // not to be kept
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

// Member is a member of the chunk, nil where there is none.
func (m *Message) Member(name string) any { return steps.MemberOf(m.Value(), name) }

// Is reports whether the message is a chunk frame with the chunk of an event. A
// nil message is none. A server may add members that no schema knows.
func (m *Message) Is(e *Event) bool { return m.Holds(e, false) }

// Holds is is; where lossy, members that no schema knows may be missing too.
func (m *Message) Holds(e *Event, lossy bool) bool {
	if m == nil || m.Type != "chunk" {
		return false
	}
	// Most servers relay the bytes as they are; only another spelling of the same
	// value has to be decoded. No event of a scenario is that deep.
	if bytes.Equal(m.Chunk, e.Body) || steps.TooDeep(m.Chunk) {
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

// known are the members that the schemas give to the chunks of any type.
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
	Body  []byte
	ID    string // SSE id with which it was first delivered, "" until then

	decoded any // the value of body, once it was asked for
	once    sync.Once
}

// NewEvent returns an event with a chunk that isn't written yet; label names it for people.
func NewEvent(label string, body []byte) *Event { return &Event{Label: label, Body: body} }

// Value is the decoded body.
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
