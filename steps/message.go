package steps

import (
	"bytes"
	"encoding/json"
	"math"
	"sync"

	"github.com/streamcert/streamcert/runner/wire"
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
	m.once.Do(func() {
		if v, err := decode(m.Chunk); err == nil {
			m.decoded = v
		}
	})
	return m.decoded
}

// member is a member of the chunk, nil where there is none.
func (m *message) member(name string) any { return memberOf(m.value(), name) }

func memberOf(v any, name string) any {
	object, _ := v.(map[string]any)
	return object[name]
}

// is reports whether the message is a chunk frame with the chunk of an event. A
// nil message is none.
func (m *message) is(e *event) bool {
	if m == nil || m.Type != "chunk" {
		return false
	}
	// Most servers relay the bytes as they are; only another spelling of the same
	// value has to be decoded.
	return bytes.Equal(m.Chunk, e.body) || same(m.value(), e.value())
}

// same compares two JSON values; numbers compare as doubles.
func same(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k, v := range x {
			w, ok := y[k]
			if !ok || !same(v, w) {
				return false
			}
		}
		return true
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !same(x[i], y[i]) {
				return false
			}
		}
		return true
	case json.Number:
		y, ok := b.(json.Number)
		return ok && (x == y || float(x) == float(y))
	}
	return a == b
}

func float(n json.Number) float64 {
	f, err := n.Float64()
	if err != nil {
		return math.NaN()
	}
	return f
}
