package helixui

import (
	"slices"
	"testing"

	"github.com/streamcert/streamcert/runner/campaign/campaigntest"
)

// TestShrinkingChangesNothingElse: without one of its operations that leave nothing behind, such as a call, a program has the
// same other steps as before.
func TestShrinkingChangesNothingElse(t *testing.T) {
	leaveNothing := []string{"empty texts", "thoughts", "calls", "failing calls", "customs", "patches", "outputs", "strangers", "subagents", "commits", "passing errors"}
	removed := 0
	for seed := range int64(50) {
		p := Draw(seed, 0, "short turns", func(ability string) bool { return ability != "model" })
		operations := append([]Operation{{Kind: "texts", Count: 1, Class: "plain", Size: 1}}, p.turns[0].operations...) // so that none begins the turn
		with := func(operations []Operation) []string {
			all := Program{turns: []turn{{chat: 1, operations: operations}}}.scenes(longText)
			return campaigntest.Unnumbered(t, all[0].script.Steps)
		}
		for i, o := range operations {
			if slices.Contains(leaveNothing, o.Kind) {
				campaigntest.Without(t, o.String(), with(operations), with(slices.Delete(slices.Clone(operations), i, i+1)), len(with(operations[:i])))
				removed++
			}
		}
	}
	if removed < 50 {
		t.Errorf("only %d operations were removed", removed)
	}
}
