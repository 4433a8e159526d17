//go:build unix

package command

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
)

// TestSaveKeepsWhatTheFileIs: a file that isn't regular is written into, a link stays one, and a file keeps its mode.
func TestSaveKeepsWhatTheFileIs(t *testing.T) {
	url, _ := aStream(t, true)
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(path("old"), []byte("what was there before, and longer than a line of what comes"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path("old"), 0o664); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link": "old", "dangling": "new", "null": os.DevNull} {
		if err := os.Symlink(to, path(link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(path("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	piped := make(chan []byte, 1)
	go func() {
		b, _ := os.ReadFile(path("pipe"))
		piped <- b
	}()
	for _, name := range []string{"old", "link", "dangling", "pipe", "null"} {
		before, err := os.Lstat(path(name))
		if err != nil {
			t.Fatal(err)
		}
		if r := observeURL(t, "", "--save", path(name), url); r.Code != 0 {
			t.Fatalf("%s: %+v", name, r)
		}
		after, err := os.Lstat(path(name))
		if err != nil || before.Mode() != after.Mode() {
			t.Fatalf("%s was %v and is %v, %v", name, before.Mode(), after.Mode(), err)
		}
	}
	if got := <-piped; !bytes.Contains(got, []byte("text_delta")) {
		t.Errorf("the reader of the pipe got %q", got)
	}
	for name, mode := range map[string]fs.FileMode{"old": 0o664, "new": 0o600} {
		info, err := os.Stat(path(name))
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", name, info, err)
		}
		if got, _ := os.ReadFile(path(name)); !bytes.Contains(got, []byte("text_delta")) || bytes.Contains(got, []byte("before")) {
			t.Errorf("%s holds %q", name, got)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 6 {
		t.Errorf("%d files are left: %v", len(left), left)
	}
}

// TestAFailureLeavesTheFileAsItWas: a capture of nothing replaces nothing.
func TestAFailureLeavesTheFileAsItWas(t *testing.T) {
	name := cmdtest.Write(t, "c.sse", "before")
	observeURL(t, "", "--save", name, closedAddress(t)).OneLine(t, failed, "connection refused")
	if got, _ := os.ReadFile(name); string(got) != "before" {
		t.Errorf("it holds %q", got)
	}
	observeURL(t, "", "--save", filepath.Dir(name), closedAddress(t)).OneLine(t, misuse, "--save", "folder")
}
