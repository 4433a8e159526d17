//go:build unix

package files_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/streamcert/streamcert/runner/files"
)

func TestPipesAndDevices(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	link(t, "/dev/zero", filepath.Join(dir, "zero"))
	link(t, "pipe", filepath.Join(dir, "linked"))
	fsys, err := files.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pipe", "zero", "linked"} {
		if _, err := fs.ReadFile(fsys, name); err == nil {
			t.Errorf("in a folder: %s was read", name)
		}
	}
	for name, is := range map[string]string{"pipe": "pipe", "linked": "pipe", "zero": "device", ".": "folder"} {
		var irregular *files.IrregularError
		if _, err := files.ReadFile(filepath.Join(dir, name), 100); !errors.As(err, &irregular) || irregular.Is != is {
			t.Errorf("%s: %v, expected a %s", name, err, is)
		}
	}
	if _, err := files.ReadFile(filepath.Join(dir, "gone"), 100); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := files.Stream(ended, filepath.Join(dir, "pipe")); !errors.Is(err, context.Canceled) {
		t.Errorf("a pipe that nobody writes to: %v", err)
	}
}
