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

// toolsArguments lists the mutants of tools arguments.
func toolsArguments() []edit.Mutant {
	return []edit.Mutant{
		// These report other arguments than the model gave.
		{Name: "arguments-as-text", Requirement: "helix.tools.arguments-object",
			Summary: "The arguments are the text of a JSON object.",
			Also:    []string{"helix.tools.arguments-parsed", "helix.tools.arguments-coerced", "helix.approval.request-members"},
			Apply: on.OnRuntime(func(p *runtime.Ports) {
				inner := p.Arguments
				p.Arguments = func(raw json.RawMessage) json.RawMessage { return alter.Encode(string(inner(raw))) }
			})},
		{Name: "list-kept-as-arguments", Requirement: "helix.tools.arguments-object",
			Summary: "A list or a null that a model gives as arguments is handed on.",
			Also:    []string{"helix.tools.arguments-coerced"},
			Apply: edit.OnArguments(func(raw json.RawMessage) json.RawMessage {
				if raw[0] == '[' || raw[0] == 'n' {
					return raw
				}
				return nil
			})},
		{Name: "third-call-without-arguments", Requirement: "helix.tools.arguments-parsed", Stateful: true,
			Summary: "From the third call of a run on, its arguments are left empty.",
			Apply: on.Written(on.Type("tool_start").From(3)).
				With(func(c runtime.Chunk) { c["arguments"] = json.RawMessage("{}") })},
		{Name: "text-in-text-parsed", Requirement: "helix.tools.arguments-parsed",
			Summary: "Text inside of the arguments that looks like JSON is parsed, too.",
			Apply: edit.OnArguments(func(raw json.RawMessage) json.RawMessage {
				return bytes.ReplaceAll(bytes.ReplaceAll(runtime.Coerce(raw), []byte(`"{\"`), []byte(`{"`)), []byte(`\":1}"`),
					[]byte(`":1}`))
			})},

		// These make something else of arguments that are none.
		{Name: "list-spread-into-object", Requirement: "helix.tools.arguments-coerced",
			Summary: "A list becomes an object with a member for each index.",
			Apply: edit.OnArguments(func(raw json.RawMessage) json.RawMessage {
				if raw[0] == '[' {
					return bytes.ReplaceAll(bytes.ReplaceAll(raw, []byte("["), []byte(`{"0":`)), []byte("]"), []byte("}"))
				}
				return nil
			})},
		{Name: "broken-json-repaired", Requirement: "helix.tools.arguments-coerced",
			Summary: "JSON that breaks off is completed by guessing.",
			Apply: edit.OnArguments(func(raw json.RawMessage) json.RawMessage {
				var text string
				repaired := func() json.RawMessage { return json.RawMessage(text + `"}`) }
				if json.Unmarshal(raw, &text) == nil && strings.HasPrefix(text, "{") && json.Valid(repaired()) {
					return repaired()
				}
				return nil
			})},
		{Name: "bad-arguments-as-raw-member", Requirement: "helix.tools.arguments-coerced", Stateful: true,
			Summary: "From the second call of a run on, bad arguments become an object with a member _raw instead of an empty one.",
			Apply: on.Written(on.Type("tool_start").From(2), on.If(func(c runtime.Chunk) bool { return string(edit.RawMember(c, "arguments")) == "{}" })).
				With(func(c runtime.Chunk) { c["arguments"] = json.RawMessage(`{"_raw":null}`) })},
	}
}
