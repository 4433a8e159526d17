package run

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// onMember changes the values inside a member of the chunks of one type.
func onMember(kind, member string, change func(any) any) on.Apply {
	return on.Written(on.Type(kind)).With(func(c runtime.Chunk) {
		if _, there := c[member]; there {
			c[member] = edit.EveryValue(edit.RawMember(c, member), change)
		}
	})
}

// runData lists mutants that change the output or the input of a run, for some values.
func runData() []edit.Mutant {
	return []edit.Mutant{
		{Name: "nested-arguments-read", Requirement: "helix.tools.arguments-parsed",
			Summary: "Texts inside of arguments that look like JSON are read as well.",
			Apply: onMember("tool_start", "arguments", edit.OnText(func(s string) any {
				var v any
				if json.Unmarshal([]byte(s), &v) != nil {
					return s
				}
				return json.RawMessage(s)
			}))},
		{Name: "arguments-lose-nulls", Requirement: "helix.tools.arguments-parsed",
			Summary: "The members of arguments that are null are left out.",
			Apply: on.Written(on.Type("tool_start")).
				With(func(c runtime.Chunk) { c["arguments"] = sansNulls(edit.RawMember(c, "arguments")) })},
		{Name: "empty-list-is-no-result", Requirement: "helix.tools.result",
			Summary: "A result that is an empty list is reported as null.",
			Apply: on.Written(on.Type("tool_end")).With(func(c runtime.Chunk) {
				if raw, ok := c["result"].(json.RawMessage); ok && string(bytes.TrimSpace(raw)) == "[]" {
					c["result"] = json.RawMessage("null")
				}
			})},
		{Name: "errors-of-tools-trimmed", Requirement: "helix.tools.result",
			Summary: "White space around the error of a tool is trimmed.",
			Apply: on.Written(on.Type("tool_end")).With(func(c runtime.Chunk) {
				if text := strings.TrimSpace(on.Text(c, "error")); text != "" {
					c["error"] = text
				}
			})},
		{Name: "says-line-feeds-alone", Requirement: "helix.text.concatenation",
			Summary: "A carriage return before a line feed is taken for a thing of terminals.",
			Apply: edit.OnPieces(func(pieces []string) []string {
				return onlyEmitted(strings.ReplaceAll(strings.Join(pieces, ""), "\r\n", "\n"))
			})},
		{Name: "custom-counts-as-text", Requirement: "helix.custom.unchanged",
			Summary: "Data of a custom event that is a text of digits is sent as a number.",
			Apply: onMember("custom", "data", edit.OnText(func(s string) any {
				if _, err := strconv.ParseUint(s, 10, 32); err == nil {
					return json.Number(strings.TrimLeft(s[:len(s)-1], "0") + s[len(s)-1:])
				}
				return s
			}))},
	}
}

// sansNulls takes members that are null out of the objects in a JSON text.
func sansNulls(raw json.RawMessage) json.RawMessage { return edit.EveryValue(raw, edit.WithoutNulls) }

// onlyEmitted is one piece, none where there is nothing to say.
func onlyEmitted(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// runValues continues runData.
func runValues() []edit.Mutant {
	return []edit.Mutant{
		{Name: "state-takes-empty-for-gone", Requirement: "helix.state.sum",
			Summary: "A member of the state that is set to an empty list or object is left out of the patch.",
			Apply: on.Operations(on.Op("replace"), on.Appends().Not(), on.IfOperation(func(o on.Operation) bool {
				return string(o.Value) == "[]" || string(o.Value) == "{}"
			})).Drop()},
		{Name: "state-inherits-keys", Requirement: "helix.snapshot.exact",
			Summary: "The state of a snapshot is built by assignments to a plain object, where __proto__ is no member.",
			Apply: on.Snapshot(func(s *helix.Snapshot) {
				s.State = edit.EveryValue(s.State, edit.WithoutMembers(func(name string, _ any) bool { return name == "__proto__" }))
			})},
		{Name: "keys-lose-their-space", Requirement: "helix.state.sum",
			Summary: "White space at the ends of the key of a state is trimmed.",
			Apply: on.Operations().Edit(func(o *on.Operation) {
				if trimmed := strings.TrimRight(o.Path, " \t\u00a0"); len(trimmed) > 1 {
					o.Path = trimmed
				}
			})},
		{Name: "reasoning-ends-trimmed", Requirement: "helix.thinking.content",
			Summary: "White space at the end of a block of reasoning is trimmed.",
			Apply: on.Written(on.Type("thinking"), on.Is("isComplete", true)).With(func(c runtime.Chunk) {
				if text := strings.TrimRight(on.Text(c, "content"), " \t\n\r"); text != "" {
					c["content"] = text
				}
			})},
	}
}
