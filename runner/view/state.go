package view

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/streamcert/streamcert/runner/patch"
)

const (
	maxLookedUp   = 16        // operations of a patch for which old values are looked up
	maxRemembered = 64        // checkpoints whose states are kept
	maxMarks      = 128 << 20 // bytes that those states take
	maxStates     = 128 << 20 // bytes that the states of all agents take
)

// A Change is the effect of one operation of a patch.
type Change struct {
	Op, Path string
	From     string          // of a move or copy
	Value    json.RawMessage // nil if there is none
	Old      json.RawMessage // nil if there was none, or nobody looked
}

// A State is a document to which patches apply. The zero value is {}; a State must
// not be copied, but cloned.
type State struct {
	doc    *patch.Document // nil before the first patch
	lost   bool            // a patch went beyond a limit
	budget *patch.Budget   // nil: one of its own
}

// ErrLost says that a state isn't known any more: an earlier patch went beyond a
// limit of package patch.
var ErrLost = errors.New("the state isn't followed any more")

// Document is the state as JSON; null once it is lost.
func (s *State) Document() []byte {
	switch {
	case s.lost:
		return []byte("null")
	case s.doc == nil:
		return []byte("{}")
	}
	return s.doc.JSON()
}

// prefix is about the first limit bytes of the document, and its whole size.
func (s *State) prefix(limit int) (text string, whole bool, size int) {
	if s.doc == nil || s.lost {
		text := s.Document()
		return string(text), true, len(text)
	}
	begin, whole := s.doc.Prefix(limit)
	return string(begin), whole, int(s.doc.Size())
}

// weight is about how many bytes of memory the state takes.
func (s *State) weight() int64 {
	if s.doc == nil {
		return 0
	}
	return s.doc.Weight()
}

// Clone returns a state of its own that is the same.
func (s *State) Clone() State {
	c := State{lost: s.lost, budget: s.budget}
	if s.doc != nil {
		c.doc = s.doc.Clone()
	}
	return c
}

// Apply applies the patches of a state_patch in order, all or none of them. It
// returns what they are even if they can't be applied. A *patch.LimitError loses
// the state: from then on the error is ErrLost.
func (s *State) Apply(patches json.RawMessage) ([]Change, error) {
	changes, operations, err := changesOf(patches)
	switch {
	case err != nil:
		return changes, err
	case s.lost:
		return changes, ErrLost
	case s.doc == nil:
		if s.doc, err = patch.Parse([]byte("{}"), patch.Limits{Budget: s.budget}); err != nil {
			return changes, fmt.Errorf("beginning a state: %w", err)
		}
	}
	before := func(i int) (err error) {
		if len(operations) <= maxLookedUp {
			changes[i].Old, err = s.doc.Lookup(operations[i].Path)
		}
		return err
	}
	if err = s.doc.ApplyEach(operations, int64(len(patches)), before); err != nil {
		var limit *patch.LimitError
		if errors.As(err, &limit) {
			s.doc, s.lost = nil, true
		}
		return changes, fmt.Errorf("applying a patch: %w", err)
	}
	return changes, nil
}

// changesOf reads a patch, up to the operation that is none.
func changesOf(patches json.RawMessage) (changes []Change, operations []patch.Operation, err error) {
	var list []json.RawMessage
	if err := json.Unmarshal(patches, &list); err != nil {
		return nil, nil, fmt.Errorf("reading a patch: %w, expected an array of operations", err)
	}
	for _, raw := range list {
		o, err := patch.ParseOperation(raw)
		if err != nil {
			return changes, nil, fmt.Errorf("reading an operation of a patch: %w", err)
		}
		var c struct {
			Path, From string
			Value      json.RawMessage
		}
		if err := json.Unmarshal(raw, &c); err != nil {
			return changes, nil, fmt.Errorf("reading an operation of a patch: %w", err)
		}
		changes, operations = append(changes, Change{o.Op, c.Path, c.From, c.Value, nil}), append(operations, o)
	}
	return changes, operations, nil
}

// checkpoints remembers the states of the latest checkpoints.
type checkpoints struct {
	order  []string
	states map[string]State
	weight int64
}

func (c *checkpoints) remember(id string, s State) {
	if c.states == nil {
		c.states = map[string]State{}
	}
	if old, again := c.states[id]; again {
		c.weight -= old.weight()
	} else {
		c.order = append(c.order, id)
	}
	c.states[id] = s
	c.weight += s.weight()
	for len(c.order) > maxRemembered || c.weight > maxMarks && len(c.order) > 0 {
		oldest := c.states[c.order[0]]
		c.weight -= oldest.weight()
		delete(c.states, c.order[0])
		c.order = append(c.order[:0], c.order[1:]...)
	}
}
