package runtime

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Chunk is one chunk of a stream by its members. Values are strings, integers, booleans, json.RawMessage for external data,
// and []Operation.
type Chunk map[string]any

// Operation is one operation of a JSON Patch.
type Operation struct {
	Op    string          `json:"op"`              // add, replace or remove
	Path  string          `json:"path"`            // JSON pointer to a member of the state, or to the end of a list
	Value json.RawMessage `json:"value,omitempty"` // nil for remove
}

// Type returns the chunk's type.
func (c Chunk) Type() string { return c.text("type") }

// AgentID returns the agent that it comes from.
func (c Chunk) AgentID() string { return c.text("agentId") }

func (c Chunk) text(member string) string {
	text, _ := c[member].(string)
	return text
}

// Step returns the number of the step that it belongs to, if it belongs to one.
func (c Chunk) Step() (step int, ok bool) {
	step, ok = c["step"].(int)
	return step, ok
}

// Clone returns a copy whose members can be changed.
func (c Chunk) Clone() Chunk { return maps.Clone(c) }

// JSON writes the chunk on one line: its type first, then its members, then whose it is. Errors: a value that is no JSON.
func (c Chunk) JSON() (json.RawMessage, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	write := func(value any, then byte) error {
		if err := encoder.Encode(value); err != nil {
			return err
		}
		b.Bytes()[b.Len()-1] = then // the encoder ends each value with a line feed
		return nil
	}
	b.WriteByte('{')
	names := slices.SortedFunc(maps.Keys(c), byMemberOrder)
	for i, name := range names {
		then := byte(',')
		if i == len(names)-1 {
			then = '}'
		}
		if err := errors.Join(write(name, ':'), write(c[name], then)); err != nil {
			return nil, fmt.Errorf("writing member %s of a chunk: %w", name, err)
		}
	}
	if len(names) == 0 {
		b.WriteByte('}')
	}
	return b.Bytes(), nil
}

func byMemberOrder(a, b string) int {
	return cmp.Or(cmp.Compare(memberOrder(a), memberOrder(b)), strings.Compare(a, b))
}

// memberOrder returns the position of a member: the most significant first, the common members last.
func memberOrder(member string) int {
	switch member {
	case "type":
		return 0
	case "runId", "step":
		return 2
	case "agentId", "agentType", "timestamp":
		return 3
	}
	return 1
}

func orNull(value json.RawMessage) json.RawMessage {
	if value == nil {
		return json.RawMessage("null")
	}
	return value
}
