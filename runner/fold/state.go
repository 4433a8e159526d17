package fold

import (
	"errors"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/patch"
)

// ErrLost is returned for a patch to a state that the fold has dropped because an earlier patch exceeded a limit.
var ErrLost = errors.New("the state isn't followed any more")

// states are the states of agents, and the memory that they take.
type states struct {
	options Options                       // of the fold
	byAgent judge.Opened[*patch.Document] // by the keys of the agents; nil for one that is lost
	weight  int64                         // of them in bytes, or more: what was dropped counts until it is recomputed

	buffer [8]patch.Operation // for those of a patch, so that most take no memory
}

// clear drops all states.
func (s *states) clear() {
	s.byAgent.Clear()
	s.weight = 0
}

// given returns the initial state of the root agent.
func (s *states) given() *patch.Document {
	if object := judge.Object(s.options.State); object != nil {
		if d, err := patch.New(object, s.options.Limits.State); err == nil {
			return d
		}
	}
	return s.unknown()
}

// unknown returns a state without known members; {} in a trusting fold.
func (s *states) unknown() *patch.Document {
	if s.options.Trusting {
		if d, err := patch.Parse([]byte("{}"), s.options.Limits.State); err == nil {
			return d
		}
	}
	return patch.Unknown(s.options.Limits.State)
}

// of returns the known part of an agent's state; nil if a limit was exceeded, which only a trusting fold reports.
func (s *states) of(agent uint64) *patch.Document {
	if d, ok := s.byAgent.Get(agent); ok {
		return d
	}
	return s.begin(agent, s.unknown())
}

// begin makes a document an agent's state.
func (s *states) begin(agent uint64, d *patch.Document) *patch.Document {
	s.byAgent.Put(agent, d)
	s.weight += weightOf(d)
	return d
}

// patch applies a patch to the known part of its agent's state.
func (s *states) patch(c *Chunk) (sure int, err error) {
	if s.options.Trusting {
		return 0, s.applyComplete(c, s.patchOf(c))
	}
	return s.applyEach(c)
}

// applyEach applies operations up to the first that doesn't fit, after which the state is unknown.
func (s *states) applyEach(c *Chunk) (sure int, err error) {
	key := c.Agent.Key
	d := s.of(key)
	length, i := int64(c.Length), 0
	for o, err := range operationsOf(c) {
		if err != nil {
			s.begin(key, s.unknown())
			return sure, err
		}
		known, err := d.Operate(o, length)
		var conflict *patch.ConflictError
		conflicts := errors.As(err, &conflict)
		if known && (err == nil || conflicts) {
			sure++
		}
		if err != nil {
			d = s.begin(key, s.unknown())
		}
		if conflicts {
			conflict.Operation = i
			return sure, conflict
		}
		length = 0 // it pays once
		i++
	}
	return sure, nil
}

// applyComplete applies a patch completely or not at all. A state that exceeds a limit is dropped.
func (s *states) applyComplete(c *Chunk, p Patch) error {
	if p.Err != nil {
		return p.Err
	}
	key := c.Agent.Key
	d := s.of(key)
	if d == nil {
		return ErrLost
	}
	before := func(i int) error {
		if p.Before == nil {
			return nil
		}
		return p.Before(i, d)
	}
	weight := d.Weight()
	err := d.ApplyEach(p.Operations, int64(c.Length), before)
	if err == nil {
		err = s.grow(d.Weight() - weight)
	}
	var limit *patch.LimitError
	if errors.As(err, &limit) {
		s.weight -= d.Weight()
		s.byAgent.Put(key, nil)
	}
	return err
}

// grow counts an addition to the states. The count may include dropped states, so it is recomputed at the limit.
func (s *states) grow(by int64) error {
	most := s.options.StatesBytes
	if s.weight += by; most == 0 || s.weight <= most {
		return nil
	}
	s.weight = 0
	s.byAgent.Each(func(d *patch.Document) { s.weight += weightOf(d) })
	if s.weight <= most {
		return nil
	}
	return &patch.LimitError{Of: "bytes of memory for the states of all agents", Limit: most}
}

// weightOf is about how many bytes of memory a state takes, 0 for one that is lost.
func weightOf(d *patch.Document) int64 {
	if d == nil {
		return 0
	}
	return d.Weight()
}

// copyOf returns a copy of an agent's state. In a trusting fold, an unpatched state takes no memory except the copy's.
func (s *states) copyOf(agent uint64) *patch.Document {
	if _, ok := s.byAgent.Value(agent); !ok && s.options.Trusting {
		return s.unknown()
	}
	return cloned(s.of(agent))
}

func cloned(d *patch.Document) *patch.Document {
	if d == nil {
		return nil
	}
	return d.Clone()
}

// patchOf reads all of the patch of a chunk. The operations are good until the next.
func (s *states) patchOf(c *Chunk) Patch {
	if c.Patch != nil {
		return *c.Patch
	}
	p := Patch{Operations: s.buffer[:0]}
	for o, err := range operationsOf(c) {
		if err != nil {
			p.Err = err
			break
		}
		p.Operations = append(p.Operations, o)
	}
	return p
}
