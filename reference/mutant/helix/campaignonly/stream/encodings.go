package stream

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// encodings keep values in something that isn't JSON.
func encodings() []edit.Mutant {
	return []edit.Mutant{
		{Name: "dates-are-revived", Requirement: "helix.chunks.any-value",
			Summary: "A text that is a date and a time becomes one, and is printed with milliseconds and in UTC.",
			Apply: edit.OnValues(func(v any) any {
				text, ok := v.(string)
				if at, err := time.Parse(time.RFC3339, text); ok && err == nil {
					return at.UTC().Format("2006-01-02T15:04:05.000Z")
				}
				return v
			})},
		{Name: "deltas-are-formats", Requirement: "helix.chunks.strings-exact",
			Summary: "A delta is used as a format, and a percent sign in it as a verb.",
			Apply: edit.OnDeltas(func(delta string) string {
				var none []any
				return fmt.Sprintf(delta, none...)
			})},
	}
}

// common lists mutants that change members which every chunk has.
func common() []edit.Mutant {
	return []edit.Mutant{
		{Name: "type-under-any-case", Requirement: "helix.chunks.unknown-members",
			Summary: "The decoder doesn't heed the case of names: a member Type of the application becomes the type.",
			Also:    []string{"helix.chunks.members"},
			Apply: edit.OnChunks(func(_ string, members alter.Object) bool {
				if members.Text("Type") == "" {
					return false
				}
				members.Rename("Type", "type")
				return true
			})},
		{Name: "empty-optional-texts-dropped", Requirement: "helix.chunks.types",
			Summary: "An optional text that is empty is left out.",
			Apply: edit.OnChunks(func(_ string, members alter.Object) bool {
				dropped := false
				for _, name := range []string{"reason", "runId", "pendingToolName", "pendingToolCallId", "code"} {
					if text := string(members[name]); text == `""` {
						delete(members, name)
						dropped = true
					}
				}
				return dropped
			})},
		{Name: "steps-under-any-case", Requirement: "helix.truncation.keeps-stepless",
			Summary: "The decoder doesn't heed the case of names: a member Step of the application counts as the step.",
			Apply: onSteps(func(c *store.Chunk) {
				var folded struct{ Step *float64 }
				if !c.HasStep && json.Unmarshal(c.JSON, &folded) == nil && folded.Step != nil {
					c.Step, c.HasStep = int64(*folded.Step), true
				}
			})},
	}
}

// onSteps changes the steps of chunks in the store's index, and leaves the chunks as they are.
func onSteps(change func(c *store.Chunk)) on.Apply {
	return on.OnStore(func(inner store.Store, s *on.Store) {
		s.OnAppend = func(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
			changed := make([]store.Chunk, len(chunks))
			for i, c := range chunks {
				change(&c)
				changed[i] = c
			}
			return inner.Append(ctx, stream, writer, changed)
		}
	})
}
