package generated

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// A keywords reads schema files as JSON, to list their constraints.
type keywords struct {
	fsys  fs.FS
	files map[string]map[string]any
}

// A node is an object in a schema file. References are relative to the file.
type node struct {
	file   string
	object map[string]any
}

// file reads a schema file once.
func (k *keywords) file(name string) (node, error) {
	if known, ok := k.files[name]; ok {
		return node{name, known}, nil
	}
	b, err := fs.ReadFile(k.fsys, name)
	if err != nil {
		return node{}, fmt.Errorf("reading the keywords of %s: %w", name, err)
	}
	object, ok := decode(b).(map[string]any)
	if !ok {
		return node{}, fmt.Errorf("reading the keywords of %s: it isn't a JSON object", name)
	}
	k.files[name] = object
	return node{name, object}, nil
}

// follow resolves a reference such as ../common.json#/$defs/step.
func (k *keywords) follow(from node, ref string) (node, error) {
	name, pointer, _ := strings.Cut(ref, "#")
	at := from.file
	if name != "" {
		at = path.Join(path.Dir(from.file), name)
	}
	n, err := k.file(at)
	if err != nil {
		return n, err
	}
	for _, part := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		if part == "" {
			continue
		}
		object, ok := n.object[part].(map[string]any)
		if !ok {
			return n, fmt.Errorf("reading the keywords of %s: nothing is at %s", from.file, ref)
		}
		n.object = object
	}
	return n, nil
}

// asserting lists every schema object that applies to a value: the given one, those that it refers to or combines, and
// those under a condition that the value meets.
func (k *keywords) asserting(n node, value any) ([]node, error) {
	out := []node{n}
	var more []node
	if ref, ok := n.object["$ref"].(string); ok {
		to, err := k.follow(n, ref)
		if err != nil {
			return nil, err
		}
		more = append(more, to)
	}
	all, _ := n.object["allOf"].([]any)
	for _, one := range all {
		if object, ok := one.(map[string]any); ok {
			more = append(more, node{n.file, object})
		}
	}
	if condition, ok := n.object["if"].(map[string]any); ok && meets(value, condition) {
		if then, ok := n.object["then"].(map[string]any); ok {
			more = append(more, node{n.file, then})
		}
	}
	for _, one := range more {
		found, err := k.asserting(one, value)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// meets evaluates the one form of condition that the schemas use: members with one of several values.
func meets(value any, condition map[string]any) bool {
	object, _ := value.(map[string]any)
	properties, _ := condition["properties"].(map[string]any)
	for name, raw := range properties {
		one, _ := raw.(map[string]any)
		listed, _ := one["enum"].([]any)
		if !slices.Contains(listed, object[name]) {
			return false
		}
	}
	return len(properties) > 0
}

// jsonTypes returns the types that all nodes admit; nil if none restricts them.
func jsonTypes(nodes []node) []string {
	var out []string
	limited := false
	for _, n := range nodes {
		var types []string
		switch t := n.object["type"].(type) {
		case string:
			types = []string{t}
		case []any:
			for _, one := range t {
				name, _ := one.(string)
				types = append(types, name)
			}
		default:
			continue
		}
		if !limited {
			out, limited = types, true
			continue
		}
		out = common(out, types)
	}
	return out
}

// common lists the types that two lists both admit; an integer is also a number.
func common(a, b []string) []string {
	var out []string
	for _, t := range a {
		switch {
		case slices.Contains(b, t):
			out = append(out, t)
		case t == "number" && slices.Contains(b, "integer"), t == "integer" && slices.Contains(b, "number"):
			out = append(out, "integer")
		}
	}
	return out
}

// decode reads JSON; numbers keep their text. It returns nil for invalid JSON.
func decode(b []byte) any {
	d := json.NewDecoder(strings.NewReader(string(b)))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}
