package run

import (
	"encoding/json"
	"errors"
	"sort"

	"github.com/streamcert/streamcert/runner/patch"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

// A sum is the state of one agent after its patches.
type sum struct {
	text   []byte          // before the first patch
	doc    *patch.Document // nil before the first patch
	broken *world.Message  // the first message whose patch doesn't apply; no later patch is added
	err    error           // the error of broken; nil if broken is nil
}

func (s *sum) add(m *world.Message) {
	if s.err != nil {
		return
	}
	if s.doc == nil {
		s.doc, s.err = patch.Parse(s.text, patch.Limits{})
	}
	if s.err == nil {
		s.err = applied(s.doc, m)
	}
	if s.err != nil {
		s.broken = m
	}
}

func (s *sum) state() []byte {
	if s.doc == nil {
		return s.text
	}
	return s.doc.JSON()
}

func (s *sum) clone() *sum {
	c := *s
	if s.doc != nil {
		c.doc = s.doc.Clone()
	}
	return &c
}

// sums has the sums of all agents by agentId. An agent without patches has none.
type sums map[string]*sum

func (s sums) of(agent string) *sum {
	if s[agent] == nil {
		s[agent] = &sum{text: []byte(`{}`)}
	}
	return s[agent]
}

func (s sums) clone() sums {
	c := make(sums, len(s))
	for agent, sum := range s {
		c[agent] = sum.clone()
	}
	return c
}

// A comeback is the point to which a stream_resync returns the states.
type comeback struct {
	To    int    // index: the messages before it stay valid
	Agent string // the root agent's id after the return
	root  string // the root agent's id before it
}

// Comebacks returns the comebacks of all messages of type stream_resync by index. Sequences ascend, so a return leaves
// a prefix of the messages.
func Comebacks(ms []*world.Message) map[int]comeback {
	out, root := map[int]comeback{}, ""
	reached := make([]float64, len(ms)) // the sequence up to each message
	for i, m := range ms {
		if i > 0 {
			reached[i] = reached[i-1]
		}
		if n := steps.Float(json.Number(m.ID)); n > reached[i] { // false without an id, or with one that isn't a number
			reached[i] = n
		}
		id, named := m.Member("agentId").(string)
		returns := m.Member("type") == "stream_resync"
		if returns {
			number, _ := m.Member("fromSequence").(json.Number)
			from := steps.Float(number)
			to := sort.Search(i, func(k int) bool { return !(reached[k] <= from) }) // 0 where from isn't a number
			out[i] = comeback{to, id, root}
		}
		if named && (root == "" || returns) {
			root = id
		}
	}
	return out
}

// back replaces the sums by those of an earlier point. The sum of an agent with an error keeps it.
func (s sums) back(to sums, c comeback) {
	earlier := to.clone()
	if c.Agent != c.root { // a branch continues under another agentId
		earlier[c.Agent] = to.of(c.root).clone()
	}
	for agent, sum := range s {
		if sum.err != nil {
			earlier[agent] = sum
		}
	}
	clear(s)
	for agent, sum := range earlier {
		s[agent] = sum
	}
}

// Fold applies the patches of an agent in order to its initial state, which is that of the root agent or of an agent
// that a branch made the root. A stream_resync restores an earlier state. broken is the message whose patch doesn't
// apply or exceeds a limit of package patch; it is nil if and only if the error is.
func Fold(ms []*world.Message, agent string, state []byte) (_ []byte, broken *world.Message, _ error) {
	returns := Comebacks(ms)
	stored, last, first := map[int]sums{}, -1, len(ms)
	for i, c := range returns {
		stored[c.To], last, first = nil, max(last, i), min(first, i)
	}
	all, own := sums{}, &sum{text: state} // all is needed up to the last return
	if last >= 0 {
		all[returns[first].root] = &sum{text: state}
	}
	for i, m := range ms {
		if _, wanted := stored[i]; wanted && i <= last {
			stored[i] = all.clone()
		}
		id, _ := m.Member("agentId").(string)
		switch m.Member("type") {
		case "stream_resync":
			c := returns[i]
			to := stored[c.To]
			if id == agent {
				own = to.of(c.root).clone()
			} else {
				own = to.of(agent).clone()
			}
			all.back(to, c)
		case "state_patch":
			if m.ID != "" && i < last {
				all.of(id).add(m)
			}
			if id == agent {
				own.add(m)
			}
		}
		if own.err != nil {
			break
		}
	}
	return own.state(), own.broken, own.err
}

// applied applies the patch of one message to the state.
func applied(state *patch.Document, m *world.Message) error {
	list, ok := m.Member("patches").([]any)
	if !ok {
		return errors.New("patches is not an array")
	}
	operations := make([]patch.Operation, 0, len(list))
	for _, v := range list {
		o, err := patch.OperationOf(v)
		if err != nil {
			return err
		}
		operations = append(operations, o)
	}
	return state.Apply(operations, int64(len(m.Chunk)))
}
