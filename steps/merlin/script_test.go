package merlin_test

import (
	"testing"

	"github.com/streamcert/streamcert/steps/merlin"
)

// TestScript: the lines of a script are the members of a request, and consecutive lines of one sub-agent are one instruction.
func TestScript(t *testing.T) {
	for _, c := range []struct{ text, start, instructions string }{
		{"the global index is 3\nthe model sends the text \"\\ud83d\" of index 0", `"globalIndex":3`, `[{"delta":{"content":"\ud83d","index":0}}]`},
		{
			"the sub-agent 0 sends the text \"a\"\nthe sub-agent 0 sends the text \"b\"\nthe sub-agent 1 sends the text \"c\"", "",
			`[{"subagent":{"acts":[{"delta":{"content":"a"}},{"delta":{"content":"b"}}],"index":0}},{"subagent":{"acts":[{"delta":{"content":"c"}}],"index":1}}]`,
		},
		{"the application tags the step \"a, b\" with \"c, d\", \"e\"", "", `[{"progress":{"do":"tags","step":"a, b","tags":["c, d","e"]}}]`},
	} {
		start, instructions, err := merlin.Script(c.text)
		if err != nil || string(start) != c.start || string(instructions) != c.instructions {
			t.Errorf("%s: %s, %s, %v", c.text, start, instructions, err)
		}
	}
}

// TestScriptOfNoLine: a line that is none, or is followed by more, is refused.
func TestScriptOfNoLine(t *testing.T) {
	for _, text := range []string{
		`the model dreams`, `the model sends the text a`, `the model sends the text "a" twice`, `the model uses 3 tokens and 4 more`,
		`the model calls find`, `the sub-agent 0 sends a letter`, `the application adds "a" to the step "b"`,
		`the application tags the step "a" with b`,
	} {
		if start, instructions, err := merlin.Script(text); err == nil {
			t.Errorf("%q is read as %s, %s", text, start, instructions)
		}
	}
}
