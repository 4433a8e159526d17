package model_test

import (
	"testing"

	"github.com/streamcert/streamcert/runner/model"
)

// TestViolationError: the error of a violation without values is its message.
func TestViolationError(t *testing.T) {
	for want, b := range map[string]*model.Violation{
		"chunk 3 is lost":                  model.Violated("r", "", "", "chunk %d is lost", 3),
		"a sequence: want 3, got 4":        model.Violated("r", "3", "4", "a sequence"),
		"a sequence: want nothing, got ":   model.Violated("r", "nothing", "", "a sequence"),
		"a sequence: want , got something": model.Violated("r", "", "something", "a sequence"),
	} {
		if got := b.Error(); got != want {
			t.Errorf("got %q, expected %q", got, want)
		}
	}
}
