package helixui

import (
	"encoding/json"
	"testing"

	"github.com/streamcert/streamcert/runner/target"
)

// TestFailureNamesWordsOfOthers: a failure names the first word of a response that its script doesn't have.
func TestFailureNamesWordsOfOthers(t *testing.T) {
	script := []json.RawMessage{[]byte(`{"text":"One. "}`), []byte(`{"text":"Two."}`)}
	for _, c := range []struct {
		name   string
		script []json.RawMessage
		deltas []string
		want   string
	}{
		{"its own text", script, []string{"One.", "Two."}, "the response"},
		{"cut in a word", script, []string{"ne.T", "wo."}, "the response"},
		{"another chat's", script, []string{"7 wor", "ds"}, `the response, with the word "words", which its script doesn't have`},
		{"without a script", nil, []string{"7 words"}, "the response"},
	} {
		u := &turn{reader: &target.Reader{}, script: c.script}
		for _, d := range c.deltas {
			u.parts = append(u.parts, &part{kind: "text-delta", value: map[string]any{"delta": d}})
		}
		if got := u.failure("", "", nil).Message; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
