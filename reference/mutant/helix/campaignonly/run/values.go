package run

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

// rareValues lists the mutants that some values, sizes and patches show.
func rareValues() []edit.Mutant {
	long := func(member string) func(runtime.Chunk) bool {
		return func(c runtime.Chunk) bool { return len(edit.RawMember(c, member)) > kib64 }
	}

	return []edit.Mutant{
		// Mutants that change the output or the input of a run, for some values.
		{Name: "custom-counts-as-text", Requirement: "helix.custom.unchanged",
			Summary: "Data of a custom event that is a text of digits is sent as a number.",
			Apply: onMember("custom", "data", edit.OnText(func(s string) any {
				if _, err := strconv.ParseUint(s, 10, 32); err == nil {
					return json.Number(strings.TrimLeft(s[:len(s)-1], "0") + s[len(s)-1:])
				}
				return s
			}))},

		// Mutants that truncate output of agents at the usual size of a column.
		{Name: "results-of-64-kib", Requirement: "helix.tools.result",
			Summary: "A result of more than 64 KiB is reported as null.",
			Apply:   on.Written(on.Type("tool_end"), on.Is("success", true), on.If(long("result"))).Set("result", nil)},
		{Name: "thoughts-of-64-kib", Requirement: "helix.thinking.content",
			Summary: "Of a block of reasoning, 65,536 bytes are kept.",
			Apply:   on.Written(on.Type("thinking")).With(func(c runtime.Chunk) { c["content"] = disconnect(on.Text(c, "content")) })},
		{Name: "errors-of-64-kib", Requirement: "helix.tools.result",
			Summary: "Of the error of a tool, 65,536 bytes are kept.",
			Apply: on.Written(on.Type("tool_end"), on.Is("success", false)).With(func(c runtime.Chunk) {
				c["error"] = disconnect(on.Text(c, "error"))
			})},

		// These err with keys that are too short, or with null.
		schemasByTitle(),
		{Name: "null-fits-every-schema", Requirement: "helix.output.schema",
			Summary: "An output is checked that isn't null.",
			Wrap: edit.OnOutputSchema(func(schema json.RawMessage) json.RawMessage {
				return alter.Encode(map[string]any{"anyOf": []any{schema, map[string]any{"enum": []any{nil}}}})
			})},

		// Mutants that have more capacity for an agent's output than most agents use, and not enough for all.
		{Name: "branches-of-64", Requirement: "helix.tools.reported",
			Summary: "Side by side, 64 branches are worked on; the others never are.",
			Apply: edit.OnModelEvents(func(e runtime.Event) (runtime.Event, error) {
				if p, is := e.(runtime.Parallel); is {
					p.Branches = p.Branches[:min(64, len(p.Branches))]
					return p, nil
				}
				return e, nil
			})},
		{Name: "patches-of-512-operations", Requirement: "helix.state.sum",
			Summary: "A patch has 512 operations at most, and the rest is lost.",
			Apply: on.Written(on.Type("state_patch")).With(func(c runtime.Chunk) {
				operations := c["patches"].([]runtime.Operation)
				c["patches"] = operations[:min(512, len(operations))]
			})},
		{Name: "appends-of-256-items", Requirement: "helix.state.sum",
			Summary: "Of the items that are appended at once, 256 are.",
			Apply: onAppends(func(ctx context.Context, env runtime.Env, key string, items []json.RawMessage) error {
				return env.Append(ctx, key, items[:min(256, len(items))])
			})},
		{Name: "chunks-of-a-run-of-128-kib", Requirement: "helix.text.concatenation",
			Summary: "A runtime drops what is larger than 128 KiB on its way to the stream.",
			Apply: on.Written(on.If(func(c runtime.Chunk) bool {
				raw, err := c.JSON()
				return err == nil && len(raw) > 128<<10
			})).Drop()},
		{Name: "fifth-generation-speaks-as-its-parent", Requirement: "helix.text.per-agent", Also: []string{"helix.subagents.reported"},
			Summary: "A sub-agent of a sub-agent, and so on, that has four others around it speaks with the id of its parent.",
			Apply: on.Written().BySequence(func(*on.Producer) func(runtime.Chunk) {
				parents := map[string]string{}
				return func(c runtime.Chunk) {
					if c.Type() == "subagent_start" {
						parents[on.Text(c, "subSessionId")] = c.AgentID()
					}
					around, id := 0, c.AgentID()
					for parent, is := parents[id]; is; parent, is = parents[parent] {
						around++
					}
					if around > 4 {
						c["agentId"] = parents[id]
					}
				}
			})},

		// Mutants that leave something behind without ending or removing it.
		{Name: "helper-of-a-helper-out-of-time-isnt-ended", Requirement: "helix.subagents.ended",
			Summary: "When the time of a sub-agent is over, what it had begun itself hears nothing of that.",
			Apply:   on.OnAppended(endsAlone)},
		{Name: "call-of-a-helper-out-of-time-isnt-ended", Requirement: "helix.tools.ended",
			Summary: "When the time of a sub-agent is over, its calls are forgotten.",
			Apply: on.Written(on.Type("tool_end"), on.ByChild(), on.If(func(c runtime.Chunk) bool {
				return delayed(c) && !strings.HasPrefix(on.Text(c, "toolName"), "subagent__")
			})).Drop()},
		{Name: "checkpoints-outlive-their-session", Requirement: "helix.runs.interrupt-checkpoint", Also: []string{"helix.state.after-resync", "helix.state.sum"},
			Summary: "A run on a stream that was reset finds the checkpoints of the one before.",
			Apply:   on.OnRuntime(func(p *runtime.Ports) { p.Checkpoints = lasting{p.Checkpoints} })},

		// These send patches that add up to something else.
		{Name: "step-begun-again-appends-twice", Requirement: "helix.state.sum", Also: []string{"helix.snapshot.exact", "helix.state.after-resync"},
			Summary: "What a step that waited had staged is in its patch as well when it is tried again for the second time.",
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

		// These lose a list that is empty, or items that are equal.
		{Name: "removal-takes-what-begins-alike", Requirement: "helix.state.sum", Also: []string{"helix.state.after-resync"},
			Summary: "With a member that a step makes and removes, those that it makes are taken out of the patch whose names begin like its own.",
			Apply: on.OnWritten(func(*on.Producer) func(runtime.Chunk) []runtime.Chunk {
				return func(c runtime.Chunk) []runtime.Chunk {
					all, _ := c["patches"].([]runtime.Operation)
					for i, o := range all {
						made := func(before runtime.Operation) bool { return before.Op == "add" && before.Path == o.Path }
						if o.Op == "remove" && slices.ContainsFunc(all[:i], made) {
							c["patches"] = slices.DeleteFunc(slices.Clone(all), func(other runtime.Operation) bool {
								return other.Path != o.Path && strings.HasPrefix(other.Path, o.Path)
							})
							break
						}
					}
					return edit.Only(c)
				}
			})},
		{Name: "member-that-is-as-before-is-not-written", Requirement: "helix.state.sum",
			Summary: "A member is not written that gets the value which it had when the step began, whatever it has had since.",
			Apply:   on.OnWritten(asTheStepBegan)},
	}
}

// onMember changes the values inside a member of the chunks of one type.
func onMember(kind, member string, change func(any) any) on.Apply {
	return on.Written(on.Type(kind)).With(func(c runtime.Chunk) {
		if _, there := c[member]; there {
			c[member] = edit.EveryValue(edit.RawMember(c, member), change)
		}
	})
}

const kib64 = 64 << 10

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

// delayed reports whether the end of a call or a sub-agent is a timeout.
func delayed(c runtime.Chunk) bool { return strings.Contains(on.Text(c, "error"), "took longer") }

// endsAlone delays the end of a sub-agent within another one, and drops it if one timeout ended both.
func endsAlone(p *on.Producer) func([]runtime.Chunk) []runtime.Chunk {
	var withheld []runtime.Chunk
	return func(chunks []runtime.Chunk) []runtime.Chunk {
		before := withheld
		withheld = nil
		if len(chunks) == 0 || chunks[0].Type() != "subagent_end" || !delayed(chunks[0]) {
			return slices.Concat(before, chunks)
		}
		if len(before) > 0 && before[0].AgentID() == on.Text(chunks[0], "subSessionId") {
			before = nil
		}
		if p.Child(chunks[0]) {
			withheld = chunks
			return before
		}
		return slices.Concat(before, chunks)
	}
}

// lasting are checkpoints that are never removed.
type lasting struct{ runtime.Checkpoints }

// Forget implements runtime.Checkpoints.
func (lasting) Forget(string) {}

// workShim is a set of tools, each with an environment that appends differently.
type workShim struct {
	runtime.Tools
	append func(ctx context.Context, env runtime.Env, key string, items []json.RawMessage) error
}

// Work implements runtime.Tools.
func (t *workShim) Work(ctx context.Context, w runtime.Work, env runtime.Env) error {
	return t.Tools.Work(ctx, w, appendEnv{env, t})
}

type appendEnv struct {
	runtime.Env
	tools *workShim
}

// Append implements runtime.Env.
func (e appendEnv) Append(ctx context.Context, key string, items []json.RawMessage) error {
	return e.tools.append(ctx, e.Env, key, items)
}

// onAppends appends items to a list of the state differently.
func onAppends(change func(ctx context.Context, env runtime.Env, key string, items []json.RawMessage) error) on.Apply {
	return on.OnRuntime(func(p *runtime.Ports) { p.Tools = &workShim{p.Tools, change} })
}

// asTheStepBegan leaves out replacements by the value that the path had when the step of the chunk began.
func asTheStepBegan(*on.Producer) func(runtime.Chunk) []runtime.Chunk {
	type position struct{ agent, path string }
	var step any
	began, now := map[position]string{}, map[position]string{}
	return func(c runtime.Chunk) []runtime.Chunk {
		if c["step"] != step {
			step, began = c["step"], maps.Clone(now)
		}
		all, _ := c["patches"].([]runtime.Operation)
		kept := slices.DeleteFunc(slices.Clone(all), func(o runtime.Operation) bool {
			at := position{c.AgentID(), o.Path}
			before, known := began[at]
			now[at] = string(o.Value)
			return o.Op == "replace" && known && before == string(o.Value)
		})
		if len(kept) < len(all) {
			c["patches"] = kept
		}
		if len(all) > 0 && len(kept) == 0 {
			return nil
		}
		return edit.Only(c)
	}
}
