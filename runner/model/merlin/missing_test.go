package merlin_test

import (
	"errors"
	"strings"
	"testing"

	model "github.com/streamcert/streamcert/runner/model/merlin"
)

// TestMissingNamesWhatIsMissed: a stream that waits after a handoff lacks the text, and the finding names it.
func TestMissingNamesWhatIsMissed(t *testing.T) {
	err, _ := playWorld(t, world{version: 1, steps: `{"handoff":"x"},` + ab + `,{"await":"b"}`, came: []string{"gone"}})
	if err == nil || !strings.Contains(err.Error(), `want the text "ab"`) {
		t.Error(err)
	}
}

// TestWordsOfSteps: an operation on a step is described in words where a step is described.
func TestWordsOfSteps(t *testing.T) {
	err, _ := playWorld(t, world{version: 2, start: manager, steps: creates, came: []string{end}})
	if err == nil || !strings.Contains(err.Error(), `want the step "A" that was created`) {
		t.Error(err)
	}
}

// TestStoppedStreamsCite: attachments after the user has stopped break the rule of the stop, whatever was cited.
func TestStoppedStreamsCite(t *testing.T) {
	for acts, rule := range map[string]string{`{"stop":true}`: "merlin.failure.stopped", `{"usage":{"a":1}}`: "merlin.citations.none"} {
		var b *model.Violation
		if err, _ := playWorld(t, world{version: 1, steps: acts, came: []string{listed}}); !errors.As(err, &b) || b.Requirement != rule {
			t.Errorf("%s: %v, want %s", acts, err, rule)
		}
	}
}

// TestMissingNamesReasoning: reasoning is named as such, whether it is missed or comes instead.
func TestMissingNamesReasoning(t *testing.T) {
	acts := `{"delta":{"reasoning":{"index":0,"text":"hm"}}}`
	for came, names := range map[string]string{
		"gone": `want the reasoning "hm"`,
		`message {"content":"","type":"reasoning","index":0,"reasoning":"so"}`: `got the reasoning "so"`,
	} {
		if err, _ := playWorld(t, world{version: 2, steps: acts + `,{"await":"b"}`, came: []string{came}}); err == nil || !strings.Contains(err.Error(), names) {
			t.Errorf("%v, want %s", err, names)
		}
	}
}
