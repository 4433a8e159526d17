package edit

import (
	"bytes"
	"encoding/json"

	"github.com/streamcert/streamcert/reference/alter"
)

// ValueOf decodes a value; its numbers stay text. It panics unless the text is JSON.
func ValueOf(raw json.RawMessage) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil { // the store holds valid JSON only
		panic(err)
	}
	return v
}

// WithoutNulls deletes the members of an object that are null.
func WithoutNulls(v any) any {
	if m, ok := v.(map[string]any); ok {
		for name := range m {
			if m[name] == nil {
				delete(m, name)
			}
		}
	}
	return v
}

// EveryValue replaces the values in a JSON text, the innermost first; its members keep their names. What isn't replaced
// stays as it is, numbers too.
func EveryValue(text json.RawMessage, change func(any) any) json.RawMessage {
	return alter.Recode(text, func(v any) any { return inside(v, change) })
}

// inside is alter.Walk without the members type, runId, agentId and agentType of objects.
func inside(v any, change func(any) any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if name != "type" && name != "runId" && name != "agentId" && name != "agentType" {
				v[name] = inside(member, change)
			}
		}
	case []any:
		for i := range v {
			v[i] = inside(v[i], change)
		}
	}
	return change(v)
}

// OnText changes strings and leaves other values.
func OnText(change func(string) any) func(any) any {
	return func(v any) any {
		if s, ok := v.(string); ok {
			return change(s)
		}
		return v
	}
}
