package runtime

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
)

// stage contains the changes that an agent's step has made to the state so far. The session's mutex guards it.
type stage struct {
	state      map[string]json.RawMessage // as the step sees it
	operations []Operation                // that lead there
}

func newStage(state map[string]json.RawMessage) *stage {
	s := &stage{state: maps.Clone(state)}
	if s.state == nil {
		s.state = map[string]json.RawMessage{}
	}
	return s
}

func (s *stage) set(key string, value json.RawMessage) {
	// helix.state.applicable, helix.state.operations: replace is used only for a key that exists.
	op := "add"
	if _, there := s.state[key]; there {
		op = "replace"
	}
	s.state[key] = value
	// helix.state.operands: add and replace always carry a value.
	s.operations = append(s.operations, Operation{Op: op, Path: pointer(key), Value: value})
}

func (s *stage) append(key string, items []json.RawMessage) error {
	list := []json.RawMessage{}
	if value, there := s.state[key]; there {
		if err := json.Unmarshal(value, &list); err != nil || list == nil {
			return &Error{Message: fmt.Sprintf("appending to the state at %q: there is no list", key), Code: codeValidation}
		}
	} else {
		s.operations = append(s.operations, Operation{Op: "add", Path: pointer(key), Value: json.RawMessage("[]")})
	}
	for _, item := range items {
		// helix.state.append: each item is added at the end of the list.
		s.operations = append(s.operations, Operation{Op: "add", Path: pointer(key) + "/-", Value: item})
	}
	value, err := json.Marshal(append(list, items...))
	if err != nil {
		return fmt.Errorf("appending to the state at %q: %w", key, err)
	}
	s.state[key] = value
	return nil
}

func (s *stage) delete(key string) {
	if _, there := s.state[key]; there {
		delete(s.state, key)
		s.operations = append(s.operations, Operation{Op: "remove", Path: pointer(key)})
	}
}

// patch returns the chunk with the staged changes; none if there are none.
func (s *stage) patch() []Chunk {
	// helix.state.empty-patch: without operations there is no chunk.
	if len(s.operations) == 0 {
		return nil
	}
	return []Chunk{{"type": "state_patch", "patches": s.operations}}
}

// pointer returns the JSON pointer to a member of the state.
func pointer(key string) string { return "/" + pointerEscapes.Replace(key) }

// helix.state.pointers: ~ and / of a key are escaped.
var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")
