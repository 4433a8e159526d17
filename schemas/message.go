package schemas

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// failure is one keyword that a value doesn't satisfy, with everything needed to say so in a sentence.
type failure struct {
	keyword     string         // of JSON Schema
	object      map[string]any // the schema object that contains the keyword
	requirement string         // id; "" if no $comment names one
	instance    string         // pointer from the document's root
	schema      string         // file and pointer into it
	value       any            // the one that doesn't satisfy it
	library     string         // the library's words, for keywords that have no sentence here
}

// explain turns a leaf of the library's error into findings: one for each member that is missing or too many.
func (e *entry) explain(leaf *jsonschema.ValidationError, p Profile, doc any, prefix string) []Finding {
	location := strings.TrimPrefix(leaf.AbsoluteKeywordLocation, base)
	name, pointer, _ := strings.Cut(location, "#")
	pointer = unescapeLocation(pointer)
	at := unescapeLocation(leaf.InstanceLocation)
	way := find(doc, at)
	f := failure{
		keyword: path.Base(pointer), instance: prefix + at, schema: name + "#" + pointer,
		value: way[len(way)-1], library: leaf.Message,
	}
	var schema any
	if f, ok := e.files[name]; ok {
		schema = f.derived[p]
	}
	f.requirement = nearest(schema, pointer)
	objects := find(schema, strings.TrimSuffix(path.Dir(pointer), "/"))
	f.object, _ = objects[len(objects)-1].(map[string]any)
	var out []Finding
	for _, message := range f.sentences() {
		out = append(out, Finding{Requirement: f.requirement, Message: message, Instance: f.instance, Schema: f.schema})
	}
	return out
}

// nearest returns the requirement of the schema object that contains the keyword, or of the closest around it.
func nearest(schema any, pointer string) string {
	way := find(schema, pointer)
	for _, value := range slices.Backward(way) {
		if object, ok := value.(map[string]any); ok {
			if id, ok := requirementOf(object); ok {
				return id
			}
		}
	}
	return ""
}

func (f failure) sentences() []string {
	switch f.keyword {
	case "required":
		return f.missing()
	case "additionalProperties":
		return f.tooMany()
	case "not":
		return []string{"member " + named(f.instance) + " is not allowed in this place"}
	case "type", "minimum", "exclusiveMinimum", "maximum", "minLength", "const", "enum", "minItems", "pattern", "format":
		return []string{fmt.Sprintf("%s must be %s, got %s", named(f.instance), expected(f.object), shown(f.value))}
	}
	return []string{fmt.Sprintf("%s: %s", named(f.instance), f.library)}
}

func (f failure) missing() []string {
	object, _ := f.value.(map[string]any)
	names, _ := f.object["required"].([]any)
	var out []string
	for _, name := range names {
		name, _ := name.(string)
		if _, ok := object[name]; !ok {
			out = append(out, fmt.Sprintf("member %s is missing", named(f.instance+"/"+escapePointer(name))))
		}
	}
	return out
}

func (f failure) tooMany() []string {
	object, _ := f.value.(map[string]any)
	defined, _ := f.object["properties"].(map[string]any)
	var out []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if _, ok := defined[name]; !ok {
			out = append(out, fmt.Sprintf("member %s is not known; known are %s",
				named(f.instance+"/"+escapePointer(name)), list(slices.Sorted(maps.Keys(defined)))))
		}
	}
	return out
}

// named returns the name of a position for a sentence: `step`, `patches/0/op`, or the complete document.
func named(pointer string) string {
	if pointer == "" {
		return "the document"
	}
	return "`" + strings.Join(tokens(pointer), "/") + "`"
}

// expected describes the values that a schema object accepts.
func expected(object map[string]any) string {
	if value, ok := object["const"]; ok {
		return shown(value)
	}
	if values, ok := object["enum"].([]any); ok {
		var names []string
		for _, v := range values {
			names = append(names, shown(v))
		}
		return strings.Join(names, " or ")
	}
	least := shown(object["minLength"])
	if object["type"] == "string" && least == "1" {
		return "a non-empty string"
	}
	parts := []string{typeNames(object["type"])}
	if object["type"] == nil && (object["minimum"] != nil || object["maximum"] != nil) {
		parts[0] = "a number"
	}
	for _, bound := range []struct{ keyword, sign string }{{"minimum", "≥"}, {"exclusiveMinimum", ">"}, {"maximum", "≤"}} {
		if value, ok := object[bound.keyword]; ok {
			parts = append(parts, bound.sign+" "+shown(value))
		}
	}
	if _, ok := object["minLength"]; ok {
		parts = append(parts, "of at least "+least+" characters")
	}
	if value, ok := object["minItems"]; ok {
		parts = append(parts, "of at least "+shown(value)+" items")
	}
	if value, ok := object["pattern"].(string); ok {
		parts = append(parts, "that matches "+value)
	}
	if value, ok := object["format"].(string); ok {
		parts = append(parts, "in the form of a "+value)
	}
	return strings.Join(parts, " ")
}

func typeNames(types any) string {
	switch t := types.(type) {
	case string:
		switch t {
		case "integer", "array", "object":
			return "an " + t
		case "null":
			return t
		}
		return "a " + t
	case []any:
		var names []string
		for _, one := range t {
			names = append(names, typeNames(one))
		}
		return strings.Join(names, " or ")
	}
	return "a value"
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// shown returns a value as text for a sentence.
func shown(v any) string {
	switch v := v.(type) {
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	default:
		var out strings.Builder
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		if encoder.Encode(v) != nil {
			return "a " + jsonType(v)
		}
		return shorten(strings.TrimSuffix(out.String(), "\n"))
	}
}

func shorten(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	cut := most
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
