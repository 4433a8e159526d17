package patch

import (
	"bytes"
	"encoding/json"
)

// Operation is one of a patch.
type Operation struct {
	Op         string  // add, remove, replace, move, copy or test
	Path, From Pointer // From of move and copy
	Value      any     // of add, replace and test
}

// Operations reads a patch. Members of values keep their order. Errors are
// *SyntaxError.
func Operations(text []byte) ([]Operation, error) {
	var list []json.RawMessage
	if text = bytes.TrimSpace(text); len(text) == 0 || text[0] != '[' || json.Unmarshal(text, &list) != nil {
		return nil, syntax("a patch is an array of operations")
	}
	operations := make([]Operation, 0, len(list))
	for i, raw := range list {
		o, err := ParseOperation(raw)
		if err != nil {
			return nil, syntax("operation %d: %v", i, err)
		}
		operations = append(operations, o)
	}
	return operations, nil
}

// ParseOperation reads one operation. Errors are *SyntaxError.
func ParseOperation(text []byte) (Operation, error) {
	var members map[string]json.RawMessage // a struct would take "Op" for "op"
	if err := json.Unmarshal(text, &members); err != nil || members == nil {
		return Operation{}, syntax("an operation is an object")
	}
	plain := map[string]any{}
	for _, name := range []string{"op", "path", "from"} {
		var word string
		if raw, ok := members[name]; ok && json.Unmarshal(raw, &word) == nil && string(raw) != "null" {
			plain[name] = word
		}
	}
	if raw, ok := members["value"]; ok {
		value, err := parse(raw)
		if err != nil {
			return Operation{}, err
		}
		plain["value"] = value
	}
	return OperationOf(plain)
}

// OperationOf takes an operation from its decoded JSON. Its value is shared, and
// must not change from then on. Errors are *SyntaxError.
func OperationOf(v any) (Operation, error) {
	members, ok := v.(map[string]any)
	if !ok {
		return Operation{}, syntax("an operation is an object")
	}
	o := Operation{}
	if o.Op, ok = members["op"].(string); !ok {
		return o, syntax("it has no op")
	}
	path, ok := members["path"].(string)
	if ok {
		o.Path, ok = ParsePointer(path)
	}
	if !ok {
		return o, syntax("%q has no path that begins with /", o.Op)
	}
	switch o.Op {
	case "add", "replace", "test":
		if o.Value, ok = members["value"]; !ok {
			return o, syntax("%s %s has no value", o.Op, path)
		}
	case "move", "copy":
		from, ok := members["from"].(string)
		if ok {
			o.From, ok = ParsePointer(from)
		}
		if !ok {
			return o, syntax("%s %s has no from that begins with /", o.Op, path)
		}
	case "remove":
	default:
		return o, syntax("there is no operation %q", o.Op)
	}
	return o, nil
}
