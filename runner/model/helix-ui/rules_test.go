package helixui_test

import (
	"testing"

	model "github.com/streamcert/streamcert/runner/model/helix-ui"
	"github.com/streamcert/streamcert/runner/model/modeltest"
)

// TestOwnIsWhatTheCodeNames: what the model or the player can find broken, or counts an occasion of, is in the list, and
// nothing else is.
func TestOwnIsWhatTheCodeNames(t *testing.T) {
	modeltest.IsWhatTheCodeNames(t, "helix-ui", model.Own())
}
