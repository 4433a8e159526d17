package helix

import (
	"encoding/json"
	"strings"

	"github.com/streamcert/streamcert/reference/runtime"
)

// deepSums send patches that add up to something else.
func deepSums() []Mutant {
	return []Mutant{
		{Name: "first-tilde-is-escaped", Requirement: "helix.state.sum",
			Summary: "Of the tildes in a key the first one is escaped.",
			Also:    []string{"helix.state.applicable", "helix.state.pointers"},
			Apply: onOperations(func(o runtime.Operation) []runtime.Operation {
				if i := strings.Index(o.Path, "~0"); i >= 0 {
					o.Path = o.Path[:i+2] + strings.ReplaceAll(o.Path[i+2:], "~0", "~")
				}
				return several(o)
			})},
		{Name: "nested-empty-lists-lost", Requirement: "helix.state.sum",
			Summary: "An empty list within a value that is set is left out.",
			Apply: onOperations(func(o runtime.Operation) []runtime.Operation {
				if len(o.Value) > 2 && strings.Contains(string(o.Value), "[]") {
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
				}
				return several(o)
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
