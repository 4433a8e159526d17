package run

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// sums send patches that add up to something else.
func sums() []edit.Mutant {
	return []edit.Mutant{
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
		{Name: "step-begun-again-appends-twice", Requirement: "helix.state.sum",
			Summary: "What a step that waited had staged is in its patch as well when it is tried again for the second time.",
			Also:    []string{"helix.snapshot.exact", "helix.state.after-resync"},
			Apply: on.Written().BySequence(func(p *on.Producer) func(runtime.Chunk) {
				waited, tries := false, 0
				return func(c runtime.Chunk) {
					switch operations, _ := c["patches"].([]runtime.Operation); c.Type() {
					case "run_paused":
						waited = true
					case "run_resumed":
						if waited && c["mode"] == "retry" {
							tries++
						}
					case "state_patch":
						if p.Child(c) {
							return
						}
						again := tries > 1
						if waited, tries = false, 0; !again {
							return
						}
						for _, o := range operations {
							if strings.HasSuffix(o.Path, "/-") {
								operations = append(operations[:len(operations):len(operations)], o)
							}
						}
						c["patches"] = operations
					}
				}
			})},
	}
}

func reencoded(value json.RawMessage, change func(any) any) json.RawMessage {
	raw, err := json.Marshal(alter.Walk(edit.ValueOf(value), change))
	if err != nil {
		return value
	}
	return raw
}
