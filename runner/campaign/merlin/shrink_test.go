package merlin

import (
	"slices"
	"testing"

	"github.com/streamcert/streamcert/runner/campaign/campaigntest"
	"github.com/streamcert/streamcert/runner/target"
)

// everything is a server that claims every capability.
type everything struct{}

func (everything) Claims(string) bool    { return true }
func (everything) Scripts() bool         { return true }
func (everything) Limits() target.Limits { return target.Limits{} }

// TestShrinkingChangesNothingElse: without one of its operations that leave nothing behind, such as a text, a program has the
// same other steps as before.
func TestShrinkingChangesNothingElse(t *testing.T) {
	leaveNothing := []string{"texts", "equal texts", "empty texts", "signed thoughts", "halves", "spellings", "usages", "noises", "bare thoughts", "renamings", "stray calls"}
	removed := 0
	for seed := range int64(50) {
		p := Draw(seed, 0, "short streams", 1+int(seed%2), everything{})
		with := func(operations []Operation) []string {
			script, _ := Program{version: p.version, start: p.start, operations: operations}.script(0)
			return campaigntest.Unnumbered(t, script.Steps)
		}
		for i, o := range p.operations {
			if slices.Contains(leaveNothing, o.Kind) {
				campaigntest.Without(t, o.String(), with(p.operations), with(slices.Delete(slices.Clone(p.operations), i, i+1)), len(with(p.operations[:i])))
				removed++
			}
		}
	}
	if removed < 50 {
		t.Errorf("only %d operations were removed", removed)
	}
}
