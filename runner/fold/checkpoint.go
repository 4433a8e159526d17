package fold

import (
	"iter"
	"slices"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/patch"
)

// A Point is the stored state of a checkpoint.
type Point struct {
	ID    uint64       // hash of its id
	Steps judge.Number // that it covers
	Ends  judge.Number // position of the last chunk known to be of a step that it covers
	Next  judge.Number // position of the first content of its agent after it

	agent uint64 // its key
	// state is the agent's state, valid from since to before until; until is missing while no other patch came.
	state        *patch.Document
	since, until judge.Number // sequences
	stored       bool         // the state is still stored
}

// validAt reports whether the state is that of a position.
func (p *Point) validAt(at judge.Number) bool {
	return p.stored && at.OK && p.since.OK && p.since.N <= at.N && (!p.until.OK || at.N < p.until.N)
}

// points are the checkpoints that are remembered, and the states of the latest ones.
type points struct {
	options Options // of the fold
	all     []Point // in the order of the stream, at most options.Points
	open    int     // points whose Next isn't known, so that most chunks check none
}

// Point returns the last checkpoint of an id.
func (s *points) Point(id uint64) (p Point, ok bool) {
	for i := len(s.all) - 1; i >= 0; i-- {
		if s.all[i].ID == id {
			return s.all[i], true
		}
	}
	return p, false
}

// Points returns the checkpoints that are remembered.
func (s *points) Points() iter.Seq[Point] { return slices.Values(s.all) }

// remember adds a checkpoint. Beyond the limits the oldest is dropped, and the states of the older ones are.
func (s *points) remember(p Point) {
	if len(s.all) == s.options.Points {
		if !s.all[0].Next.OK {
			s.open--
		}
		s.all = append(s.all[:0], s.all[1:]...)
	}
	s.all = append(s.all, p)
	s.open++
	if old := len(s.all) - 1 - s.options.StoredStates; old >= 0 {
		s.all[old].drop()
	}
	if s.options.StoredStatesBytes == 0 {
		return
	}
	left := s.options.StoredStatesBytes
	for i := len(s.all) - 1; i >= 0; i-- {
		if left -= weightOf(s.all[i].state); left < 0 {
			s.all[i].drop()
		}
	}
}

func (p *Point) drop() { p.state, p.stored = nil, false }

// patched records that an agent's state changes at a position. Without positions, a trusting fold assumes that a rollback
// restores the state of the checkpoint.
func (s *points) patched(c *Chunk) {
	c.Agent.patched = c.Seq
	for i := max(0, len(s.all)-s.options.StoredStates); i < len(s.all); i++ {
		p := &s.all[i]
		if p.agent != c.Agent.Key || p.until.OK {
			continue
		}
		if p.until = c.Seq; !c.Seq.OK && !s.options.Trusting {
			p.stored = false
		}
	}
}

// passed records the first content of an agent after its checkpoints. A chunk without a step may be of any step, and doesn't
// contradict a checkpoint.
func (s *points) passed(c *Chunk) {
	for i := 0; s.open > 0 && i < len(s.all); i++ {
		if p := &s.all[i]; p.agent == c.Agent.Key && c.Step.N > p.Steps.N && !p.Next.OK {
			p.Next = c.Seq
			s.open--
		}
	}
}

// distrust records that chunks are missing: a state of before isn't restored after them.
func (s *points) distrust() {
	for i := range s.all {
		s.all[i].stored = false
	}
}
