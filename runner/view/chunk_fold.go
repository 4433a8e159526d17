package view

import (
	"encoding/json"

	"github.com/streamcert/streamcert/runner/fold"
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
	met := fold.Of(&c)
	f.Advance(met.Seq)
	f.Meet(met)
	return met
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
