package generated

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/schemas"
)

// A position is a value in an example, or where a value could be, with the constraints of the schemas on it.
type position struct {
	pointer  []string
	value    any
	present  bool
	required bool
	item     bool // of an array: it can't be dropped without being another array
	nodes    []node
}

// A document is a valid example of a frame or a chunk.
type document struct {
	schema, example string
	value           any
	alone           map[string]bool // requirements that it breaks unchanged, because it is alone
}

// A schemaChange is one document with one position changed.
type schemaChange struct {
	document
	position
	operator string // dropped, as a string, out of the list, …
	value    any    // the replacement
	drop     bool
}

func (c schemaChange) name() string {
	at := "the whole"
	if len(c.pointer) > 0 {
		at = "/" + strings.Join(c.pointer, "/")
	}
	return fmt.Sprintf("schema %s, %s: %s %s", c.schema, c.example, at, c.operator)
}

// schemaRules say which changes leave a document valid.
func (o Options) schemaRules() []rule[schemaChange] {
	free, newKind := o.Pack.Shape.Freedoms, o.Pack.Shape.NewKind
	return []rule[schemaChange]{{
		"optional member dropped", "a member that no schema requires may be absent", "",
		func(c schemaChange) bool { return c.drop && !c.required },
	}, {
		pack.AnyValue, "a member whose schema names no type may hold any JSON value", free[pack.AnyValue],
		func(c schemaChange) bool { return c.operator == "as null" && c.present && unasked(c.position) },
	}, {
		pack.NewKind, "a type that nobody knows is legal, on a frame and on a chunk", free[pack.NewKind],
		func(c schemaChange) bool {
			_, isText := c.value.(string)
			return !c.drop && isText && c.value != "" && len(c.pointer) > 0 && newKind != nil && newKind(c.pointer)
		},
	}, {
		pack.NewMember, "members that no schema names may be there", free[pack.NewMember],
		func(c schemaChange) bool { return c.operator == unknownMember },
	}}
}

const unknownMember = "with a member that nobody knows"

func (p position) last() string {
	if len(p.pointer) == 0 {
		return ""
	}
	return p.pointer[len(p.pointer)-1]
}

// unasked reports whether a value is only required to be present.
func unasked(p position) bool {
	return !slices.ContainsFunc(p.nodes, func(n node) bool {
		for _, keyword := range []string{"type", "enum", "const", "not"} {
			if _, there := n.object[keyword]; there {
				return true
			}
		}
		return false
	})
}

// schemaMutants changes every position of every valid example of a frame or a chunk.
func (o Options) schemaMutants() ([]candidate, error) {
	k := &keywords{fsys: o.Files, files: map[string]map[string]any{}}
	var out []candidate
	for _, d := range documents(o.Schemas) {
		d.alone = o.outOfContext(d)
		root, err := k.file(o.Pack.Name + "/" + d.schema + ".json")
		if err != nil {
			return nil, err
		}
		places, err := o.positions(k, root, position{value: d.value, present: true, required: true})
		if err != nil {
			return nil, err
		}
		for _, p := range places {
			for _, c := range changes(d, p) {
				out = append(out, candidate{c.name(), excludedBy(o.schemaRules(), c), func() bool { return o.killsDocument(c) }})
			}
		}
	}
	return out, nil
}

func documents(set *schemas.Set) []document {
	var out []document
	for _, name := range set.Names() {
		if !strings.HasPrefix(name, "chunks/") && !strings.HasPrefix(name, "frames/") {
			continue
		}
		for _, e := range set.Examples(name) {
			out = append(out, document{schema: name, example: e.Name, value: decode(e.Value)})
		}
	}
	return out
}

// positions lists a value and everything in it that a schema constrains.
func (o Options) positions(k *keywords, root node, p position) ([]position, error) {
	nodes, err := k.asserting(root, p.value)
	if err != nil {
		return nil, err
	}
	p.nodes = append(p.nodes, nodes...)
	out := []position{p}
	members := map[string][]node{}
	required := map[string]bool{}
	for _, n := range nodes {
		names, _ := n.object["required"].([]any)
		for _, raw := range names {
			name, _ := raw.(string)
			required[name] = true
			members[name] = append(members[name], node{n.file, map[string]any{}})
		}
		properties, _ := n.object["properties"].(map[string]any)
		for name, raw := range properties {
			object, _ := raw.(map[string]any)
			members[name] = append(members[name], node{n.file, object})
		}
	}
	if object, ok := p.value.(map[string]any); ok {
		for _, name := range slices.Sorted(maps.Keys(members)) {
			value, present := object[name]
			at := members[name]
			if name == o.Schemas.Nested() && len(p.pointer) == 0 && present {
				at = append(at, o.chunkSchema(k, value)...)
			}
			found, err := o.positions(k, all(at), position{
				pointer: append(slices.Clone(p.pointer), name), value: value, present: present, required: required[name],
			})
			if err != nil {
				return nil, err
			}
			out = append(out, found...)
		}
	}
	inside, err := o.items(k, nodes, p)
	return append(out, inside...), err
}

// items lists the positions of an array.
func (o Options) items(k *keywords, nodes []node, p position) ([]position, error) {
	array, _ := p.value.([]any)
	var out []position
	for _, n := range nodes {
		object, ok := n.object["items"].(map[string]any)
		if !ok {
			continue
		}
		for i, value := range array {
			found, err := o.positions(k, node{n.file, object}, position{
				pointer: append(slices.Clone(p.pointer), strconv.Itoa(i)), value: value, present: true, item: true,
			})
			if err != nil {
				return nil, err
			}
			out = append(out, found...)
		}
	}
	return out, nil
}

// chunkSchema finds the schema of the chunk in a frame, which no keyword of the frame refers to.
func (o Options) chunkSchema(k *keywords, chunk any) []node {
	object, _ := chunk.(map[string]any)
	kind, _ := object[o.Schemas.Discriminator()].(string)
	n, err := k.file(o.Pack.Name + "/chunks/" + kind + ".json")
	if err != nil { // of an unknown type
		return nil
	}
	return []node{n}
}

// all combines schema objects of several files into one. Their references are made from the root of the schemas.
func all(nodes []node) node {
	var parts []any
	for _, n := range nodes {
		parts = append(parts, rooted(n.object, n.file))
	}
	return node{"", map[string]any{"allOf": parts}}
}

// rooted copies a schema with its references spelled from the root.
func rooted(v any, file string) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, value := range v {
			if ref, ok := value.(string); ok && name == "$ref" {
				out[name] = absolute(ref, file)
				continue
			}
			out[name] = rooted(value, file)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = rooted(v[i], file)
		}
		return out
	}
	return v
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil { // it was made of JSON
		panic(err)
	}
	return b
}

// beyond returns the integer next to a bound, on the wrong side of it.
func beyond(bound json.Number, by int64) json.Number {
	n, ok := new(big.Int).SetString(bound.String(), 10)
	if !ok {
		return bound
	}
	return json.Number(n.Add(n, big.NewInt(by)).String())
}

// misfit finds a text that a pattern doesn't match.
func misfit(pattern string) (string, bool) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", false
	}
	for _, text := range []string{"", "~", "a", "/~2", "\u00e9 "} {
		if !re.MatchString(text) {
			return text, true
		}
	}
	return "", false
}
