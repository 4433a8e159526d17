package merlin

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/streamcert/streamcert/runner/wire"
)

// message is a message of either version. A slice may end inside a character, whose halves are escapes: so a text is stored as
// it was written until its pieces are joined.
type message struct {
	Type    string
	Content json.RawMessage
	Text    json.RawMessage
}

// innerData returns the text of a frame of a stream of that version as the inside of a JSON string; ok is false if it has none.
// Of a message of version 1 it is the content, independent of other members: clients of that version read nothing else.
func innerData(version int, f *wire.Frame) (inner []byte, ok bool) {
	var m message
	if f.Event != "message" && f.Event != "" || json.Unmarshal(f.Data, &m) != nil {
		return nil, false
	}
	text := m.Content
	switch {
	case version == 1 || m.Type == "":
	case m.Type == "text":
		text = m.Text
	default:
		return nil, false
	}
	text = bytes.TrimSpace(text)
	if len(text) < 2 || text[0] != '"' {
		return nil, false
	}
	return text[1 : len(text)-1], true
}

// Text returns the text of the messages among some frames of a stream of that version, concatenated.
func Text(version int, frames []*wire.Frame) string {
	var all []byte
	for _, f := range frames {
		inner, _ := innerData(version, f)
		all = append(all, inner...)
	}
	return unquoted(all)
}

// unquoted reads the inside of a JSON string, "" if it is invalid.
func unquoted(inner []byte) string {
	var out string
	_ = json.Unmarshal(append(append([]byte{'"'}, inner...), '"'), &out) // which leaves it empty then
	return out
}

// otherForm returns what a failure adds where the text of a stream of that version has the form of the other one, otherwise "".
func otherForm(version int, frames []*wire.Frame) string {
	if Text(version, frames) != "" || Text(3-version, frames) == "" {
		return ""
	}
	return fmt.Sprintf(", sent in the form of version %d", 3-version)
}
