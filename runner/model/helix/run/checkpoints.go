package run

import (
	"maps"
	"slices"

	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/stream"
)

// checkpoints are the checkpoints of a session, as its chunks have announced them.
//
// Invariants: ids is in the order of the steps, and nil where it isn't known which checkpoint is of which step. Each of ids
// is in made and, after [checkpoints.checkInterruption], in returnable. An id of former may also be in made only if both
// sessions announced it, which is a violation.
type checkpoints struct {
	ids        []string         // that the run can return to
	returnable map[string]bool  // all that ever were in ids
	made       map[string]int64 // the chunk that announced it, by id; one before the first step included
	start      string           // the checkpoint before the first step, which its interruption or crash has named, "" for none
	named      string           // by the latest interruption, "" once that was checked
	former     map[string]bool  // of former sessions of the stream
}

func newCheckpoints() checkpoints {
	return checkpoints{returnable: map[string]bool{}, made: map[string]int64{}}
}

// all returns the checkpoints that this session and those before it have announced.
func (c *checkpoints) all() map[string]bool {
	all := map[string]bool{}
	maps.Copy(all, c.former)
	for id := range c.made {
		all[id] = true
	}
	return all
}

// announce applies a chunk that announces a checkpoint, which must be a new one, also if the chunk that announced the other
// is gone: helix.checkpoints.unique. firstOpen reports that no step but the first was executed, and that it was never
// committed.
func (c *checkpoints) announce(p *stream.Produced, firstOpen bool, occasions model.OccasionCounts) error {
	id := p.Text("checkpointId")
	if at, known := c.made[id]; known && at != p.ID {
		return model.Violated("helix.checkpoints.unique", "an id of its own", id, "chunk %d announces the checkpoint that chunk %d has announced", p.ID, at)
	}
	if _, known := c.made[id]; c.former[id] && !known {
		return model.Violated("helix.checkpoints.unique", "an id of its own", id, "chunk %d announces a checkpoint that a session before it has announced", p.ID)
	}
	c.made[id] = p.ID
	occasions.Saw("helix.checkpoints.unique")
	switch n, _ := p.Member("stepCount").(float64); {
	case n > 0:
		c.ids = append(c.ids, id)
	case c.start == "" && firstOpen: // later ones may be of a later step
		c.start = id
	}
	return nil
}

// returnTo takes back the checkpoints after the one that a resync names; an unknown one was taken back by a later call. A
// crash in the first step names the checkpoint before it, which nothing else may announce.
func (c *checkpoints) returnTo(p *stream.Produced, firstOpen bool) {
	id := p.Text("checkpointId")
	if n, counted := p.Member("stepCount").(float64); c.start == "" && firstOpen && counted && n == 0 {
		c.start = id
	}
	if i := slices.Index(c.ids, id); i >= 0 || id == c.start && id != "" {
		c.ids = c.ids[:i+1]
	}
}

// checkInterruption checks that the checkpoint that an interruption names wasn't taken back:
// helix.runs.interrupt-checkpoint.
func (c *checkpoints) checkInterruption() error {
	for _, id := range c.ids {
		c.returnable[id] = true
	}
	named := c.named
	c.named = ""
	if _, made := c.made[named]; c.former[named] && !made {
		return model.Violated("helix.runs.interrupt-checkpoint", "a checkpoint of this session", named, "an interruption names a checkpoint of a session that is over")
	}
	if c.returnable[named] && !slices.Contains(c.ids, named) {
		return model.Violated("helix.runs.interrupt-checkpoint", "a checkpoint that is there", named, "an interruption names a checkpoint that the run has gone back before")
	}
	return nil
}
