package run

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

const kib64 = 64 << 10

// runFieldLimits lists mutants that truncate output of agents at the usual size of a column.
func runFieldLimits() []edit.Mutant {
	long := func(member string) func(runtime.Chunk) bool {
		return func(c runtime.Chunk) bool { return len(edit.RawMember(c, member)) > kib64 }
	}
	return []edit.Mutant{
		{Name: "results-of-64-kib", Requirement: "helix.tools.result",
			Summary: "A result of more than 64 KiB is reported as null.",
			Apply:   on.Written(on.Type("tool_end"), on.Is("success", true), on.If(long("result"))).Set("result", nil)},
		{Name: "outputs-of-64-kib", Requirement: "helix.output.unchanged",
			Summary: "An output of more than 64 KiB is null.",
			Apply:   on.Written(on.Type("output"), on.If(long("output"))).Set("output", nil)},
		{Name: "thoughts-of-64-kib", Requirement: "helix.thinking.content",
			Summary: "Of a block of reasoning, 65,536 bytes are kept.",
			Apply:   on.Written(on.Type("thinking")).With(func(c runtime.Chunk) { c["content"] = disconnect(on.Text(c, "content")) })},
		{Name: "errors-of-64-kib", Requirement: "helix.tools.result",
			Summary: "Of the error of a tool, 65,536 bytes are kept.",
			Apply: on.Written(on.Type("tool_end"), on.Is("success", false)).With(func(c runtime.Chunk) {
				c["error"] = disconnect(on.Text(c, "error"))
			})},
	}
}

// runTables err with keys that are too short, or with null.
func runTables() []edit.Mutant {
	return []edit.Mutant{
		schemasByTitle(),
		{Name: "checkpoints-by-the-minute", Requirement: "helix.checkpoints.unique",
			Summary: "The id of a checkpoint is made of the session, the step and the minute, which a session that went back meets again.",
			Apply: on.OnIDs(func(_ runtime.IDs, i *on.IDs) {
				i.OnCheckpoint = func(session string, stepCount int, at time.Time) string {
					return fmt.Sprintf("cpv1-%s-s%d-t%d", session, stepCount, at.Truncate(time.Minute).UnixMilli())
				}
			})},
		{Name: "null-fits-every-schema", Requirement: "helix.output.schema",
			Summary: "An output is checked that isn't null.",
			Wrap: edit.OnOutputSchema(func(schema json.RawMessage) json.RawMessage {
				return alter.Encode(map[string]any{"anyOf": []any{schema, map[string]any{"enum": []any{nil}}}})
			})},
	}
}

// schemasByTitle compiles the schemas of one title once.
func schemasByTitle() edit.Mutant {
	var compiled alter.PerKey[json.RawMessage]
	return edit.Mutant{Name: "schemas-are-cached-by-title", Requirement: "helix.output.schema",
		Summary: "An output is compared with the first schema of its title.",
		Wrap: edit.OnOutputSchema(func(schema json.RawMessage) json.RawMessage {
			title := alter.Members(schema).Text("title")
			if title == "" {
				return schema
			}
			compiled.With(title, func(first *json.RawMessage) {
				if *first == nil {
					*first = schema
				}
				schema = *first
			})
			return schema
		})}
}

// disconnect keeps 64 KiB of a text of ASCII.
func disconnect(text string) string { return text[:min(len(text), kib64)] }
