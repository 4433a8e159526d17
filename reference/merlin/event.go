package merlin

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// The names of events.
const (
	Init        = "INIT_MESSAGE_CONTENT"
	Message     = "message"
	Progress    = "progress"
	Attachments = "attachments"
	End         = "end"
)

// Event is one event of a stream.
type Event struct {
	Name string         // of the event line
	Data map[string]any // of values that JSON has a form for
}

// Encoder appends the block of an event, its blank line included, to dst.
type Encoder interface {
	Append(dst []byte, e Event) []byte
}

type encoder struct{}

// Append implements Encoder. The data of an event is one JSON object on one line: a line feed in a text is an escape.
// merlin.wire.json, merlin.wire.object, merlin.wire.unwrapped, merlin.wire.single-data-line, merlin.wire.forged
func (encoder) Append(dst []byte, e Event) []byte {
	return fmt.Appendf(dst, "event: %s\ndata: %s\n\n", e.Name, encoded(e.Data)) // merlin.wire.blank-line
}

// encoded writes a value without the escapes that only HTML needs. merlin.wire.utf8: the standard library writes UTF-8.
func encoded(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // values come from JSON
		panic(fmt.Errorf("writing JSON: %w", err))
	}
	return bytes.TrimSpace(b.Bytes())
}
