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

// Message is a frame decoded as a client decodes it.
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

	decoded any // the value of Chunk after the first call of Value
	once    sync.Once
}

// ReadFrame decodes a frame as a client does. It returns nil for a frame that a client can't decode, which the judge
// reports.
func ReadFrame(f *wire.Frame) *Message {
	if !f.Dispatched() {
		return nil
	}
	m := &Message{Frame: f, ID: f.ID}
	if m.read(f.Data) {
		return m
	}
	// The spelling is rare or wrong: encoding/json decides as clients do.
	m = &Message{Frame: f, ID: f.ID}
	if json.Unmarshal(f.Data, m) != nil {
		return nil
	}
	return m
}

// deepest is the nesting limit of encoding/json.
const deepest = 10_000

// read decodes the message as json.Unmarshal does and reports whether that is certain. Most frames have no escapes and
// may hold megabytes, which it neither reads twice nor copies: raw members share memory with data.
func (m *Message) read(data []byte) bool {
	r := jsontext.NewReader(data, deepest)
	r.Space()
	if r.Next() != '{' {
		return false
	}
	for name, value := range r.Members() {
		if !name.ASCII || !m.take(string(r.Raw(name)), value) {
			return false
		}
	}
	r.Space()
	return r.Err() == "" && len(r.Remaining()) == 0
}

// take decodes one member. It returns false where json.Unmarshal has to decide.
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

// spelled returns the names of a message's members.
func spelled() []string {
	return []string{"type", "chunk", "status", "error", "code", "finalOutput", "truncatedAtStep", "atSequence"}
}

// taken decodes an ASCII string without escapes; false for any other value.
func taken(into *string, value []byte) bool {
	if value[0] != '"' || bytes.ContainsFunc(value, func(r rune) bool { return r == '\\' || r >= utf8.RuneSelf }) {
		return false
	}
	*into = string(value[1 : len(value)-1])
	return true
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
	Body  []byte
	ID    string // SSE id of the first delivery, "" until then

	decoded any // the value of Body after the first call of Value
	once    sync.Once
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
