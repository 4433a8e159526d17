package frame

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/schemas/jsontext"
)

// Number is an integer that may be missing.
type Number = judge.Number

// Content has the members of one frame. Raw members share memory with the data that they were decoded from, and are nil
// where the frame has none; JSON's null is one.
type Content struct {
	Type            string          // "" if it has none, or no string
	Chunk           json.RawMessage // of a chunk in its envelope, of any JSON type
	Sequence        Number          // of a chunk
	Status          string          // of a status frame, "" otherwise
	Error, Code     json.RawMessage // of a fail frame, of any JSON type
	FinalOutput     json.RawMessage // of an end frame, of any JSON type
	TruncatedAtStep Number          // of a truncated frame
	AtSequence      Number          // of a truncated frame
	AgentID         json.RawMessage // only chunks without an envelope have one
}

// Decode decodes the data of a frame; the error is why it isn't one JSON object.
func Decode(data []byte) (f Content, err error) {
	err = members(data, func(name string, value []byte) {
		switch name {
		case "type":
			f.Type, _ = Text(value)
		case "chunk":
			f.Chunk = value
		case "sequence":
			f.Sequence = number(value)
		case "status":
			f.Status, _ = Text(value)
		case "error":
			f.Error = value
		case "code":
			f.Code = value
		case "finalOutput":
			f.FinalOutput = value
		case "truncatedAtStep":
			f.TruncatedAtStep = number(value)
		case "atSequence":
			f.AtSequence = number(value)
		case "agentId":
			f.AgentID = value
		}
	})
	if err != nil {
		return Content{}, err
	}
	return f, nil
}

// Terminal reports whether nothing follows the frame.
func (f *Content) Terminal() bool { return f.Type == "end" || f.Type == "fail" }

// Bare reports whether the frame is a chunk without an envelope.
func (f *Content) Bare() bool { return f.AgentID != nil && f.Chunk == nil }

// Text returns a member of the chunk that is a text, "" if there is none.
func (f *Content) Text(name string) string {
	text, _ := Text(Member(f.Chunk, name))
	return text
}

// A Chunk has the members that chunks of all types share. Missing texts are "".
type Chunk struct {
	Type, AgentID, AgentType, RunID string

	Timestamp Number          // milliseconds of Unix time
	Step      Number          // missing if it isn't an integer
	Sequence  Number          // of its frame
	Raw       json.RawMessage // shares memory with what it was decoded from
}

// DecodeChunk decodes a chunk; the error is why it isn't one JSON object.
func DecodeChunk(data []byte) (c Chunk, err error) {
	c.Raw = bytes.TrimSpace(data)
	err = members(data, func(name string, value []byte) {
		switch name {
		case "type":
			c.Type, _ = Text(value)
		case "agentId":
			c.AgentID, _ = Text(value)
		case "agentType":
			c.AgentType, _ = Text(value)
		case "runId":
			c.RunID, _ = Text(value)
		case "timestamp":
			c.Timestamp = number(value)
		case "step":
			c.Step = number(value)
		}
	})
	return c, err
}

// Member returns a member of the chunk, decoded as encoding/json does into any, with numbers as json.Number.
func (c *Chunk) Member(name string) (value any, there bool) {
	raw := Member(c.Raw, name)
	if raw == nil {
		return nil, false
	}
	return judge.OneValue(raw)
}

// Text returns a member that is a text, "" if there is none.
func (c *Chunk) Text(name string) string {
	text, _ := Text(Member(c.Raw, name))
	return text
}

// Number returns a member that is an integer.
func (c *Chunk) Number(name string) Number { return number(Member(c.Raw, name)) }

// Member returns a member of a JSON object as it was sent, nil if there is none.
func Member(object []byte, name string) (value json.RawMessage) {
	_ = members(object, func(of string, v []byte) {
		if of == name {
			value = v
		}
	})
	return value
}

// deepest is the nesting limit of encoding/json.
const deepest = 10_000

// members calls take with each member of a JSON object. An error is why data isn't one, which may be found out after
// some calls.
func members(data []byte, take func(name string, value []byte)) error {
	r := jsontext.NewReader(data, deepest)
	r.Space()
	if r.Next() != '{' {
		return errNoObject
	}
	for name, value := range r.Members() {
		take(r.Text(name), value)
	}
	r.Space()
	switch {
	case r.Err() != "":
		return errors.New(r.Err())
	case len(r.Remaining()) > 0:
		return errNoObject
	}
	return nil
}

var errNoObject = errors.New("it isn't one JSON object")

// Text decodes a JSON string; ok is false for any other value.
func Text(value []byte) (text string, ok bool) {
	if len(value) == 0 || value[0] != '"' {
		return "", false
	}
	r := jsontext.NewReader(value, 0)
	return r.Text(r.String()), r.Err() == ""
}

// number decodes an integer, however written.
func number(value []byte) Number { return judge.Integer(json.Number(value)) }
