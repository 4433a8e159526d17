package fold

import "github.com/streamcert/streamcert/runner/judge"

// mark takes a checkpoint.
func (f *Fold) mark(c *Chunk) {
	a, id, steps := c.Agent, f.name(c, "checkpointId"), c.Number("stepCount")
	if !id.OK || !steps.OK && !f.options.Trusting {
		return
	}
	a.Marked, a.Covered = steps, steps
	since := a.patched
	if !since.OK && f.complete {
		since = judge.Number{OK: c.Seq.OK}
	} else if !since.OK {
		since = c.Seq
	}
	f.remember(Point{
		ID: id.Hash, agent: a.Key, Steps: steps, Ends: a.ends(steps.N), state: f.states.copyOf(a.Key), since: since,
		stored: c.Seq.OK || f.options.Trusting,
	})
}

// extend records that a step extends to this chunk, if it has content.
func (f *Fold) extend(c *Chunk) {
	if !c.Step.OK || !c.Seq.OK {
		return
	}
	switch c.Kind {
	case "text_delta", "thinking", "tool_start", "tool_end", "output", "state_patch":
	default:
		return
	}
	f.passed(c)
	c.Agent.extend(c.Step, c.Seq)
}

// patch applies a patch to the state of its agent. It returns the operations that the state was known for, where they
// matter, and why the patch isn't applied.
func (f *Fold) patch(c *Chunk) (sure int, err error) {
	if !hasPatch(c) {
		return 0, nil
	}
	f.patched(c)
	return f.states.patch(c)
}

// back takes a rollback, which voids everything open. Its agent is the root from then on, unless it is a known sub-agent.
func (f *Fold) back(c *Chunk) {
	f.restart()
	a := f.agent(judge.WordOf(c.AgentID))
	if f.Announced.Ever(a.Key) {
		return
	}
	if f.Root != 0 {
		f.Announced.Add(f.Root)
	}
	f.Root = a.Key
}

// restore restores the state of a checkpoint, if it is known. A trusting fold doesn't check that it is the state of the
// position to which the stream is rolled back.
func (f *Fold) restore(c *Chunk) (known bool) {
	steps, from, key := c.Number("stepCount"), c.Number("fromSequence"), c.Agent.Key
	c.Agent.patched = c.Seq
	p, remembered := f.Point(f.name(c, "checkpointId").Hash)
	switch {
	case remembered && (p.validAt(from) || p.stored && f.options.Trusting):
		f.states.begin(key, cloned(p.state))
	case f.complete && from == (judge.Number{OK: true}) && steps == from && f.options.State != nil:
		f.states.begin(key, f.states.given())
	default:
		return false
	}
	return true
}
