package stream

import "github.com/streamcert/streamcert/runner/frame"

// Frame is an event of a response.
type Frame struct {
	ID    string // "" if there is none
	HasID bool   // an id line came with the frame, possibly empty
	Data  []byte // JSON, if the server is right
}

// decoded decodes a frame, nil if it is no JSON object.
func (f Frame) decoded() *frame.Content {
	m, err := frame.Decode(f.Data)
	if err != nil {
		return nil
	}
	return &m
}

// markerOf returns the runId of a chunk, "" for other frames.
func markerOf(m *frame.Content) string {
	if m.Type != "chunk" {
		return ""
	}
	return m.Text("runId")
}

// optional returns a number as text, "nothing" for a missing one.
func optional(n frame.Number) string {
	if !n.OK {
		return "nothing"
	}
	return ids(n.N)
}
