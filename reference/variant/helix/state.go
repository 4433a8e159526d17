package helix

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// statePatches are other ways to report what was written to a state.
func statePatches() []Variant { return append(stateOperations(), statePieces()...) }

// stateOperations use other operations.
func stateOperations() []Variant {
	return []Variant{
		{Name: "append-by-index", Freedom: "an appended item", Warns: []string{"helix.state.append"},
			Summary: "An item is added at the index that it gets, by a server whose steps are one transaction each.",
			Apply: onPatches(func(before state, o runtime.Operation) []any {
				path, isItem := strings.CutSuffix(o.Path, "/-")
				if items, there := before.items(path); isItem && there {
					o.Path = fmt.Sprintf("%s/%d", path, len(items))
				}
				return []any{o}
			})},
		{Name: "append-sends-list", Freedom: "an appended item", Warns: []string{"helix.state.append"},
			Summary: "Appending replaces the list, by a server that compares two states.",
			Apply: onPatches(func(before state, o runtime.Operation) []any {
				path, isItem := strings.CutSuffix(o.Path, "/-")
				if items, there := before.items(path); isItem && there {
					return []any{runtime.Operation{Op: "replace", Path: path, Value: marshal(append(items, o.Value))}}
				}
				return []any{o}
			})},
		{Name: "tests-and-moves", Freedom: "operations of a patch", Warns: []string{"helix.state.operations"},
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
			})},
	}
}

// statePieces use more operations, or more patches.
func statePieces() []Variant {
	return []Variant{
		{Name: "sets-by-removing", Freedom: "helix.state.sum",
			Summary: "A member that is there is removed before it is added with its new value.",
			Apply: onPatches(func(_ state, o runtime.Operation) []any {
				if o.Op == "replace" {
					return []any{runtime.Operation{Op: "remove", Path: o.Path},
						runtime.Operation{Op: "add", Path: o.Path, Value: o.Value}}
				}
				return []any{o}
			})},
		{Name: "patch-for-each-change", Freedom: "helix.state.sum",
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
			})},
	}
}

// move is an operation with from.
type move struct {
	Op   string `json:"op"`
	From string `json:"from"`
	Path string `json:"path"`
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

// onPatches writes other operations in the place of each one. The function gets the agent's state before it, as far as
// it is known.
func onPatches(change func(before state, o runtime.Operation) []any) apply {
	return on.OnRuntime(func(p *runtime.Ports) {
		known := &states{Checkpoints: p.Checkpoints}
		p.Checkpoints = known
		j := &on.Journal{Journal: p.Journal}
		replaceChunks(j, func(w runtime.Writer, c runtime.Chunk) []runtime.Chunk {
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
		})
		p.Journal = j
	})
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
