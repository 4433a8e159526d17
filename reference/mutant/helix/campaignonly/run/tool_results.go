package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// arguments read the arguments that a model gives as a text.
func arguments() []edit.Mutant {
	return []edit.Mutant{
		{Name: "arguments-end-with-the-object", Requirement: "helix.tools.arguments-coerced",
			Summary: "The decoder reads the first value of the text, and what stands behind the object is never looked at.",
			Apply: onArgumentText(func(text string) json.RawMessage {
				var first json.RawMessage
				if json.NewDecoder(strings.NewReader(text)).Decode(&first) != nil || first[0] != '{' {
					return nil
				}
				return first
			})},
		{Name: "arguments-in-a-fence", Requirement: "helix.tools.arguments-coerced",
			Summary: "The fence around an object is taken off, as models put one there.",
			Apply: onArgumentText(func(text string) json.RawMessage {
				bare := strings.TrimSuffix(strings.TrimPrefix(text, "```json"), "```")
				if bare == text {
					return nil
				}
				return runtime.Coerce(alter.Encode(bare))
			})},
	}
}

// onArgumentText changes the conversion of arguments that are a text.
func onArgumentText(change func(text string) json.RawMessage) on.Apply {
	return edit.OnArguments(func(raw json.RawMessage) json.RawMessage {
		var text string
		if json.Unmarshal(raw, &text) != nil {
			return nil
		}
		return change(text)
	})
}

// onResults changes the results and the errors of tools.
func onResults(result func(json.RawMessage) json.RawMessage, failure func(string) string) on.Apply {
	return edit.OnTools(func(inner runtime.Tools, t *edit.Tools) {
		t.OnExecute = func(ctx context.Context, c runtime.Call, env runtime.Env) (json.RawMessage, error) {
			returned, err := inner.Execute(ctx, c, env)
			switch {
			case err != nil && ctx.Err() == nil && failure != nil && err.Error() != "":
				err = errors.New(failure(err.Error()))
			case err == nil && result != nil && returned != nil:
				returned = result(returned)
			}
			return returned, err
		}
	})
}

// results hand on something else than the tool returned.
func results() []edit.Mutant {
	return []edit.Mutant{
		{Name: "large-result-is-cut", Requirement: "helix.tools.result",
			Summary: "A result that is a text of more than 32 KiB is cut, to save the model's window.",
			Apply: onResults(func(result json.RawMessage) json.RawMessage {
				var text string
				if json.Unmarshal(result, &text) == nil && len(text) > 32<<10 {
					return alter.Encode(strings.ToValidUTF8(text[:32<<10], "") + " [cut]")
				}
				return result
			}, nil)},
		{Name: "failure-is-a-format", Requirement: "helix.tools.result",
			Summary: "The text of a failure is used as a format, and a percent sign in it as a verb.",
			Apply: onResults(nil, func(text string) string {
				var none []any
				return fmt.Sprintf(text, none...)
			})},
	}
}

// limited get sub-agents wrong whose time is limited, and isn't over.
func limited() []edit.Mutant {
	return []edit.Mutant{
		{Name: "limited-child-returns-nothing", Requirement: "helix.subagents.result",
			Summary: "A sub-agent whose time is limited is waited for by its timer, which knows that it is done and not what it returned.",
			Apply: edit.OnModelEvents(func(event runtime.Event) (runtime.Event, error) {
				if d, ok := event.(runtime.Delegation); ok && d.Timeout > 0 {
					d.Model = &edit.Model{Model: d.Model, Change: func(e runtime.Event) (runtime.Event, error) {
						if _, output := e.(runtime.Output); output {
							return nil, nil
						}
						return e, nil
					}}
					return d, nil
				}
				return event, nil
			})},
	}
}

// outputs make something else of an output.
func outputs() []edit.Mutant {
	return []edit.Mutant{
		{Name: "large-output-is-cut", Requirement: "helix.output.unchanged",
			Summary: "An output that is a text of more than 32 KiB is cut.",
			Also:    []string{"helix.output.final-output"},
			Apply: on.Written(on.Type("output")).With(func(c runtime.Chunk) {
				var text string
				if json.Unmarshal(edit.RawMember(c, "output"), &text) == nil && len(text) > 32<<10 {
					c["output"] = alter.Encode(strings.ToValidUTF8(text[:32<<10], ""))
				}
			})},
		oneSchema(),
		{Name: "large-output-comes-late", Requirement: "helix.checkpoints.after-step",
			Summary: "An output of more than 16 KiB is stored beside the stream, and its chunk comes when that is done.",
			Apply: on.OnAppended(func(*on.Producer) func([]runtime.Chunk) []runtime.Chunk {
				return func(chunks []runtime.Chunk) []runtime.Chunk {
					large := func(c runtime.Chunk) bool { return c.Type() == "output" && len(edit.RawMember(c, "output")) > 16<<10 }
					i := slices.IndexFunc(chunks, large)
					if i < 0 || len(chunks) < 2 {
						return chunks
					}
					return append(slices.Delete(slices.Clone(chunks), i, i+1), chunks[i])
				}
			})},
	}
}

// oneSchema compares outputs of sub-agents with the schema of their root.
func oneSchema() edit.Mutant {
	var types alter.PerKey[string] // by stream
	return edit.Mutant{Name: "schema-of-the-root-for-all", Requirement: "helix.output.unchanged", Also: []string{"helix.subagents.result"},
		Summary: "An output of a sub-agent is compared with the schema of the root agent, and null is sent where it is of another type.",
		Wrap: edit.OnRunCalls(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			var started struct {
				Stream       string
				OutputSchema struct{ Type string }
			}
			if err == nil && json.Unmarshal(body, &started) == nil && started.Stream != "" {
				types.Set(started.Stream, started.OutputSchema.Type)
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			next.ServeHTTP(w, r)
		}),
		Apply: on.Written(on.Type("output")).By(func(by *on.Producer, c runtime.Chunk) {
			if of := types.Get(by.Stream); of != "" && by.Child(c) && jsonType(edit.RawMember(c, "output")) != of {
				c["output"] = nil
			}
		})}
}

// jsonType is the JSON type of a value, as schemas call it.
func jsonType(value json.RawMessage) string {
	switch value[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}
