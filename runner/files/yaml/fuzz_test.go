package yaml_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/files/yaml"
)

// FuzzDecode: no text panics the parser, and a rejection is one line with an existing line number.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{"a: 1\nb: [x, {c: d}]\n", "- a\n- - b\n", "a: |\n  b\n\n  c\n", "\ufeff# a\r\na: 'b'\r\n", "---\na: 1\n---\n", "? a\n: b\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var into any
		err := yaml.Decode(text, &into)
		var at *yaml.Error
		if err == nil {
			return
		}
		if !errors.As(err, &at) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", text, err)
			return
		}
		if lines := strings.Count(string(text), "\n") + strings.Count(string(text), "\r") + 1; at.Line < 0 || at.Line > lines {
			t.Errorf("%q: line %d of %d", text, at.Line, lines)
		}
	})
}
