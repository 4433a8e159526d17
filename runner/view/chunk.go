package view

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/wire"
)

// A Chunk is one chunk of a stream. Members that were missing, or had a wrong JSON type, are zero.
type Chunk = frame.Chunk

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
	Status      string       // of a StatusEvent
	Step        frame.Number // the last step that a TruncatedEvent stored
	Line        int          // of the frame, from 1
	Offset      int64        // of the frame, in bytes
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
	e := Event{Line: f.Line, Offset: f.Offset}
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

func (e *Event) read(data []byte) {
	f, err := frame.Decode(data)
	if err != nil {
		e.Kind, e.Error = BrokenEvent, "the data can't be read: "+err.Error()
		return
	}
	e.Type = f.Type
	switch f.Type {
	case "chunk":
		e.chunk(f.Chunk, f.Sequence)
	case "end", "stream_end":
		e.Kind, e.Output = EndEvent, bytes.Clone(f.FinalOutput)
	case "fail":
		e.Kind, e.Error = FailEvent, message(f.Error)
		e.Code, _ = frame.Text(f.Code)
	case "status":
		e.Kind, e.Status = StatusEvent, f.Status
	case "truncated":
		e.Kind, e.Step = TruncatedEvent, f.TruncatedAtStep
	default:
		e.chunk(data, frame.Number{})
		if e.Chunk.AgentID == "" && !known(e.Chunk.Type) {
			e.Kind = UnknownEvent
		}
	}
}

func (e *Event) chunk(data []byte, sequence frame.Number) {
	c, err := frame.DecodeChunk(bytes.Clone(data))
	if err != nil {
		e.Kind, e.Error = BrokenEvent, "the chunk can't be read: "+err.Error()
		return
	}
	c.Sequence = sequence
	e.Chunk = c
}

// decodeTolerantly decodes members of the right type and skips the others.
func decodeTolerantly(data []byte, v any) error {
	var other *json.UnmarshalTypeError
	if err := json.Unmarshal(data, v); err != nil && (!errors.As(err, &other) || other.Field == "") {
		return fmt.Errorf("%w, expected one JSON object", err)
	}
	return nil
}

// message returns the text of a value that describes an error.
func message(raw json.RawMessage) string {
	if text, ok := frame.Text(raw); ok {
		return text
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
	return slices.Contains(types[:], name)
}
