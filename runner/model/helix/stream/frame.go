package stream

import (
	"encoding/json"
	"fmt"
)

// Frame is an event of a response.
type Frame struct {
	ID    string
	HasID bool
	Data  []byte
}

// message is a decoded frame: a chunk, a terminal frame, or a notice.
type message struct {
	Type            string          `json:"type"`
	Chunk           json.RawMessage `json:"chunk"`
	Sequence        *float64        `json:"sequence"` // 2.0 is an integer
	Status          Status          `json:"status"`
	Error           *string         `json:"error"`
	Code            string          `json:"code"`
	FinalOutput     json.RawMessage `json:"finalOutput"`
	TruncatedAtStep *float64        `json:"truncatedAtStep"`
	AtSequence      *float64        `json:"atSequence"`
}

// marker returns the runId of a chunk, "" for other frames.
func (m message) marker() string {
	var c struct {
		RunID string `json:"runId"`
	}
	if m.Type != "chunk" || json.Unmarshal(m.Chunk, &c) != nil {
		return ""
	}
	return c.RunID
}

// Terminal has the members of a terminal frame.
type Terminal struct {
	Type   string          // "end" or "fail"
	Code   string          // of a failure, "" for none
	Output json.RawMessage // nil for none
}

// Terminal decodes a terminal frame; false means that it is no JSON object.
func (f Frame) Terminal() (t Terminal, ok bool) {
	var m message
	err := json.Unmarshal(f.Data, &m)
	return Terminal{m.Type, m.Code, m.FinalOutput}, err == nil
}

// optional returns a number as text, "nothing" for nil.
func optional(n *float64) string {
	if n == nil {
		return "nothing"
	}
	return fmt.Sprint(*n)
}
