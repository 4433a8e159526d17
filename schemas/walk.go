package schemas

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// The keywords whose values contain schemas.
func containsSchema(keyword string) bool {
	switch keyword {
	case "items", "not", "if", "then", "else", "additionalProperties", "contains", "propertyNames", tolerantKeyword:
		return true
	}
	return false
}

func containsSchemas(keyword string) bool {
	switch keyword {
	case "properties", "$defs", "patternProperties", "dependentSchemas", "allOf", "anyOf", "oneOf", "prefixItems":
		return true
	}
	return false
}

// walk calls visit for every schema object in the document, with its JSON pointer, parents first and in a fixed
// order. Examples, constants and other values in the form of schemas are left out.
func walk(schema any, pointer string, visit func(pointer string, object map[string]any)) {
	object, ok := schema.(map[string]any)
	if !ok {
		return
	}
	visit(pointer, object)
	for _, keyword := range slices.Sorted(maps.Keys(object)) {
		here := pointer + "/" + escapePointer(keyword)
		switch {
		case containsSchema(keyword):
			walk(object[keyword], here, visit)
		case containsSchemas(keyword):
			each(object[keyword], func(name string, member any) {
				walk(member, here+"/"+escapePointer(name), visit)
			})
		}
	}
}

// each calls f for the members of an object, sorted, or the items of an array.
func each(value any, f func(name string, member any)) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			f(name, v[name])
		}
	case []any:
		for i, item := range v {
			f(strconv.Itoa(i), item)
		}
	}
}

// find follows a JSON pointer and returns every value on the way, the root first.
func find(doc any, pointer string) []any {
	found := []any{doc}
	for _, token := range tokens(pointer) {
		switch v := doc.(type) {
		case map[string]any:
			doc = v[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) {
				return found
			}
			doc = v[i]
		default:
			return found
		}
		found = append(found, doc)
	}
	return found
}

// tokens splits a JSON pointer and unescapes its parts.
func tokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	parts := strings.Split(pointer[1:], "/")
	for i, part := range parts {
		parts[i] = strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
	}
	return parts
}
