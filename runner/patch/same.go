package patch

import (
	"encoding/json"
	"strconv"
)

// same compares two values: members in any order, numbers by the double that they
// are. The answer isn't sure where a value isn't known.
func same(a, b any) (equal, sure bool) {
	if _, is := a.(Hidden); is {
		return false, false
	}
	if _, is := b.(Hidden); is {
		return false, false
	}
	if items, ok := itemsOf(a); ok {
		others, ok := itemsOf(b)
		if !ok || len(items) != len(others) {
			return false, true
		}
		for i := range items {
			if equal, sure := same(items[i], others[i]); !equal || !sure {
				return equal, sure
			}
		}
		return true, true
	}
	if n, ok := length(a); ok {
		return sameMembers(a, b, n)
	}
	if x, ok := a.(json.Number); ok {
		y, ok := b.(json.Number)
		return ok && (x == y || double(x) == double(y)), true
	}
	_, isArray := itemsOf(b)
	_, isObject := length(b)
	return !isArray && !isObject && a == b, true
}

// sameMembers compares an object of n members with another value. The first member that differs, or isn't sure, ends the
// comparison.
func sameMembers(a, b any, n int) (equal, sure bool) {
	others, ok := length(b)
	if o, is := a.(*object); is && o.open {
		return false, !ok
	}
	if o, is := b.(*object); is && o.open {
		return false, false
	}
	if !ok || n != others {
		return false, true
	}
	equal, sure = true, true
	members(a, func(name string, v any) bool {
		other, what := child(b, name)
		if what != there {
			equal, sure = false, what == missing
			return false
		}
		equal, sure = same(v, other)
		return equal && sure
	})
	return equal, sure
}

// itemsOf returns the items of an array.
func itemsOf(v any) ([]any, bool) {
	switch v := v.(type) {
	case *array:
		return v.items, true
	case []any:
		return v, true
	}
	return nil, false
}

// length returns the number of members of an object.
func length(v any) (int, bool) {
	switch v := v.(type) {
	case *object:
		return len(v.index), true
	case map[string]any:
		return len(v), true
	}
	return 0, false
}

// members visits those of an object.
func members(v any, visit func(name string, v any) bool) {
	switch v := v.(type) {
	case *object:
		for _, m := range v.list {
			if !m.gap && !visit(m.name, m.value) {
				return
			}
		}
	case map[string]any:
		for name, value := range v {
			if !visit(name, value) {
				return
			}
		}
	}
}

// double returns the number as readers parse it: a number that is too large is infinite, and zero has no sign.
func double(n json.Number) float64 {
	x, _ := strconv.ParseFloat(string(n), 64)
	return x + 0
}
