package helix

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/schemas/jsontext"
)

// InvalidChunk explains why a chunk is refused.
type InvalidChunk struct {
	Member string // JSON pointer to the mistake; "" for the chunk itself, and then the reason names the missing member
	Reason string // for the client
}

func (e *InvalidChunk) Error() string {
	if e.Member == "" {
		return e.Reason
	}
	return e.Member + ": " + e.Reason
}

// NewValidator returns the rules for chunks: the common members, and for types with a schema, the members of each. Unknown
// members and types pass. Errors of the validator are *InvalidChunk.
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

// advice contains the requirements that only a producer of chunks has to follow; a chunk that breaks one is relayed.
var advice = map[string]bool{"helix.errors.text": true, "helix.state.operations": true}

// common are the members that a chunk of any type carries.
var common = [...]string{"type", "agentId", "agentType", "timestamp"}

// checkCommon checks the members that a chunk of any type carries, known or not.
func checkCommon(chunk []byte) error {
	// helix.chunks.object: the chunk is an object, and the loop below checks its type.
	members, ok := find(chunk, common[:])
	if !ok {
		return &InvalidChunk{Reason: "a chunk is an object"}
	}
	// helix.chunks.agent-id, helix.chunks.agent-type: both are non-empty strings.
	for i, member := range members[:3] {
		if len(member) == 0 || member[0] != '"' || string(member) == `""` {
			return &InvalidChunk{Member: "/" + common[i], Reason: "this is a non-empty string on every chunk"}
		}
	}
	var timestamp *float64
	// helix.chunks.timestamp: null doesn't count as a number.
	if json.Unmarshal(members[3], &timestamp) != nil || timestamp == nil {
		return &InvalidChunk{Member: "/timestamp", Reason: "this is a number on every chunk"}
	}
	return nil
}

// find returns the texts of named members of an object: nil for one that isn't there, the last of one that is there
// twice. ok is false for anything but an object.
func find(object []byte, names []string) (members [][]byte, ok bool) {
	members = make([][]byte, len(names))
	return members, each(object, func(name string, member []byte) {
		if i := slices.Index(names, name); i >= 0 {
			members[i] = member
		}
	})
}

// each is called for every member of an object, with its text. It is false for anything but an object.
func each(object []byte, do func(name string, member []byte)) bool {
	r := jsontext.NewReader(object, deepest)
	r.Space()
	if r.Next() != '{' {
		return false
	}
	for name, member := range r.Members() {
		do(r.Text(name), member)
	}
	r.Space()
	return r.Err() == "" && len(r.Remaining()) == 0
}

// newChunk finds the step of a chunk. A step that isn't an integer is none: it is for Validate to refuse.
func newChunk(raw json.RawMessage) store.Chunk {
	chunk := store.Chunk{JSON: raw}
	if !bytes.Contains(raw, []byte(`"step"`)) && !bytes.Contains(raw, []byte(`\u`)) {
		return chunk // nothing can be a step, and taking a large chunk apart takes its time
	}
	var step *float64 // 2.0 is an integer, and no step is beyond 2^53
	if members, ok := find(raw, []string{"step"}); ok && json.Unmarshal(members[0], &step) == nil && step != nil {
		chunk.Step, chunk.HasStep = int64(*step), float64(int64(*step)) == *step
	}
	return chunk
}

// deepest limits the nesting of a body.
const deepest = 10_000
