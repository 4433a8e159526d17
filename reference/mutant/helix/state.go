package helix

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

func runState() []Mutant {
	return slices.Concat(
		patchPointers(), patchOperands(), patchOperations(), patchesOfNothing(), patchesThatFail(), patchSums(),
		patchChoices(), patchAppends(), patchesSideBySide(), patchOwners(), patchReturns(),
	)
}

// operations are what a state_patch does; nil for a chunk of another type.
func operations(c runtime.Chunk) []runtime.Operation {
	all, _ := c["patches"].([]runtime.Operation)
	return all
}

// onPatches changes what patches do. The function is called once for each stream and makes the function that gets the
// operations of each patch, which it may change in place.
func onPatches(begin func() func(w runtime.Writer, c runtime.Chunk,
	all []runtime.Operation) []runtime.Operation) apply {
	return on.OnWritten(func(p *on.Producer) func(runtime.Chunk) []runtime.Chunk {
		change := begin()
		return func(c runtime.Chunk) []runtime.Chunk {
			if c.Type() != "state_patch" {
				return only(c)
			}
			c["patches"] = change(p.Writer, c, slices.Clone(operations(c)))
			if len(operations(c)) == 0 {
				return nil
			}
			return only(c)
		}
	})
}

// onOperations maps each operation to none, one or several, without remembering anything.
func onOperations(change func(runtime.Operation) []runtime.Operation) apply {
	return onPatches(func() func(runtime.Writer, runtime.Chunk, []runtime.Operation) []runtime.Operation {
		return func(_ runtime.Writer, _ runtime.Chunk, all []runtime.Operation) []runtime.Operation {
			var changed []runtime.Operation
			for _, o := range all {
				changed = append(changed, change(o)...)
			}
			return changed
		}
	})
}

// states are the states of the agents of one stream, as their patches tell, and what they were at the checkpoints.
type states struct {
	now    map[string]map[string]json.RawMessage // by agentId
	points map[any]map[string]json.RawMessage    // of the root agent, by checkpointId
}

// hear takes what a chunk says of checkpoints.
func (s *states) hear(w runtime.Writer, c runtime.Chunk) {
	switch c.Type() {
	case "checkpoint_created":
		s.points[c["checkpointId"]] = maps.Clone(s.now[w.Session])
	case "stream_resync":
		s.now[w.Session] = maps.Clone(s.points[c["checkpointId"]])
	}
}

// of returns the state of an agent.
func (s *states) of(agent string) map[string]json.RawMessage {
	if s.now[agent] == nil {
		s.now[agent] = map[string]json.RawMessage{}
	}
	return s.now[agent]
}

// onStates is onOperations for a function that looks at what the agent's state holds before the operation.
func onStates(change func(state map[string]json.RawMessage, o runtime.Operation) []runtime.Operation) apply {
	return on.Written().Course(func(p *on.Producer) func(runtime.Chunk) {
		s := &states{now: map[string]map[string]json.RawMessage{}, points: map[any]map[string]json.RawMessage{}}
		return func(c runtime.Chunk) {
			s.hear(p.Writer, c)
			if c.Type() != "state_patch" {
				return
			}
			state := s.of(c.AgentID())
			var changed []runtime.Operation
			for _, o := range operations(c) {
				changed = append(changed, change(state, o)...)
				follow(state, o)
			}
			c["patches"] = changed
		}
	})
}

// follow does to a state what an operation of the reference does.
func follow(state map[string]json.RawMessage, o runtime.Operation) {
	path, isItem := strings.CutSuffix(o.Path, "/-")
	switch {
	case o.Op == "remove":
		delete(state, path)
	case isItem:
		state[path] = withItem(state[path], o.Value)
	default:
		state[path] = o.Value
	}
}

// withItem appends an item to a list, or to an empty one if there is none.
func withItem(list, item json.RawMessage) json.RawMessage {
	items := []json.RawMessage{}
	if decodes(list, &items) {
		items = append(items, item)
	}
	return alter.Encode(items)
}

