package generated

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
)

func absolute(ref, file string) string {
	name, pointer, _ := strings.Cut(ref, "#")
	if name == "" {
		return file + "#" + pointer
	}
	return path.Join(path.Dir(file), name) + "#" + pointer
}

// changes makes every change of a document at a position.
func changes(d document, p position) []schemaChange {
	var out []schemaChange
	add := func(operator string, value any) {
		out = append(out, schemaChange{document: d, position: p, operator: operator, value: value})
	}
	if p.present && len(p.pointer) > 0 && !p.item {
		out = append(out, schemaChange{document: d, position: p, operator: "dropped", drop: true})
	}
	types := jsonTypes(p.nodes)
	for _, one := range []struct {
		name  string
		value any
	}{
		{"string", "x"}, {"number", json.Number("7")}, {"boolean", true}, {"null", nil}, {"object", map[string]any{}}, {"array", []any{}},
	} {
		allowed := slices.Contains(types, one.name) || one.name == "number" && slices.Contains(types, "integer")
		if types != nil && !allowed || types == nil && unasked(p) && one.name == "null" && p.present {
			add("as "+one.name, one.value)
		}
	}
	if slices.Contains(types, "integer") {
		add("as a fraction", json.Number("1.5"))
	}
	if object, ok := p.value.(map[string]any); ok && types != nil {
		extended := map[string]any{"memberFromTheFuture": true}
		for name, value := range object {
			extended[name] = value
		}
		add(unknownMember, extended)
	}
	for _, n := range p.nodes {
		bounds(n.object, add)
	}
	return distinct(out)
}

// bounds adds values that violate the bounds of a schema object.
func bounds(schema map[string]any, add func(operator string, value any)) {
	if _, there := schema["enum"]; there {
		add("out of the list", "unlisted")
	}
	if _, there := schema["const"]; there {
		add("not the constant", "other")
	}
	if minimum, ok := schema["minimum"].(json.Number); ok {
		add("below the minimum", beyond(minimum, -1))
	}
	if maximum, ok := schema["maximum"].(json.Number); ok {
		add("above the maximum", beyond(maximum, 1))
	}
	if least, ok := schema["minLength"].(json.Number); ok && least.String() != "0" {
		add("too short", "")
	}
	if pattern, ok := schema["pattern"].(string); ok {
		if text, found := misfit(pattern); found {
			add("out of the pattern", text)
		}
	}
	if not, ok := schema["not"].(map[string]any); ok && len(not) == 0 {
		add("where it must not be", true)
	}
}

// distinct removes duplicate changes of several schema objects.
func distinct(changes []schemaChange) []schemaChange {
	seen := map[string]bool{}
	return slices.DeleteFunc(changes, func(c schemaChange) bool {
		name := c.name()
		again := seen[name]
		seen[name] = true
		return again
	})
}

// data returns the changed document.
func (c schemaChange) data() []byte {
	if len(c.pointer) == 0 {
		return encode(c.value)
	}
	root := decode(encode(c.document.value))
	at := root
	for _, part := range c.pointer[:len(c.pointer)-1] {
		at = inside(at, part)
	}
	switch at := at.(type) {
	case map[string]any:
		if c.drop {
			delete(at, c.last())
		} else {
			at[c.last()] = c.value
		}
	case []any:
		i, _ := strconv.Atoi(c.last())
		at[i] = c.value
	}
	return encode(root)
}

func inside(v any, part string) any {
	switch v := v.(type) {
	case map[string]any:
		return v[part]
	case []any:
		i, _ := strconv.Atoi(part)
		return v[i]
	}
	return nil
}

// killsDocument judges a response of one produced frame. A finding that the unchanged document also has, such as a missing
// start of a call, is no kill.
func (o Options) killsDocument(c schemaChange) bool {
	found := o.produced(c.schema, c.document.value, c.data())
	return o.violates(slices.DeleteFunc(found, func(f record.Finding) bool { return f.Schema == "" && c.alone[f.Requirement] }))
}

// outOfContext returns the requirements that a document breaks because nothing comes before or after it.
func (o Options) outOfContext(d document) map[string]bool {
	alone := map[string]bool{}
	for _, f := range o.produced(d.schema, d.value, encode(d.value)) {
		alone[f.Requirement] = true
	}
	return alone
}

// produced judges a document as a server's output.
func (o Options) produced(schema string, original any, data []byte) []record.Finding {
	body, end := o.Pack.Shape.Send(schema, original, data)
	head := judge.Head{Status: 200, Header: map[string][]string{"content-type": {"text/event-stream"}, "cache-control": {"no-cache"}}}
	return o.response(record.Produced, head, body, end)
}

// response judges a response as the runner does.
func (o Options) response(origin record.Origin, head judge.Head, body []byte, end record.End) []record.Finding {
	m := o.Pack.Machine(judge.Options{Origin: origin, Schemas: o.Schemas})
	findings := m.Head(head)
	for _, f := range framesOf(body) {
		findings = append(findings, m.Frame(f)...)
	}
	return append(findings, m.Close(end)...)
}

// framesOf reads the frames of a body in memory, which can't fail but at its end.
func framesOf(body []byte) []*wire.Frame {
	var out []*wire.Frame
	r := wire.NewReader(bytes.NewReader(body), wire.Options{})
	for f, err := r.Next(); err == nil; f, err = r.Next() {
		out = append(out, f)
	}
	return out
}
