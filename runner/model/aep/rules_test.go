package aep_test

import (
	"testing"

	model "github.com/streamcert/streamcert/runner/model/aep"
	"github.com/streamcert/streamcert/runner/model/modeltest"
)

// TestOwnIsWhatTheCodeNames: what the model or the player can find broken, or counts an occasion of, is in the list, and
// nothing else is.
func TestOwnIsWhatTheCodeNames(t *testing.T) { modeltest.IsWhatTheCodeNames(t, "aep", model.Own()) }
