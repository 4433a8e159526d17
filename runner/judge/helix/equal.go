package helix

import (
	"encoding/json"
	"hash/maphash"
	"math"
	"strconv"
)

// Two JSON values are the same if readers can't tell them apart: members in any
// order, numbers by the double that they are.

// digest hashes a decoded JSON value; equal values have equal digests.
func digest(v any) uint64 {
	switch v := v.(type) {
	case nil:
		return 1
	case bool:
		if v {
			return 2
		}
		return 3
	case json.Number:
		return pair(4, math.Float64bits(double(v)))
	case string:
		return pair(5, maphash.String(seed, v))
	case []any:
		sum := pair(6, uint64(len(v)))
		for _, item := range v {
			sum = pair(sum, digest(item))
		}
		return sum
	case map[string]any:
		sum := pair(7, uint64(len(v)))
		for name, member := range v {
			sum += pair(maphash.String(seed, name), digest(member))
		}
		return sum
	}
	return 0
}

// double is the number that readers hold: what is too large is infinite, and zero
// has no sign.
func double(n json.Number) float64 {
	x, _ := strconv.ParseFloat(string(n), 64)
	return x + 0
}

// same compares a value with one of a document. Where the document has parts that
// aren't known, the answer isn't sure.
func same(a, b any) (equal, sure bool) {
	a, b = plainly(a), plainly(b)
	switch a := a.(type) {
	case hidden:
		return false, false
	case json.Number:
		n, ok := b.(json.Number)
		return ok && double(a) == double(n), !isHidden(b)
	case []any:
		items, ok := b.([]any)
		if !ok || len(items) != len(a) {
			return false, !isHidden(b)
		}
		for i := range a {
			if equal, sure := same(a[i], items[i]); !equal || !sure {
				return equal, sure
			}
		}
		return true, true
	case map[string]any:
		members, ok := b.(map[string]any)
		if !ok || len(members) != len(a) {
			return false, !isHidden(b)
		}
		for name, value := range a {
			other, there := members[name]
			if !there {
				return false, true
			}
			if equal, sure := same(value, other); !equal || !sure {
				return equal, sure
			}
		}
		return true, true
	}
	switch b.(type) {
	case hidden:
		return false, false
	case map[string]any, []any:
		return false, true
	}
	return a == b, true
}

func isHidden(v any) bool {
	_, is := v.(hidden)
	return is
}

// plainly takes a document's own containers for what they hold.
func plainly(v any) any {
	switch v := v.(type) {
	case *object:
		if v.open {
			return hidden{}
		}
		return v.members
	case *array:
		return v.items
	}
	return v
}
