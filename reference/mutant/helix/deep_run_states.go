package helix

import (
	"bytes"
	"encoding/json"
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/helix"
)

// deepSums send patches that add up to something else.
func deepSums() []Mutant {
	return []Mutant{
		{Name: "first-tilde-is-escaped", Requirement: "helix.state.sum",
			Summary: "Of the tildes in a key the first one is escaped.",
			Also:    []string{"helix.state.applicable", "helix.state.pointers"},
			Apply: on.Operations().Edit(func(o *on.Operation) {
				if i := strings.Index(o.Path, "~0"); i >= 0 {
					o.Path = o.Path[:i+2] + strings.ReplaceAll(o.Path[i+2:], "~0", "~")
				}
			})},
		{Name: "nested-empty-lists-lost", Requirement: "helix.state.sum",
			Summary: "An empty list within a value that is set is left out.",
			Apply: on.Operations(on.IfOperation(func(o on.Operation) bool { return len(o.Value) > 2 && bytes.Contains(o.Value, []byte("[]")) })).
				Edit(func(o *on.Operation) {
					o.Value = reencoded(o.Value, func(v any) any {
						if m, ok := v.(map[string]any); ok {
							for name, value := range m {
								if items, ok := value.([]any); ok && len(items) == 0 {
									delete(m, name)
								}
							}
						}
						return v
					})
				})},
	}
}

func reencoded(value json.RawMessage, change func(any) any) json.RawMessage {
	raw, err := json.Marshal(walk(valueOf(value), change))
	if err != nil {
		return value
	}
	return raw
}