func isItem(o runtime.Operation) bool { return strings.HasSuffix(o.Path, "/-") }

// several is the operations given.
func several(all ...runtime.Operation) []runtime.Operation { return all }

// patchPointers write paths that are none.
func patchPointers() []Mutant {
	return []Mutant{
		{Name: "tilde-unescaped", Requirement: "helix.state.pointers",
			Summary: "A tilde in a name stands in the path as it is.",
			Also:    []string{"helix.state.sum"},
			Apply: onOperations(func(o runtime.Operation) []runtime.Operation {
				o.Path = strings.ReplaceAll(o.Path, "~0", "~")
				return several(o)
			})},
		{Name: "path-as-property", Requirement: "helix.state.pointers",
			Summary: "The path of a member that is removed is written without its slash.",
			Also:    []string{"helix.state.sum"},
			Apply: onOperations(func(o runtime.Operation) []runtime.Operation {
				if o.Op == "remove" {
					o.Path = strings.TrimPrefix(o.Path, "/")
				}
				return several(o)
			})},
	}
}

// patchOperands leave operands out. A value without bytes isn't written.
func patchOperands() []Mutant {
	without := func(value json.RawMessage, empty ...string) json.RawMessage {
		if slices.Contains(empty, string(value)) {
			return nil
		}
		return value
	}
	return []Mutant{
		{Name: "null-value-omitted", Requirement: "helix.state.operands",
			Summary: "The serialiser leaves out values that are null.",
			Also:    []string{"helix.state.sum"},
			Apply: onOperations(func(o runtime.Operation) []runtime.Operation {
				o.Value = without(o.Value, "null")
				return several(o)
			})},
		{Name: "empty-replacement-omitted", Requirement: "helix.state.operands", Stateful: true,
			Summary: "Where a member is there already, a new value that is empty is left out.",
			Also:    []string{"helix.state.sum"},
			Apply: onStates(func(state map[string]json.RawMessage, o runtime.Operation) []runtime.Operation {
				if state[o.Path] != nil {
					o.Value = without(o.Value, "null", "0", "false", `""`, "[]", "{}")
				}
				return several(o)
			})},
	}
}

// moved is an operation with from, which no other mutant writes.
type moved struct {
	Op   string `json:"op"`
	From string `json:"from"`
	Path string `json:"path"`
}

// patchOperations use the operations that few readers were tested with.
func patchOperations() []Mutant {
	return []Mutant{
		{Name: "tests-before-replacing", Requirement: "helix.state.operations", Stateful: true,
			Summary: "The old value of a member is tested before it is replaced.",
			Apply: onStates(func(state map[string]json.RawMessage, o runtime.Operation) []runtime.Operation {
				if o.Op == "replace" && state[o.Path] != nil {
					return several(runtime.Operation{Op: "test", Path: o.Path, Value: state[o.Path]}, o)
				}
				return several(o)
			})},
		{Name: "copies-what-is-there", Requirement: "helix.state.operations", Stateful: true,
			Summary: "A value that another member of the same patch was given is copied from there.",
			Apply: on.Written(on.Type("state_patch")).
				With(func(c runtime.Chunk) { c["patches"] = withCopies(operations(c)) })},
	}
}

// withCopies makes copies of values that an operation before has written, unless the member was changed since.
func withCopies(all []runtime.Operation) []any {
	values := map[string]string{} // path by value
	written := make([]any, 0, len(all))
	for _, o := range all {
		for value, path := range values {
			if path == o.Path || isItem(o) && path == strings.TrimSuffix(o.Path, "/-") {
				delete(values, value)
			}
		}
		from, there := values[string(o.Value)]
		switch {
		case o.Op != "remove" && there && !isItem(o):
			written = append(written, moved{Op: "copy", From: from, Path: o.Path})
			continue
		case o.Op != "remove" && !isItem(o):
			values[string(o.Value)] = o.Path
		}
		written = append(written, o)
	}
	return written
}

