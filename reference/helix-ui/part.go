package helixui

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Chunk is a chunk of helix.
type Chunk map[string]any

func (c Chunk) text(member string) string { return textOf(c[member]) }

// Part is one part of a UI message stream.
type Part map[string]any

// Type returns the type of the part.
func (p Part) Type() string { return textOf(p["type"]) }

// Text returns a member that is a string, "" if it isn't.
func (p Part) Text(member string) string { return textOf(p[member]) }

func textOf(v any) string {
	text, _ := v.(string)
	return text
}

// Event is the unit that a reader receives: a part with its id, or, with a nil Part, the end of the stream.
type Event struct {
	ID   int  // at least 1 for a part
	Part Part // nil at the end of the stream
}

// IsDone reports whether the event is the end of the stream.
func (e Event) IsDone() bool { return e.Part == nil }

// Encoder appends the bytes of an event to dst.
type Encoder interface {
	Append(dst []byte, e Event) []byte
}

// Frames writes events as Server-Sent Events.
type Frames struct{}

// Append implements Encoder.
func (Frames) Append(dst []byte, e Event) []byte {
	if e.IsDone() {
		// helix-ui.flow.done: the stream says that it is over.
		return append(dst, "data: [DONE]\n\n"...)
	}
	// helix-ui.resume.ids: every part has the id under which its turn keeps it.
	dst = append(dst, "id: "...)
	dst = strconv.AppendInt(dst, int64(e.ID), 10)
	// helix-ui.wire.single-line, helix-ui.wire.framing: JSON has no line ends outside of escapes.
	dst = append(append(dst, "\ndata: "...), encode(e.Part)...)
	// helix-ui.wire.blank-line: an event ends with its blank line.
	return append(dst, "\n\n"...)
}

// encode writes a value as JSON on one line.
// helix-ui.parts.object, helix-ui.wire.utf8: encoding/json writes one value, in UTF-8.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // texts, and JSON that was read
		panic(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// decode reads one JSON object whose numbers keep their digits; nil if it isn't one.
func decode(raw []byte) map[string]any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v map[string]any
	if d.Decode(&v) != nil || d.More() {
		return nil
	}
	return v
}

// approves reports whether the user approves the call.
func (p Part) approves() bool {
	approval, _ := p["approval"].(map[string]any)
	return approval["approved"] == true
}

// approvalID returns the id of the request for the approval of a call.
func approvalID(call any) string { return "approval-of-" + textOf(call) }
