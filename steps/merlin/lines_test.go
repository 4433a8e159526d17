package merlin_test

import (
	"io/fs"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/streamcert/streamcert/features"
)

// TestShortLines: a line of a scenario fits on a screen.
func TestShortLines(t *testing.T) {
	err := fs.WalkDir(features.FS, "merlin", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(features.FS, file)
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			if length := utf8.RuneCountInString(strings.TrimRight(line, "\n")); length > 160 {
				t.Errorf("features/%s:%d has %d characters, want at most 160", file, n, length)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