// patchesOfNothing send patches that do nothing.
func patchesOfNothing() []Mutant {
	empty, checkpoint := runtime.Chunk{"patches": []runtime.Operation{}}, on.Type("checkpoint_created")
	patched := checkpoint.Next(on.Type("state_patch").And(on.ByChild().Not()))
	return []Mutant{
		{Name: "patch-for-every-step", Requirement: "helix.state.empty-patch",
			Summary: "Every step ends with a patch, whether anything was changed or not.",
			Apply: on.Written(checkpoint, patched.Not()).To(func(_ *on.Producer, c runtime.Chunk) []runtime.Chunk {
				return only(on.Like(c, "state_patch", empty), c)
			})},
		{Name: "patch-of-undone", Requirement: "helix.state.empty-patch",
			Summary: "Changes of members that are gone at the end of the step are taken out, and what is left is sent.",
			Apply: on.Written(on.Type("state_patch"), on.If(func(c runtime.Chunk) bool { return undone(operations(c)) })).
				Set("patches", []runtime.Operation{})},
		{Name: "patch-with-every-resume", Requirement: "helix.state.empty-patch", Stateful: true,
			Summary: "A run that goes on sends a patch with what changed meanwhile, which is nothing.",
			Also:    []string{"helix.runs.step"},
			Apply:   on.Written(on.Type("run_resumed")).FollowWith("state_patch", empty)},
	}
}

// undone says whether operations add members and remove them all again.
func undone(all []runtime.Operation) bool {
	state := map[string]json.RawMessage{}
	for _, o := range all {
		if o.Op == "replace" || o.Op == "remove" && state[o.Path] == nil {
			return false
		}
		follow(state, o)
	}
	return len(state) == 0
}

// patchesThatFail hold operations that don't apply.
func patchesThatFail() []Mutant {
	return []Mutant{
		{Name: "removes-twice", Requirement: "helix.state.applicable",
			Summary: "A member is removed by the tool that deletes it, and again by the one that compares.",
			Also:    []string{"helix.state.sum"},
			Apply: onOperations(func(o runtime.Operation) []runtime.Operation {
				if o.Op == "remove" {
					return several(o, o)
				}
				return several(o)
			})},
		{Name: "replaces-what-is-gone", Requirement: "helix.state.applicable", Stateful: true,
			Summary: "Which members there are is remembered, and a deleted one that comes back is replaced.",
			Also:    []string{"helix.state.sum", "helix.state.after-resync"},
			Apply: onPatches(func() func(runtime.Writer, runtime.Chunk, []runtime.Operation) []runtime.Operation {
				known := map[string]bool{}
				return func(_ runtime.Writer, c runtime.Chunk, all []runtime.Operation) []runtime.Operation {
					for i, o := range all {
						name := c.AgentID() + o.Path
						if o.Op == "add" && known[name] && !isItem(o) {
							all[i].Op = "replace"
						}
						known[name] = true
					}
					return all
				}
			})},
		{Name: "list-taken-for-granted", Requirement: "helix.state.applicable", Stateful: true,
			Summary: "A list that was there once isn't made again before something is appended to it.",
			Also:    []string{"helix.state.sum", "helix.state.after-resync"},
			Apply: onPatches(func() func(runtime.Writer, runtime.Chunk, []runtime.Operation) []runtime.Operation {
				known := map[string]bool{}
				return func(_ runtime.Writer, c runtime.Chunk, all []runtime.Operation) []runtime.Operation {
					return slices.DeleteFunc(all, func(o runtime.Operation) bool {
						name := c.AgentID() + o.Path
						again := o.Op == "add" && string(o.Value) == "[]" && known[name]
						known[name] = true
						return again
					})
				}
			})},
	}
}
