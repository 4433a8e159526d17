package helix

import (
	"fmt"
	"math"
	"strconv"
)

// Differs compares a value that was written with one that came, both as encoding/json decodes them: numbers are doubles.
// It returns the requirement that the first difference breaks and where it is, "" if there is none.
func Differs(want, got any) (rule, where string) { return differs(want, got, "", 0) }

func differs(want, got any, at string, depth int) (rule, where string) {
	switch want := want.(type) {
	case map[string]any:
		if other, ok := got.(map[string]any); ok {
			return membersDiffer(want, other, at, depth)
		}
	case []any:
		other, ok := got.([]any)
		if !ok || len(other) != len(want) {
			break
		}
		for i := range want {
			if rule, where := differs(want[i], other[i], at+"/"+strconv.Itoa(i), depth+1); rule != "" {
				return rule, where
			}
		}
		return "", ""
	case float64:
		if other, ok := got.(float64); ok && other == want {
			return "", ""
		}
		if want == math.Trunc(want) && math.Abs(want) < 1<<53 {
			return "helix.chunks.integers-exact", place(at)
		}
	case string:
		if other, ok := got.(string); ok && other == want {
			return "", ""
		}
		return "helix.chunks.strings-exact", place(at)
	case nil:
		if got == nil {
			return "", ""
		}
		return "helix.chunks.nulls-kept", place(at)
	default:
		if want == got {
			return "", ""
		}
	}
	return "helix.chunks.any-value", place(at)
}

func membersDiffer(want, got map[string]any, at string, depth int) (rule, where string) {
	for name, v := range want {
		other, there := got[name]
		switch {
		case !there && v == nil:
			return "helix.chunks.nulls-kept", place(at + "/" + name)
		case !there && depth == 0 && name == UnknownMember:
			return "helix.chunks.unknown-members", place(at + "/" + name)
		case !there && depth == 0:
			return "helix.chunks.types", place(at + "/" + name)
		case !there:
			return "helix.chunks.any-value", place(at + "/" + name)
		}
		if rule, where := differs(v, other, at+"/"+name, depth+1); rule != "" {
			return rule, where
		}
	}
	if len(got) > len(want) {
		for name := range got {
			if _, there := want[name]; !there {
				return "helix.chunks.types", place(at + "/" + name)
			}
		}
	}
	return "", ""
}

// UnknownMember is the name of a member that no chunk has.
const UnknownMember = "campaignNote"

func place(at string) string {
	if at == "" {
		return ""
	}
	return fmt.Sprintf(" at %s", at)
}
