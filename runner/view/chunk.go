package view

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/streamcert/streamcert/runner/wire"
)

// A Chunk is one chunk of a stream. Members that were missing, or had a wrong JSON type, are zero.
type Chunk struct {
	Type      string
	AgentID   string
	AgentType string
	RunID     string
	Timestamp int64 // milliseconds of Unix time
	Step      int64 // -1 if there was none
	Sequence  int64 // of its frame, -1 if there was none
	Raw       json.RawMessage
}

// A Kind is the kind of an Event.
type Kind int

const (
	ChunkEvent     Kind = iota // one chunk, in an envelope or bare
	EndEvent                   // the stream ended well
	FailEvent                  // the stream failed
	StatusEvent                // the stream was paused or went on
	TruncatedEvent             // chunks were removed
	UnknownEvent               // JSON of a type that isn't known
	BrokenEvent                // data that can't be read
)

// An Event is the content of one frame.
type Event struct {
	Kind  Kind
	Chunk Chunk // of a ChunkEvent
	// Type is the frame's, as it was sent.
	Type string
	// Output is the final output of an EndEvent; nil if there was none.
	Output json.RawMessage
	// Error and Code are those of a FailEvent; Error of a BrokenEvent describes the mistake.
	Error, Code string
	Status      string // of a StatusEvent
	Step        int64  // the last step that a TruncatedEvent stored, -1 if the frame has none
	Line        int    // of the frame, from 1
	Offset      int64  // of the frame, in bytes
	// Shortened reports that the recording ended in the middle of a BrokenEvent.
	Shortened bool
}

// Terminal reports whether nothing follows.
func (e Event) Terminal() bool { return e.Kind == EndEvent || e.Kind == FailEvent }

// Source returns frames; io.EOF reports that there are no more.
type Source interface {
	Next() (*wire.Frame, error)
}

// Events reads a source to its end. The data of a frame is a chunk in its
// envelope, or the bare chunk. An error other than io.EOF is the last thing that
// is yielded, with an empty Event.
func Events(src Source) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for {
			f, err := src.Next()
			if err != nil {
				if !errors.Is(err, io.EOF) {
					yield(Event{}, err)
				}
				return
			}
			if e, ok := eventOf(f); ok && !yield(e, nil) {
				return
			}
		}
	}
}

// eventOf reads one frame; false if there is nothing to it, as with a comment.
func eventOf(f *wire.Frame) (Event, bool) {
	e := Event{Line: f.Line, Offset: f.Offset, Step: -1}
	switch {
	case !f.Terminated && (f.DataLines > 0 || f.HasID || f.HasEvent):
		e.Kind, e.Shortened, e.Error = BrokenEvent, true, "the recording is cut in the middle of an event"
	case f.Dispatched():
		e.read(f.Data)
	default:
		return e, false
	}
	return e, true
}

// envelope contains the common members of frames.
type envelope struct {
	Type        string          `json:"type"`
	Chunk       json.RawMessage `json:"chunk"`
	Sequence    *float64        `json:"sequence"`
	FinalOutput json.RawMessage `json:"finalOutput"`
	Error       json.RawMessage `json:"error"`
	Code        string          `json:"code"`
	Status      string          `json:"status"`
	Truncated   *float64        `json:"truncatedAtStep"`
}

func (e *Event) read(data []byte) {
	var v envelope
	if err := decodeTolerantly(data, &v); err != nil {
		e.Kind, e.Error = BrokenEvent, "the data can't be read: "+err.Error()
		return
	}
	e.Type = v.Type
	switch v.Type {
	case "chunk":
		e.chunk(v.Chunk, number(v.Sequence))
	case "end", "stream_end":
		e.Kind, e.Output = EndEvent, bytes.Clone(v.FinalOutput)
	case "fail":
		e.Kind, e.Error, e.Code = FailEvent, message(v.Error), v.Code
	case "status":
		e.Kind, e.Status = StatusEvent, v.Status
	case "truncated":
		e.Kind, e.Step = TruncatedEvent, number(v.Truncated)
	default:
		e.chunk(data, -1)
		if e.Chunk.AgentID == "" && !known(e.Chunk.Type) {
			e.Kind = UnknownEvent
		}
	}
}

func (e *Event) chunk(data []byte, sequence int64) {
	var v struct {
		Type      string   `json:"type"`
		AgentID   string   `json:"agentId"`
		AgentType string   `json:"agentType"`
		RunID     string   `json:"runId"`
		Timestamp *float64 `json:"timestamp"`
		Step      *float64 `json:"step"`
	}
	if len(data) == 0 || data[0] != '{' {
		data = bytes.TrimSpace(data)
	}
	if len(data) == 0 || data[0] != '{' {
		e.Kind, e.Error = BrokenEvent, "the chunk is no JSON object"
		return
	}
	if err := decodeTolerantly(data, &v); err != nil {
		e.Kind, e.Error = BrokenEvent, "the chunk can't be read: "+err.Error()
		return
	}
	e.Chunk = Chunk{v.Type, v.AgentID, v.AgentType, v.RunID, max(number(v.Timestamp), 0), number(v.Step), sequence, bytes.Clone(data)}
}

// decodeTolerantly decodes members of the right type and skips the others.
func decodeTolerantly(data []byte, v any) error {
	var other *json.UnmarshalTypeError
	if err := json.Unmarshal(data, v); err != nil && (!errors.As(err, &other) || other.Field == "") {
		return fmt.Errorf("%w, expected one JSON object", err)
	}
	return nil
}

// number is -1 for one that isn't there or can't be counted with.
func number(f *float64) int64 {
	if f == nil || !(*f >= 0 && *f < 1<<53) {
		return -1
	}
	return int64(*f)
}

// message returns the text of a value that describes an error.
func message(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

var types = [...]string{
	"checkpoint_created", "custom", "error", "executor_superseded", "output", "run_interrupted", "run_paused", "run_resumed",
	"state_patch", "step_committed", "step_discarded", "stream_resync", "subagent_end", "subagent_start", "text_delta",
	"thinking", "tool_approval_request", "tool_end", "tool_start",
}

// Types returns the types of chunks that a Transcript can render.
func Types() []string { return append([]string(nil), types[:]...) }

func known(name string) bool {
	for _, t := range types {
		if t == name {
			return true
		}
	}
	return false
}
