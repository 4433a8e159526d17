package document

import (
	"encoding/json"
	"io/fs"
	"math"
	"reflect"
	"slices"
	"strconv"
	"sync"

	"github.com/streamcert/streamcert/schemas"
)

// Differs compares a value that was written with one that came, both as encoding/json decodes them: numbers are doubles.
// It returns the requirement that the first difference breaks and where it is, "" if there is none.
func Differs(want, got any) (rule, where string) {
	rule, where = differs(want, got, "", 0)
	if members, ok := want.(map[string]any); ok && rule != "" {
		if members["type"] == "hologram" {
			return "helix.chunks.unknown-type", where
		}
		for _, name := range unknownMembers {
			if _, strange := members[name]; strange {
				rule = "helix.chunks.unknown-members" // an unknown member changed a known one
			}
		}
	}
	return rule, where
}

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
			return "helix.chunks.integers-exact", position(at)
		}
	case string:
		if other, ok := got.(string); ok && other == want {
			return "", ""
		}
		return "helix.chunks.strings-exact", position(at)
	case nil:
		if got == nil {
			return "", ""
		}
		return "helix.chunks.nulls-kept", position(at)
	default:
		if want == got {
			return "", ""
		}
	}
	return "helix.chunks.any-value", position(at)
}

func membersDiffer(want, got map[string]any, at string, depth int) (rule, where string) {
	for name, v := range want {
		other, there := got[name]
		switch {
		case !there && depth == 0 && slices.Contains(unknownMembers, name):
			continue // a server may drop what it doesn't know
		case !there && v == nil:
			return "helix.chunks.nulls-kept", position(at + "/" + name)
		case !there && depth == 0:
			return "helix.chunks.types", position(at + "/" + name)
		case !there:
			return "helix.chunks.any-value", position(at + "/" + name)
		}
		if rule, where := differs(v, other, at+"/"+name, depth+1); rule != "" {
			return rule, where
		}
	}
	if len(got) > len(want) {
		for name := range got {
			if _, there := want[name]; !there && (depth > 0 || !MayAdd(name)) {
				return "helix.chunks.types", position(at + "/" + name)
			}
		}
	}
	return "", ""
}

// MayAdd reports whether a server may add a member to a chunk: one that no schema knows.
func MayAdd(name string) bool { return !knownMembers()[name] }

// knownMembers are the members that the schemas of chunks name.
var knownMembers = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	names, _ := fs.Glob(schemas.FS, "helix/chunks/*.json")
	for _, name := range append(names, "helix/common.json") {
		b, err := fs.ReadFile(schemas.FS, name)
		var document any
		if err == nil {
			err = json.Unmarshal(b, &document)
		}
		if err != nil {
			panic(err) // it is embedded, and compiled elsewhere
		}
		addProperties(known, document)
	}
	return known
})

func addProperties(known map[string]bool, schema any) {
	switch schema := schema.(type) {
	case map[string]any:
		properties, _ := schema["properties"].(map[string]any)
		for name := range properties {
			known[name] = true
		}
		for _, inner := range schema {
			addProperties(known, inner)
		}
	case []any:
		for _, inner := range schema {
			addProperties(known, inner)
		}
	}
}

// unknownMembers are names of members that no chunk has.
var unknownMembers = []string{"campaignNote", "sequence", "id", "cursor", "event", "Step", "STEP", "Type", "AgentId", "agent_id", "Delta", "TimeStamp"}

// UnknownMembers are the names of members that no chunk has. Some of them frames have, or servers themselves.
func UnknownMembers() []string { return slices.Clone(unknownMembers) }

// position returns the end of a message that locates a difference; at is a JSON pointer.
func position(at string) string {
	if at == "" {
		return ""
	}
	return " at " + at
}

// Equal compares JSON values as encoding/json decodes them.
func Equal(a, b any) bool { return reflect.DeepEqual(a, b) }
