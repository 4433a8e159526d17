package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// checkpoints contains the checkpoints of one session. The session's mutex guards them.
//
// Invariant: committed are those that no return has removed, oldest first.
type checkpoints struct {
	store     Checkpoints  // of the ports
	stream    string       // of the session
	model     Recalling    // the session's, if it is one and can be restored; nil if not
	committed []Checkpoint // for another process
}

// latest finds the newest checkpoint.
func (p *checkpoints) latest() (Checkpoint, bool, error) {
	return p.store.Load(context.Background(), p.stream, "")
}

// outputs returns the model's output since the last checkpoint, up to a step; nil for none.
func (p *checkpoints) outputs(next int) (json.RawMessage, error) {
	if p.model == nil {
		return nil, nil
	}
	from := 0
	if n := len(p.committed); n > 0 {
		from = p.committed[n-1].Next
	}
	outputs, err := p.model.Recall(from, next)
	if err != nil {
		return nil, fmt.Errorf("recalling what the model said: %w", err)
	}
	return outputs, nil
}

// save stores a checkpoint that was announced by the chunk at index i of an append.
func (p *checkpoints) save(c Checkpoint, sequences []int64, i int) error {
	if i >= len(sequences) { // a journal that keeps less than it is given
		i = len(sequences) - 1
	}
	if i >= 0 {
		// helix.checkpoints.sequence: this sequence becomes the fromSequence of a resync.
		c.Sequence = sequences[i]
	}
	if err := p.store.Save(context.Background(), p.stream, c); err != nil {
		return fmt.Errorf("saving checkpoint %s: %w", c.ID, err)
	}
	p.committed = append(p.committed, c)
	return nil
}

// backTo removes the checkpoints after one.
func (p *checkpoints) backTo(c Checkpoint) error {
	if err := p.store.Discard(context.Background(), p.stream, c.ID); err != nil {
		return fmt.Errorf("forgetting what came after checkpoint %s: %w", c.ID, err)
	}
	if i := slices.IndexFunc(p.committed, func(kept Checkpoint) bool { return kept.ID == c.ID }); i >= 0 {
		p.committed = p.committed[:i+1]
	}
	return nil
}
