package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	jsonpatch "github.com/evanphx/json-patch/v5"
)

const (
	maxCopied     = 17 << 20 // bytes that the copy operations of one patch may make
	maxLookedUp   = 16       // operations of a patch for which old values are looked up
	maxRemembered = 64       // checkpoints whose states are kept
)

// A Change is what one operation of a patch does.
type Change struct {
	Op, Path string
	From     string          // of a move or copy
	Value    json.RawMessage // nil if there is none
	Old      json.RawMessage // nil if there was none, or nobody looked
}

// A State is a document to which patches apply. The zero value is {}.
type State struct{ doc []byte }

// Document is the state as JSON; it must not be changed.
func (s *State) Document() []byte {
	if s.doc == nil {
		return []byte("{}")
	}
	return s.doc
}

// Apply applies the patches of a state_patch in order, all or none of them.
// It says what they are even if they can't be applied.
func (s *State) Apply(patches json.RawMessage) (changes []Change, err error) {
	// The library isn't trusted with what a hostile stream sends.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("applying a patch: %v", r)
		}
	}()
	var list []json.RawMessage
	if err := json.Unmarshal(patches, &list); err != nil {
		return nil, fmt.Errorf("reading a patch: %w, expected an array of operations", err)
	}
	options := jsonpatch.NewApplyOptions()
	options.SupportNegativeIndices = false
	options.EscapeHTML = false
	options.AccumulatedCopySizeLimit = maxCopied
	doc := s.Document()
	whole := make(jsonpatch.Patch, 0, len(list))
	for _, raw := range list {
		change, operation, err := changeOf(raw)
		if err != nil {
			return changes, err
		}
		if len(list) <= maxLookedUp {
			change.Old = lookup(doc, change.Path)
			if doc, err = (jsonpatch.Patch{operation}).ApplyWithOptions(doc, options); err != nil {
				return append(changes, change), fmt.Errorf("applying a patch: %w", err)
			}
		} else {
			whole = append(whole, operation)
		}
		changes = append(changes, change)
	}
	if len(whole) > 0 {
		if doc, err = whole.ApplyWithOptions(doc, options); err != nil {
			return changes, fmt.Errorf("applying a patch: %w", err)
		}
	}
	s.doc = doc
	return changes, nil
}

func changeOf(raw json.RawMessage) (Change, jsonpatch.Operation, error) {
	var v struct {
		Op    string          `json:"op"`
		Path  *string         `json:"path"`
		From  string          `json:"from"`
		Value json.RawMessage `json:"value"`
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		return Change{}, nil, fmt.Errorf("reading an operation of a patch: %w", err)
	}
	if v.Path == nil || *v.Path != "" && !strings.HasPrefix(*v.Path, "/") {
		return Change{}, nil, fmt.Errorf("reading an operation of a patch: %q has no path that begins with /", v.Op)
	}
	switch v.Op {
	case "add", "replace", "test":
		if v.Value == nil {
			return Change{}, nil, fmt.Errorf("reading an operation of a patch: %s %s has no value", v.Op, *v.Path)
		}
	case "remove", "move", "copy":
	default:
		return Change{}, nil, fmt.Errorf("reading an operation of a patch: there is no operation %q", v.Op)
	}
	var operation jsonpatch.Operation
	if err := json.Unmarshal(raw, &operation); err != nil {
		return Change{}, nil, fmt.Errorf("reading an operation of a patch: %w", err)
	}
	return Change{v.Op, *v.Path, v.From, v.Value, nil}, operation, nil
}

// lookup is the value that a pointer leads to; nil if there is none.
func lookup(doc json.RawMessage, pointer string) json.RawMessage {
	if pointer == "" {
		return doc
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		if doc = bytes.TrimSpace(doc); len(doc) == 0 {
			return nil
		}
		switch doc[0] {
		case '{':
			var object map[string]json.RawMessage
			if json.Unmarshal(doc, &object) != nil {
				return nil
			}
			doc = object[token]
		case '[':
			var array []json.RawMessage
			n, err := strconv.Atoi(token)
			if err != nil || json.Unmarshal(doc, &array) != nil || n < 0 || n >= len(array) {
				return nil
			}
			doc = array[n]
		default:
			return nil
		}
	}
	return doc
}

// checkpoints remembers the states of the latest checkpoints.
type checkpoints struct {
	order  []string
	states map[string]State
}

func (c *checkpoints) remember(id string, s State) {
	if c.states == nil {
		c.states = map[string]State{}
	}
	if _, again := c.states[id]; !again {
		c.order = append(c.order, id)
	}
	c.states[id] = s
	if len(c.order) > maxRemembered {
		delete(c.states, c.order[0])
		c.order = append(c.order[:0], c.order[1:]...)
	}
}
