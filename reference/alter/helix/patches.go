package helix

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// Operation is one of those that a patch consists of.
type Operation struct {
	runtime.Operation
	From   string // of a move or a copy
	Agent  string // whose state it changes
	Before State  // the state before the operation, as far as patches have shown it; it changes with the next operation
}

// List returns the path of the list to which the operation appends something.
func (o Operation) List() string { return strings.TrimSuffix(o.Path, "/-") }

// Operating selects operations in patches.
type Operating = alter.When[*Producer, Operation]

// Operations selects the operations in the patches of runs for which all conditions hold. A patch that becomes empty isn't
// written.
func Operations(when ...Operating) alter.Choice[helix.Options, *Producer, Operation] {
	return alter.Flow[helix.Options, *Producer, Operation](onOperations).When(when...)
}

// IfOperation returns a condition on single operations.
func IfOperation(hit func(o Operation) bool) Operating { return alter.Each[*Producer](hit) }

// Op matches operations of a kind.
func Op(op string) Operating { return IfOperation(func(o Operation) bool { return o.Op == op }) }

// Appends matches operations that append something to a list.
func Appends() Operating {
	return IfOperation(func(o Operation) bool { return strings.HasSuffix(o.Path, "/-") })
}

// Known matches operations on members that are there.
func Known() Operating { return IfOperation(func(o Operation) bool { return o.Before[o.Path] != nil }) }

func onOperations(begin alter.Change[*Producer, Operation]) Apply {
	return OnWritten(func(p *Producer) func(c runtime.Chunk) []runtime.Chunk {
		change, known := begin(p), states{map[string]State{}, map[any]State{}}
		return func(c runtime.Chunk) []runtime.Chunk {
			known.take(p, c)
			all, _ := c["patches"].([]runtime.Operation)
			if len(all) == 0 {
				return []runtime.Chunk{c}
			}
			state := known.of(c.AgentID())
			var changed []Operation
			for _, o := range all {
				changed = append(changed, change(Operation{Operation: o, Agent: c.AgentID(), Before: state})...)
				state.follow(o)
			}
			if len(changed) == 0 {
				return nil
			}
			c["patches"] = written(changed)
			return []runtime.Chunk{c}
		}
	})
}

// written returns a list of operations in the form of a chunk.
func written(all []Operation) any {
	type moved struct {
		Op   string `json:"op"`
		From string `json:"from"`
		Path string `json:"path"`
	}
	var plain []runtime.Operation
	var mixed []any
	for _, o := range all {
		if o.From != "" {
			mixed = append(mixed, moved{o.Op, o.From, o.Path})
			continue
		}
		plain, mixed = append(plain, o.Operation), append(mixed, o.Operation)
	}
	if len(plain) == len(all) {
		return plain
	}
	return mixed
}

// State is an object by its members; their names are JSON Pointers.
type State map[string]json.RawMessage

// Items returns a list of the state; there is false where the state isn't known to have it.
func (s State) Items(path string) (items []json.RawMessage, there bool) {
	return items, json.Unmarshal(s[path], &items) == nil && items != nil
}

// With returns a list of the state with one item more.
func (s State) With(path string, item json.RawMessage) json.RawMessage {
	items, _ := s.Items(path)
	return alter.Encode(append(items, item))
}

// follow applies an operation to a state as the reference does.
func (s State) follow(o runtime.Operation) {
	path, appends := strings.CutSuffix(o.Path, "/-")
	_, there := s.Items(path)
	switch {
	case o.Op == "remove":
		delete(s, path)
	case !appends:
		s[path] = o.Value
	case there:
		s[path] = s.With(path, o.Value)
	}
}

// states are the states of the agents of one stream, with their values at the checkpoints.
type states struct {
	now    map[string]State // by agentId
	points map[any]State    // of the root agent, by checkpointId
}

// take takes a chunk's checkpoint.
func (s *states) take(p *Producer, c runtime.Chunk) {
	switch c.Type() {
	case "checkpoint_created":
		s.points[c["checkpointId"]] = maps.Clone(s.now[p.Session])
	case "stream_resync":
		s.now[p.Session] = maps.Clone(s.points[c["checkpointId"]])
	}
}

// of returns the state of an agent.
func (s *states) of(agent string) State {
	if s.now[agent] == nil {
		s.now[agent] = State{}
	}
	return s.now[agent]
}
