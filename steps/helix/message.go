package helix

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"

	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/steps"
)

// message is a frame as a client understands it.
type message struct {
	Type            string          `json:"type"`
	Chunk           json.RawMessage `json:"chunk"`
	Status          string          `json:"status"`
	Error           json.RawMessage `json:"error"`
	Code            json.RawMessage `json:"code"`
	FinalOutput     json.RawMessage `json:"finalOutput"`
	TruncatedAtStep json.Number     `json:"truncatedAtStep"`
	AtSequence      json.Number     `json:"atSequence"`

	id    string
	frame *wire.Frame

	decoded any // the value of Chunk, once it was asked for
	once    sync.Once
}

// understand reads a frame as a client does: what it can't read it passes over,
// since that is for the judge to report.
func understand(f *wire.Frame) *message {
	if !f.Dispatched() {
		return nil
	}
	m := &message{frame: f, id: f.ID}
	if json.Unmarshal(f.Data, m) != nil {
		return nil
	}
	return m
}

// value is the decoded chunk, nil where there is none.
func (m *message) value() any {
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

// member is a member of the chunk, nil where there is none.
func (m *message) member(name string) any { return steps.MemberOf(m.value(), name) }

// is reports whether the message is a chunk frame with the chunk of an event. A
// nil message is none. A server may add members that no schema knows.
func (m *message) is(e *event) bool { return m.holds(e, false) }

// holds is is; where lossy, members that no schema knows may be missing too.
func (m *message) holds(e *event, lossy bool) bool {
	if m == nil || m.Type != "chunk" {
		return false
	}
	// Most servers relay the bytes as they are; only another spelling of the same
	// value has to be decoded. No event of a scenario is that deep.
	if bytes.Equal(m.Chunk, e.body) || steps.TooDeep(m.Chunk) {
		return bytes.Equal(m.Chunk, e.body)
	}
	got, isObject := m.value().(map[string]any)
	want, wasObject := e.value().(map[string]any)
	if !isObject || !wasObject {
		return steps.Same(m.value(), e.value())
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
