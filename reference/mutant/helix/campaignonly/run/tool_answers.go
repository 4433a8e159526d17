package run

import (
	"bytes"
	"slices"
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// answers err with some words, or with many, that a client or a tool returns.
func answers() []edit.Mutant {
	return []edit.Mutant{
		{Name: "empty-answers-of-clients-are-null", Requirement: "helix.tools.result",
			Summary: "A client that hands in 0, false, or something empty has handed in null.",
			Apply: on.Written().BySequence(func(*on.Producer) func(runtime.Chunk) {
				waited := map[string]bool{}
				return func(c runtime.Chunk) {
					switch c.Type() {
					case "run_paused":
						if c["reason"] == "client_tool" {
							waited[on.Text(c, "pendingToolCallId")] = true
						}
					case "tool_end":
						empty := []string{"0", "false", `""`, "[]", "{}"}
						if waited[on.Text(c, "toolCallId")] && slices.Contains(empty, string(bytes.TrimSpace(edit.RawMember(c, "result")))) {
							c["result"] = nil
						}
					}
				}
			})},
		{Name: "blank-error-is-none", Requirement: "helix.tools.result", Also: []string{"helix.tools.outcome"},
			Summary: "A tool that fails with white space alone has worked, and returned null.",
			Apply: on.Written(on.Type("tool_end"), on.Is("success", false), on.If(func(c runtime.Chunk) bool { return strings.TrimSpace(on.Text(c, "error")) == "" })).
				With(func(c runtime.Chunk) {
					delete(c, "error")
					c["success"], c["result"] = true, nil
				})},
		{Name: "large-results-are-null", Requirement: "helix.tools.result",
			Summary: "A result of more than 8 KiB is reported as null.",
			Apply: on.Written(on.Type("tool_end"), on.Is("success", true), on.If(func(c runtime.Chunk) bool { return len(edit.RawMember(c, "result")) > 8<<10 })).
				Set("result", nil)},
	}
}
