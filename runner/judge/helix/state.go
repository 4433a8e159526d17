package helix

import (
	"errors"
	"fmt"

	"github.com/streamcert/streamcert/runner/fold"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/patch"
)

// stateRules are the rules of state.
type stateRules struct{ *judge.Base }

// statePatch judges a patch that was applied to the known part of the agent's state.
func (r stateRules) statePatch(c *producedChunk, e fold.Effect) {
	patches, ok := c.members["patches"].([]any)
	if !ok {
		return
	}
	r.Saw(stateEmptyPatch)
	if len(patches) == 0 {
		r.Violation(stateEmptyPatch, c.position(), "a state patch has no operations", "at least one operation", "[]")
		return
	}
	for range e.Sure {
		r.Saw(stateApplicable)
	}
	var conflict *patch.ConflictError
	if !errors.As(e.Err, &conflict) {
		return
	}
	operation, _ := patches[conflict.Operation].(map[string]any)
	op, _ := operation["op"].(string)
	path, _ := operation["path"].(string)
	r.Violation(stateApplicable, c.position(), fmt.Sprintf("operation %d of the patch can't be applied: %s", conflict.Operation, conflict.Reason),
		"an operation that fits the state", op+" "+judge.Show(path))
}
