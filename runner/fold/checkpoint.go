package fold

import (
	"iter"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/patch"
)

// A Point is the stored state of a checkpoint.
type Point struct {
	ID    uint64       // hash of its id
	Steps judge.Number // that it covers
	Ends  judge.Number // position of the last chunk known to be of a step that it covers
	Next  judge.Number // position of the first content of its agent after it

	agent uint64
	// state is the agent's state, valid from since to before until; until is missing while no other patch came.
	state        *patch.Document
	since, until judge.Number
	stored       bool // the state is still stored
}

// validAt reports whether the state is that of a position.
func (p *Point) validAt(at judge.Number) bool {
	return p.stored && at.OK && p.since.OK && p.since.N <= at.N && (!p.until.OK || at.N < p.until.N)
}

// Point returns the last checkpoint of an id.
func (f *Fold) Point(id uint64) (p Point, ok bool) {
	for i := len(f.points) - 1; i >= 0; i-- {
		if f.points[i].ID == id {
			return f.points[i], true
		}
	}
	return p, false
}

// Points returns the checkpoints that are remembered.
func (f *Fold) Points() iter.Seq[Point] {
	return func(yield func(Point) bool) {
		for _, p := range f.points {
			if !yield(p) {
				return
			}
		}
	}
}

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
		ID: id.Hash, agent: a.Key, Steps: steps, Ends: a.ends(steps.N), state: f.copyOfState(a.Key), since: since,
		stored: c.Seq.OK || f.options.Trusting,
	})
}

func (f *Fold) remember(p Point) {
	if len(f.points) == f.options.Points {
		if !f.points[0].Next.OK {
			f.open--
		}
		f.points = append(f.points[:0], f.points[1:]...)
	}
	f.points = append(f.points, p)
	f.open++
	if old := len(f.points) - 1 - f.options.StoredStates; old >= 0 {
		f.points[old].drop()
	}
	if f.options.StoredStatesBytes == 0 {
		return
	}
	left := f.options.StoredStatesBytes
	for i := len(f.points) - 1; i >= 0; i-- {
		if left -= weightOf(f.points[i].state); left < 0 {
			f.points[i].drop()
		}
	}
}

func (p *Point) drop() { p.state, p.stored = nil, false }

// patched records that an agent's state changes at a position. Without positions, a trusting fold assumes that a rollback
// restores the state of the checkpoint.
func (f *Fold) patched(c *Chunk) {
	c.Agent.patched = c.Seq
	for i := max(0, len(f.points)-f.options.StoredStates); i < len(f.points); i++ {
		p := &f.points[i]
		if p.agent != c.Agent.Key || p.until.OK {
			continue
		}
		if p.until = c.Seq; !c.Seq.OK && !f.options.Trusting {
			p.stored = false
		}
	}
}

// An extent is the end of a step's content so far.
type extent struct {
	step int64
	end  judge.Number
}

const maxExtents = 16 // steps of an agent whose ends are remembered, the last ones

// extend records that a step extends to this chunk. A chunk without a step may be of any step, and doesn't contradict a
// checkpoint.
func (f *Fold) extend(c *Chunk) {
	if !c.Step.OK || !c.Seq.OK {
		return
	}
	switch c.Kind {
	case "text_delta", "thinking", "tool_start", "tool_end", "output", "state_patch":
	default:
		return
	}
	a := c.Agent
	for i := 0; f.open > 0 && i < len(f.points); i++ {
		if p := &f.points[i]; p.agent == a.Key && c.Step.N > p.Steps.N && !p.Next.OK {
			p.Next = c.Seq
			f.open--
		}
	}
	for i := range a.extents {
		if a.extents[i].step == c.Step.N {
			a.extents[i].end = c.Seq
			return
		}
	}
	if len(a.extents) == maxExtents {
		a.extents = append(a.extents[:0], a.extents[1:]...)
	}
	a.extents = append(a.extents, extent{c.Step.N, c.Seq})
}

// ends returns the position of the last chunk of the steps up to a number.
func (a *Agent) ends(steps int64) (end judge.Number) {
	for _, e := range a.extents {
		if e.step <= steps && e.end.N > end.N {
			end = e.end
		}
	}
	return end
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
		f.begin(key, cloned(p.state))
	case f.complete && from == (judge.Number{OK: true}) && steps == from && f.options.State != nil:
		f.begin(key, f.given())
	default:
		return false
	}
	return true
}
