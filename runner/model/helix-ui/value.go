package helixui

import "encoding/json"

// same compares JSON values. Numbers may be those of encoding/json or their digits.
func same(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, is := b.(map[string]any)
		if !is || len(x) != len(y) {
			return false
		}
		for name, v := range x {
			w, there := y[name]
			if !there || !same(v, w) {
				return false
			}
		}
		return true
	case []any:
		y, is := b.([]any)
		if !is || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !same(x[i], y[i]) {
				return false
			}
		}
		return true
	case json.Number:
		y, is := b.(json.Number)
		n, err := x.Float64()
		m, failed := y.Float64()
		return is && (x == y || err == nil && failed == nil && n == m)
	}
	return a == b
}

// includes reports whether an object has all members of another; it may have more.
func includes(got, wanted any) bool {
	had, is := got.(map[string]any)
	members, _ := wanted.(map[string]any)
	for name, v := range members {
		w, there := had[name]
		if !there || !same(v, w) {
			return false
		}
	}
	return is
}
