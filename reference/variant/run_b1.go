package variant

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/runtime"
)

// delegated are other ways to tell what was written to a state, and of sub-agents.
func delegated() []Variant { return slices.Concat(patchedOtherwise(), patchedInPieces(), children()) }

// patchedOtherwise use other operations.
func patchedOtherwise() []Variant {
	return []Variant{{
		Name: "append-by-index", Freedom: "an appended item", Warns: []string{"helix.state.append"},
		Summary: "An item is added at the index that it gets, by a server whose steps are one transaction each.",
		Apply: onPatches(func(before state, o runtime.Operation) []any {
			path, isItem := strings.CutSuffix(o.Path, "/-")
			if items, there := before.items(path); isItem && there {
				o.Path = fmt.Sprintf("%s/%d", path, len(items))
			}
			return []any{o}
		}),
	}, {
		Name: "append-sends-list", Freedom: "an appended item", Warns: []string{"helix.state.append"},
		Summary: "Appending replaces the list, by a server that compares two states.",
		Apply: onPatches(func(before state, o runtime.Operation) []any {
			path, isItem := strings.CutSuffix(o.Path, "/-")
			if items, there := before.items(path); isItem && there {
				return []any{runtime.Operation{Op: "replace", Path: path, Value: marshal(append(items, o.Value))}}
			}
			return []any{o}
		}),
	}, {
		Name: "tests-and-moves", Freedom: "operations of a patch", Warns: []string{"helix.state.operations"},
		Summary: "A member is tested before it is replaced, and moved to a place of its own before that is removed.",
		Apply: onPatches(func(before state, o runtime.Operation) []any {
			switch value, there := before[o.Path]; {
			case o.Op == "replace" && there:
				return []any{runtime.Operation{Op: "test", Path: o.Path, Value: value}, o}
			case o.Op == "remove":
				const bin = "/deleted for good"
				return []any{move{"move", o.Path, bin}, runtime.Operation{Op: "remove", Path: bin}}
			}
			return []any{o}
		}),
	}}
}

// patchedInPieces use more operations, or more patches.
func patchedInPieces() []Variant {
	return []Variant{{
		Name: "sets-by-removing", Freedom: "helix.state.sum",
		Summary: "A member that is there is removed before it is added with its new value.",
		Apply: onPatches(func(_ state, o runtime.Operation) []any {
			if o.Op == "replace" {
				return []any{runtime.Operation{Op: "remove", Path: o.Path},
					runtime.Operation{Op: "add", Path: o.Path, Value: o.Value}}
			}
			return []any{o}
		}),
	}, {
		Name: "patch-for-each-change", Freedom: "helix.state.sum",
		Summary: "Each change of a step is a patch of its own.",
		Apply: inPlaceOf(func(c runtime.Chunk) []runtime.Chunk {
			all, _ := c["patches"].([]runtime.Operation)
			var chunks []runtime.Chunk
			for _, o := range all {
				one := c.Clone()
				one["patches"] = []runtime.Operation{o}
				chunks = append(chunks, one)
			}
			if len(all) == 0 {
				return []runtime.Chunk{c}
			}
			return chunks
		}),
	}}
}

// children are other ways to tell of sub-agents.
func children() []Variant {
	return []Variant{{
		Name: "children-without-calls", Freedom: "helix.subagents.call-id",
		Summary: "Sub-agents are started without a tool call, and callId is an id that was made up for it.",
		Apply: inPlaceOf(func(c runtime.Chunk) []runtime.Chunk {
			if name, _ := c["toolName"].(string); strings.HasPrefix(name, "subagent__") {
				return nil
			}
			return []runtime.Chunk{c}
		}),
	}, {
		Name: "child-ends-without-reason", Freedom: "helix.subagents.failed",
		Summary: "The end of a sub-agent that failed has no member error; the error chunk says it.",
		Apply: inPlaceOf(func(c runtime.Chunk) []runtime.Chunk {
			if c.Type() == "subagent_end" {
				delete(c, "error")
			}
			return []runtime.Chunk{c}
		}),
	}, {
		Name: "child-without-output-says-done", Freedom: "helix.subagents.result",
		Summary: "The result of a sub-agent that put nothing out and has none to return is the word done.",
		Apply:   saysDone,
	}}
}

// saysDone gives sub-agents a result that have none. Null is one, if it was put out.
func saysDone(o reference.Options) reference.Options {
	var put sync.Map // by agentId
	return inPlaceOf(func(c runtime.Chunk) []runtime.Chunk {
		switch raw, _ := c["result"].(json.RawMessage); c.Type() {
		case "output":
			put.Store(c.AgentID(), true)
		case "subagent_end":
			_, has := put.Load(c["subSessionId"])
			if !has && c["error"] == nil && string(raw) == "null" {
				c["result"] = json.RawMessage(`"done"`)
			}
		}
		return []runtime.Chunk{c}
	})(o)
}

