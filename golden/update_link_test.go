package golden_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/streamcert/streamcert/golden"
)

// TestWriteAllStaysInTheFolder: the working copy may come from an untrusted author.
func TestWriteAllStaysInTheFolder(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "toy")); err != nil {
		t.Skip(err)
	}
	file := golden.File{Transcripts: []golden.Transcript{{Name: "toy.a.b", Title: "A"}}}
	if changed, err := golden.WriteAll(dir, map[string]golden.File{"toy/a/a.txt": file}); err == nil {
		t.Errorf("%v was written", changed)
	}
	if found, _ := os.ReadDir(outside); len(found) > 0 {
		t.Errorf("outside there is %v", found)
	}
}
