package run

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/runtime"
)

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

// appends lose a list that is empty, or items that are equal.
func appends() []edit.Mutant {
	return []edit.Mutant{
		{Name: "append-of-nothing-does-nothing", Requirement: "helix.state.sum",
			Summary: "An append of no items returns at once, also where the list isn't there, which then is never made.",
			Apply: onAppends(func(ctx context.Context, env runtime.Env, key string, items []json.RawMessage) error {
				if len(items) == 0 {
					return nil
				}
				return env.Append(ctx, key, items)
			})},
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
		{Name: "equal-items-of-an-append-are-one", Requirement: "helix.state.sum",
			Summary: "An item that equals the one before it in the same append is left out as sent already.",
			Apply: onAppends(func(ctx context.Context, env runtime.Env, key string, items []json.RawMessage) error {
				return env.Append(ctx, key, slices.CompactFunc(slices.Clone(items), func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }))
			})},
	}
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
