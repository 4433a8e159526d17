package merlin_test

import (
	"strings"
	"testing"
)

// TestMissingNamesWhatIsMissed: a stream that waits after a handoff lacks the text, and a finding says which.
func TestMissingNamesWhatIsMissed(t *testing.T) {
	err, _ := hear(t, world{version: 1, acts: `{"handoff":"x"},` + ab + `,{"await":"b"}`, came: []string{"gone"}})
	if err == nil || !strings.Contains(err.Error(), `want the text "ab"`) {
		t.Error(err)
	}
}
