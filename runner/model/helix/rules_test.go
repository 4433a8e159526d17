package helix_test

import (
	"testing"

	model "github.com/streamcert/streamcert/runner/model/helix"
	"github.com/streamcert/streamcert/runner/model/modeltest"
)

// TestCoveredIsWhatTheCodeNames: what the model or the player can find broken, or counts an occasion of, is in the list, and
// nothing else is.
func TestCoveredIsWhatTheCodeNames(t *testing.T) {
	modeltest.IsWhatTheCodeNames(t, "helix", model.Covered())
}
