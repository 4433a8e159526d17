package helix_test

import (
	"testing"

	model "github.com/streamcert/streamcert/runner/model/helix"
	"github.com/streamcert/streamcert/runner/model/modeltest"
)

// TestCoveredIsWhatTheCodeNames: the list has each requirement that the model or the player can find violated, or counts an
// occasion of, and no other.
func TestCoveredIsWhatTheCodeNames(t *testing.T) {
	modeltest.IsWhatTheCodeNames(t, "helix", model.Covered())
}
