package alter

import (
	"bytes"
	"encoding/json"
)

// Object is a JSON object whose members keep their bytes.
type Object = map[string]json.RawMessage

// Encode writes JSON without the escapes that only HTML needs, so that a decorator changes no more than it means to. It
// panics at a value that JSON has no form for: callers encode what came from JSON.
func Encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

// Members reads an object; nil if the text isn't one.
func Members(text []byte) Object {
	var members Object
	if json.Unmarshal(text, &members) != nil {
		return nil
	}
	return members
}
