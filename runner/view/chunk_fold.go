package view

import (
	"encoding/json"

	"github.com/streamcert/streamcert/runner/fold"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/patch"
)

// Limits on the memory for a stream that never closes what it opens.
const (
	maxOpen     = 4096 // sub-agents
	maxCalls    = 65536
	maxPoints   = 64        // checkpoints whose states are stored
	maxStates   = 128 << 20 // bytes that the states of all agents take, and as many those of the checkpoints
	maxLookedUp = 16        // operations of a patch for which old values are looked up
)

// newFold returns an empty fold that guesses unknown values, since the view displays a stream and doesn't judge it.
func newFold() *fold.Fold {
	return fold.New(fold.Options{Trusting: true, Limits: fold.Limits{
		SubAgents: maxOpen, Calls: maxCalls, States: maxOpen, StatesBytes: maxStates, Points: maxPoints, StoredStates: maxPoints, StoredStatesBytes: maxStates,
	}})
}

// foldedChunk is a chunk with its effect on the fold.
type foldedChunk struct {
	Chunk
	fold.Effect
	changes []change // of a state_patch
}

// meet shows a chunk to the fold, which finds out whose it is.
func meet(f *fold.Fold, c Chunk) *fold.Chunk {
	said := &fold.Chunk{
		Kind: c.Type, AgentID: c.AgentID, Seq: counted(c.Sequence), Step: counted(c.Step), Length: len(c.Raw),
		Time: judge.Number{N: c.Timestamp, OK: c.Timestamp > 0}, Members: &raw{text: c.Raw},
	}
	if c.RunID != "" {
		said.Run = judge.WordOf(c.RunID)
	}
	f.Advance(said.Seq)
	f.Meet(said)
	return said
}

// counted returns a number that is -1 where it is missing.
func counted(n int64) judge.Number { return judge.Number{N: n, OK: n >= 0} }

// raw contains the members of a chunk, decoded on first use.
type raw struct {
	text    json.RawMessage
	members map[string]json.RawMessage // nil before the first use
}

// Member implements fold.Members.
func (r *raw) Member(name string) (value any, there bool) {
	if r.members == nil {
		r.members = map[string]json.RawMessage{}
		_ = json.Unmarshal(r.text, &r.members) // invalid JSON has no members
	}
	text, there := r.members[name]
	if !there {
		return nil, false
	}
	return judge.OneValue(text)
}

// change is the effect of one operation of a patch.
type change struct {
	Op, Path string
	From     string          // of a move or copy
	Value    json.RawMessage // nil if there is none
	Old      json.RawMessage // nil if there was none, or it wasn't looked up
}

// patchOf returns the changes of a state_patch. Values keep the order of their members.
func patchOf(patches json.RawMessage) (*fold.Patch, []change) {
	p := &fold.Patch{}
	p.Operations, p.Err = patch.Operations(patches)
	changes := make([]change, 0, len(p.Operations))
	if p.Err != nil || decodeTolerantly(patches, &changes) != nil {
		return p, nil
	}
	if len(changes) <= maxLookedUp {
		p.Before = func(i int, state *patch.Document) (err error) {
			changes[i].Old, err = state.Lookup(p.Operations[i].Path)
			return err
		}
	}
	return p, changes
}
