package model_test

import (
	"testing"

	"github.com/streamcert/streamcert/runner/model"
)

// TestViolationError: the error of a violation without values is its message.
func TestBreachError(t *testing.T) {
	for want, b := range map[string]*model.Breach{
		"chunk 3 is lost":                  model.Broken("r", "", "", "chunk %d is lost", 3),
		"a sequence: want 3, got 4":        model.Broken("r", "3", "4", "a sequence"),
		"a sequence: want nothing, got ":   model.Broken("r", "nothing", "", "a sequence"),
		"a sequence: want , got something": model.Broken("r", "", "something", "a sequence"),
	} {
		if got := b.Error(); got != want {
			t.Errorf("got %q, expected %q", got, want)
		}
	}
}
