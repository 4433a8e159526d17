package stream

import (
	"encoding/json"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// texts change some strings.
func texts() []edit.Mutant {
	return []edit.Mutant{
		{Name: "replay-reads-words", Requirement: "helix.chunks.strings-exact",
			Summary: "The texts true, false and null come back from the archive as what they say.",
			Apply: rewrites(on.Attached.Stored, edit.OnText(func(s string) any {
				if v, ok := map[string]any{"true": true, "false": false, "null": nil}[s]; ok {
					return v
				}
				return s
			}))},
		{Name: "resume-empties-to-null", Requirement: "helix.chunks.strings-exact",
			Summary: "On a resume, an empty text comes as null, as some databases keep it.",
			Apply: rewrites(onResume, edit.OnText(func(s string) any {
				if s == "" {
					return nil
				}
				return s
			}))},
		{Name: "replay-drops-line-separators", Requirement: "helix.chunks.strings-exact",
			Summary: "The replay takes U+2028 out, which scripts once couldn't hold.",
			Apply:   rewrites(on.Attached.Stored, swaps("\u2028", ""))},
		{Name: "replay-composes", Requirement: "helix.chunks.strings-exact",
			Summary: "The archive keeps texts in their composed form.",
			Apply:   rewrites(on.Attached.Stored, swaps("e\u0301", "é"))},
		{Name: "resume-unescapes", Requirement: "helix.chunks.strings-exact",
			Summary: "On a resume, the text \\n becomes a line feed.",
			Apply:   rewrites(onResume, swaps(`\n`, "\n"))},
		{Name: "late-failure-is-trimmed", Requirement: "helix.lifecycle.fail",
			Summary: "Who comes after the failure gets its text without the spaces around it.",
			Apply: edit.OnEvents(func(v on.Attached, e store.Event) []store.Event {
				if e.Kind == store.StreamFailed && v.Finished() {
					e.Error = strings.TrimSpace(e.Error)
				}
				return []store.Event{e}
			})},
	}
}

// values change some values.
func values() []edit.Mutant {
	return []edit.Mutant{
		{Name: "resume-drops-inner-nulls", Requirement: "helix.chunks.nulls-kept",
			Summary: "On a resume, members that are null are left out below the first level.",
			Apply:   rewrites(onResume, edit.WithoutMembers(func(_ string, v any) bool { return v == nil }))},
		{Name: "replay-of-single-precision", Requirement: "helix.chunks.any-value",
			Summary: "The archive keeps fractions in single precision.",
			Apply: rewrites(on.Attached.Stored, func(v any) any {
				if n, ok := v.(json.Number); ok && strings.Contains(n.String(), ".") {
					if f, err := n.Float64(); err == nil && f < 1e30 {
						return float64(float32(f))
					}
				}
				return v
			})},
		{Name: "replay-of-32-bits", Requirement: "helix.chunks.integers-exact",
			Summary: "The archive keeps integers below the first level in 32 bits.",
			Apply: rewrites(on.Attached.Stored, edit.BelowFirst(func(v any) any {
				if n, ok := v.(json.Number); ok {
					if i, err := n.Int64(); err == nil {
						return int64(int32(i))
					}
				}
				return v
			}))},
		{Name: "replay-drops-prototypes", Requirement: "helix.chunks.any-value",
			Summary: "A library that guards against pollution drops members called __proto__.",
			Apply:   rewrites(on.Attached.Stored, edit.WithoutMembers(func(name string, _ any) bool { return name == "__proto__" }))},
		{Name: "resume-of-32-levels", Requirement: "helix.chunks.any-value",
			Summary: "On a resume, what is nested deeper than 32 levels is null.",
			Apply: edit.OnEvents(func(v on.Attached, e store.Event) []store.Event {
				if onResume(v, e) && strings.Contains(string(e.Chunk.JSON), strings.Repeat("[", 33)) {
					e.Chunk.JSON = edit.Chunk(e.Chunk.JSON, func(_ string, members alter.Object) bool {
						for name, text := range members {
							if strings.HasPrefix(string(text), "[") || strings.HasPrefix(string(text), "{") {
								members[name] = json.RawMessage("null")
							}
						}
						return true
					})
				}
				return []store.Event{e}
			})},
		{Name: "output-without-zeros", Requirement: "helix.lifecycle.final-output",
			Summary: "Members of the output that are null or false are left out.",
			Apply: on.Output(func(_ string, output *json.RawMessage) {
				if members := alter.Members(*output); members != nil {
					for name, text := range members {
						if string(text) == "null" || string(text) == "false" || string(text) == "0" || string(text) == `""` {
							delete(members, name)
						}
					}
					*output = alter.Encode(members)
				}
			})},
	}
}
