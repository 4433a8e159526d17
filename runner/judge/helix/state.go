package helix

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/patch"
)

// The limits of a state. One that grows beyond them, or that is more work than the
// budget of its stream, isn't followed any more.
const (
	maxStates    = 32 // agents whose states are followed at a time
	maxStateSize = 2 << 20
	maxValues    = 40_000
	maxWork      = 1 << 28 // lasts about a second
)

// limits are those of every state of the stream.
func (h *history) limits() patch.Limits {
	if h.work == nil {
		h.work = patch.NewBudget(maxWork)
	}
	return patch.Limits{Bytes: maxStateSize, Values: maxValues, Budget: h.work}
}

// stateOf is the document of a state that is known, and an unknown one if the JSON
// is no object or goes beyond a limit.
func (h *history) stateOf(raw json.RawMessage) *patch.Document {
	if object := judge.Object(raw); object != nil {
		if d, err := patch.New(object, h.limits()); err == nil {
			return d
		}
	}
	return patch.Unknown(h.limits())
}

// state returns what is known of an agent's state.
func (h *history) state(key uint64) *patch.Document {
	if d, ok := h.states.Get(key); ok {
		return d
	}
	return h.begin(key, patch.Unknown(h.limits()))
}

// begin makes a document an agent's state.
func (h *history) begin(key uint64, d *patch.Document) *patch.Document {
	h.states.Most = maxStates
	h.states.Put(key, d)
	return d
}

// statePatch applies the operations to what is known of the agent's state. After
// one that can't be applied nothing is known any more.
func (m *machine) statePatch(c *said) {
	patches, ok := c.members["patches"].([]any)
	if !ok {
		return
	}
	m.Saw(stateEmptyPatch)
	if len(patches) == 0 {
		m.Breach(stateEmptyPatch, c.place(), "a state patch has no operations", "at least one operation", "[]")
		return
	}
	h, key := m.past, c.agent.key
	state := h.state(key)
	h.patched(c)
	length := int64(len(c.f.Data))
	for i, v := range patches {
		o, err := patch.OperationOf(v)
		if err != nil { // the schemas object to it
			h.begin(key, patch.Unknown(h.limits()))
			return
		}
		sure, err := state.Operate(o, length)
		length = 0 // it pays once
		var conflict *patch.ConflictError
		broken := errors.As(err, &conflict)
		if sure && (err == nil || broken) {
			m.Saw(stateApplicable)
		}
		if err != nil {
			state = h.begin(key, patch.Unknown(h.limits()))
		}
		if broken {
			path, _ := v.(map[string]any)["path"].(string)
			m.Breach(stateApplicable, c.place(), fmt.Sprintf("operation %d of the patch can't be applied: %s", i, conflict.Reason),
				"an operation that fits the state", o.Op+" "+judge.Show(path))
			return
		}
	}
}
