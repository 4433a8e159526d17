package aep_test

import (
	"testing"

	model "github.com/streamcert/streamcert/runner/model/aep"
	"github.com/streamcert/streamcert/runner/model/modeltest"
)

// TestModelledIsWhatTheCodeNames: the list contains exactly the requirements that the model or the player can find violated, or
// counts an occasion of.
func TestModelledIsWhatTheCodeNames(t *testing.T) {
	modeltest.IsWhatTheCodeNames(t, "aep", model.Modelled())
}
