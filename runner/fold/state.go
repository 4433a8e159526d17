package fold

import (
	"errors"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/patch"
)

// ErrLost is returned for a patch to a state that the fold has dropped because an earlier patch exceeded a limit.
var ErrLost = errors.New("the state isn't followed any more")

// given returns the initial state of the root agent.
func (f *Fold) given() *patch.Document {
	if object := judge.Object(f.options.State); object != nil {
		if d, err := patch.New(object, f.options.Limits.State); err == nil {
			return d
		}
	}
	return f.unknown()
}

// unknown returns a state without known members; {} in a trusting fold.
func (f *Fold) unknown() *patch.Document {
	if f.options.Trusting {
		if d, err := patch.Parse([]byte("{}"), f.options.Limits.State); err == nil {
			return d
		}
	}
	return patch.Unknown(f.options.Limits.State)
}

// State returns the known part of an agent's state; nil if a limit was exceeded, which only a trusting fold reports.
func (f *Fold) State(agent uint64) *patch.Document {
	if d, ok := f.states.Get(agent); ok {
		return d
	}
	return f.begin(agent, f.unknown())
}

// begin makes a document an agent's state.
func (f *Fold) begin(agent uint64, d *patch.Document) *patch.Document {
	f.states.Put(agent, d)
	f.weight += weightOf(d)
	return d
}

// patch applies a patch to the known part of its agent's state.
func (f *Fold) patch(c *Chunk) (sure int, err error) {
	if !hasPatch(c) {
		return 0, nil
	}
	f.patched(c)
	if f.options.Trusting {
		return 0, f.applyComplete(c, f.patchOf(c))
	}
	return f.applyEach(c)
}

// applyEach applies operations up to the first that doesn't fit, after which the state is unknown.
func (f *Fold) applyEach(c *Chunk) (sure int, err error) {
	key := c.Agent.Key
	d := f.State(key)
	length, i := int64(c.Length), 0
	for o, err := range operationsOf(c) {
		if err != nil {
			f.begin(key, f.unknown())
			return sure, err
		}
		known, err := d.Operate(o, length)
		var conflict *patch.ConflictError
		conflicts := errors.As(err, &conflict)
		if known && (err == nil || conflicts) {
			sure++
		}
		if err != nil {
			d = f.begin(key, f.unknown())
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
func (f *Fold) applyComplete(c *Chunk, p Patch) error {
	if p.Err != nil {
		return p.Err
	}
	key := c.Agent.Key
	d := f.State(key)
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
		err = f.grow(d.Weight() - weight)
	}
	var limit *patch.LimitError
	if errors.As(err, &limit) {
		f.weight -= d.Weight()
		f.states.Put(key, nil)
	}
	return err
}

// grow counts an addition to the states. The count may include dropped states, so it is recomputed at the limit.
func (f *Fold) grow(by int64) error {
	most := f.options.StatesBytes
	if f.weight += by; most == 0 || f.weight <= most {
		return nil
	}
	f.weight = 0
	f.states.Each(func(d *patch.Document) { f.weight += weightOf(d) })
	if f.weight <= most {
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

// copyOfState returns a copy of an agent's state. In a trusting fold, an unpatched state takes no memory except the copy's.
func (f *Fold) copyOfState(agent uint64) *patch.Document {
	if _, ok := f.states.Value(agent); !ok && f.options.Trusting {
		return f.unknown()
	}
	return cloned(f.State(agent))
}

func cloned(d *patch.Document) *patch.Document {
	if d == nil {
		return nil
	}
	return d.Clone()
}