// move is an operation with from.
type move struct {
	Op   string `json:"op"`
	From string `json:"from"`
	Path string `json:"path"`
}

// rewritten is a journal that writes something else than it is given.
type rewritten struct {
	runtime.Journal
	change func(w runtime.Writer, c runtime.Chunk) []runtime.Chunk
}

// Append implements runtime.Journal. The sequence of a chunk is that of the last one that stands for it or comes
// before.
func (j rewritten) Append(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
	var changed []runtime.Chunk
	ends := make([]int, 0, len(chunks))
	for _, c := range chunks {
		changed = append(changed, j.change(w, c)...)
		ends = append(ends, len(changed))
	}
	if len(changed) == 0 {
		return nil, nil
	}
	written, err := j.Journal.Append(ctx, w, changed)
	if err != nil {
		return nil, err
	}
	sequences := make([]int64, 0, len(chunks))
	for _, end := range ends {
		sequences = append(sequences, written[max(0, end-1)])
	}
	return sequences, nil
}

// inPlaceOf changes the chunks that runs write: the function maps each to none, one or several.
func inPlaceOf(change func(c runtime.Chunk) []runtime.Chunk) apply {
	return func(o reference.Options) reference.Options {
		inner := o.Runtime
		o.Runtime = func(p runtime.Ports) runtime.Ports {
			p = inner(p)
			p.Journal = rewritten{p.Journal, func(_ runtime.Writer, c runtime.Chunk) []runtime.Chunk { return change(c) }}
			return p
		}
		return o
	}
}

// states are what the patches of a server tell of the states of its agents, by stream and agent. The root agent has the
// empty name: a branch gives it another id and leaves it its state.
type states struct {
	runtime.Checkpoints
	mu  sync.Mutex
	all map[string]map[string]state
}

// state is an object by its members; their names are JSON Pointers.
type state map[string]json.RawMessage

// of returns the state of an agent. It belongs to the goroutine that writes for its session.
func (s *states) of(w runtime.Writer, c runtime.Chunk) state {
	agent := c.AgentID()
	if agent == w.Session {
		agent = ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[string]map[string]state{}
	}
	if s.all[w.Stream] == nil {
		s.all[w.Stream] = map[string]state{}
	}
	if s.all[w.Stream][agent] == nil {
		s.all[w.Stream][agent] = state{}
	}
	return s.all[w.Stream][agent]
}

// Discard implements runtime.Checkpoints. What came after a checkpoint is forgotten when a session returns to it.
func (s *states) Discard(ctx context.Context, stream, after string) error {
	if err := s.Checkpoints.Discard(ctx, stream, after); err != nil {
		return err
	}
	c, found, err := s.Checkpoints.Load(ctx, stream, after)
	if err != nil || !found {
		return err
	}
	back := state{}
	for key, value := range c.State {
		back["/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(key)] = value
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[stream] != nil {
		s.all[stream][""] = back
	}
	return nil
}

// Forget implements runtime.Checkpoints.
func (s *states) Forget(stream string) {
	s.mu.Lock()
	delete(s.all, stream)
	s.mu.Unlock()
	s.Checkpoints.Forget(stream)
}

// onPatches writes other operations in the place of each one. The function gets what is known of the agent's state
// before it.
func onPatches(change func(before state, o runtime.Operation) []any) apply {
	return func(o reference.Options) reference.Options {
		inner := o.Runtime
		o.Runtime = func(p runtime.Ports) runtime.Ports {
			p = inner(p)
			known := &states{Checkpoints: p.Checkpoints}
			p.Checkpoints = known
			p.Journal = rewritten{p.Journal, func(w runtime.Writer, c runtime.Chunk) []runtime.Chunk {
				all, _ := c["patches"].([]runtime.Operation)
				if len(all) == 0 {
					return []runtime.Chunk{c}
				}
				before := known.of(w, c)
				var changed []any
				for _, o := range all {
					changed = append(changed, change(before, o)...)
					before.follow(o)
				}
				c["patches"] = changed
				return []runtime.Chunk{c}
			}}
			return p
		}
		return o
	}
}

// follow does to a state what an operation of the reference does.
func (s state) follow(o runtime.Operation) {
	path, isItem := strings.CutSuffix(o.Path, "/-")
	switch {
	case o.Op == "remove":
		delete(s, path)
	case isItem:
		if items, there := s.items(path); there {
			s[path] = marshal(append(items, o.Value))
		}
	default:
		s[path] = o.Value
	}
}

// items is a list of the state; there is false if the state isn't known to have it.
func (s state) items(path string) (items []json.RawMessage, there bool) {
	return items, json.Unmarshal(s[path], &items) == nil
}

// marshal writes JSON of what came from JSON.
func marshal(items []json.RawMessage) json.RawMessage {
	texts := make([][]byte, 0, len(items))
	for _, item := range items {
		texts = append(texts, item)
	}
	return slices.Concat([]byte("["), bytes.Join(texts, []byte(",")), []byte("]"))
}
