package helix

import (
	"encoding/json"
	"fmt"

	"github.com/streamcert/streamcert/schemas"
)

// InvalidChunk says why a chunk is refused.
type InvalidChunk struct {
	Member string // JSON pointer to what is wrong; empty for the chunk itself, and then the reason names what it lacks
	Reason string
}

func (e *InvalidChunk) Error() string {
	if e.Member == "" {
		return e.Reason
	}
	return e.Member + ": " + e.Reason
}

// NewValidator returns the rules for chunks: what all have in common, and for the types that the schemas know, the
// members of each. Members and types that nobody knows pass. Errors of the validator are *InvalidChunk.
func NewValidator() (func(chunk []byte) error, error) {
	set, err := schemas.Load(schemas.FS, "helix")
	if err != nil {
		return nil, fmt.Errorf("loading the schemas of chunks: %w", err)
	}
	return func(chunk []byte) error {
		// helix.chunks.unknown-type: a chunk of an unknown type needs no more than these members.
		if err := checkCommon(chunk); err != nil {
			return err
		}
		// helix.chunks.members, helix.chunks.step, helix.chunks.step-required, helix.chunks.integers: the schemas check
		// them.
		for _, f := range set.Chunk(schemas.Strict, chunk).Findings {
			if !advice[f.Requirement] {
				return &InvalidChunk{Member: f.Instance, Reason: f.Message}
			}
		}
		return nil
	}, nil
}

// advice holds the requirements that only a producer of chunks has to follow; a chunk that breaks one is relayed.
var advice = map[string]bool{"helix.errors.text": true, "helix.state.operations": true}

// checkCommon checks the members that a chunk of any type carries, known or not.
func checkCommon(chunk []byte) error {
	var members map[string]json.RawMessage
	// helix.chunks.object: the chunk is an object, and the loop below checks its type.
	if err := json.Unmarshal(chunk, &members); err != nil || members == nil {
		return &InvalidChunk{Reason: "a chunk is an object"}
	}
	// helix.chunks.agent-id, helix.chunks.agent-type: both are non-empty strings.
	for _, name := range []string{"type", "agentId", "agentType"} {
		var text string
		if json.Unmarshal(members[name], &text) != nil || text == "" {
			return &InvalidChunk{Member: "/" + name, Reason: "this is a non-empty string on every chunk"}
		}
	}
	var timestamp *float64
	// helix.chunks.timestamp: null doesn't count as a number.
	if json.Unmarshal(members["timestamp"], &timestamp) != nil || timestamp == nil {
		return &InvalidChunk{Member: "/timestamp", Reason: "this is a number on every chunk"}
	}
	return nil
}
