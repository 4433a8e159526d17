package helixui_test

import (
	"strings"
	"testing"

	model "github.com/streamcert/streamcert/runner/model/helix-ui"
	"github.com/streamcert/streamcert/runner/model/modeltest"
)

// TestModelledIsWhatTheCodeNames: the list contains exactly the requirements that the model or the player can find violated, or
// counts an occasion of.
func TestModelledIsWhatTheCodeNames(t *testing.T) {
	modeltest.IsWhatTheCodeNames(t, "helix-ui", model.Modelled())
}

func TestDenies(t *testing.T) {
	for _, c := range []struct {
		kind   string
		output any
		want   bool
	}{
		{"tool-output-denied", nil, true}, {"tool-output-error", nil, true}, {"tool-output-available", model.Refusal, true},
		{"tool-output-available", map[string]any{"paid": 5}, false},
		{"tool-output-available", map[string]any{"error": strings.Repeat("x", 300) + model.Refusal}, true},
	} {
		if got := model.Denies(c.kind, c.output); got != c.want {
			t.Errorf("%s with %.40v: %t, want %t", c.kind, c.output, got, c.want)
		}
	}
}
