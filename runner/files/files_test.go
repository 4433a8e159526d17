package files_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/streamcert/streamcert/runner/files"
)

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skip(err)
	}
}

func TestOpenIsAFileSystem(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "spec", "a.md"), "a")
	write(t, filepath.Join(dir, "b.md"), "b")
	fsys, err := files.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(fsys, "spec/a.md", "b.md"); err != nil {
		t.Error(err)
	}
	if _, err := files.Open(filepath.Join(dir, "gone")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that isn't there: %v", err)
	}
}

// TestLinksStayInTheFolder: an untrusted working copy doesn't show files of the reader.
func TestLinksStayInTheFolder(t *testing.T) {
	above := t.TempDir()
	dir := filepath.Join(above, "copy")
	write(t, filepath.Join(above, "secret"), "outside")
	write(t, filepath.Join(dir, "inside"), "inside")
	link(t, "../secret", filepath.Join(dir, "out"))
	link(t, filepath.Join(above, "secret"), filepath.Join(dir, "absolute"))
	link(t, "..", filepath.Join(dir, "up"))
	link(t, "inside", filepath.Join(dir, "in"))
	fsys, err := files.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"out", "absolute", "up/secret", "../secret"} {
		if text, err := fs.ReadFile(fsys, name); err == nil {
			t.Errorf("%s was read: %s", name, text)
		} else if f, err := fsys.Open(name); err == nil {
			f.Close()
			t.Errorf("%s was opened", name)
		}
	}
	if text, err := fs.ReadFile(fsys, "in"); err != nil || string(text) != "inside" {
		t.Errorf("a link within the folder: %q, %v", text, err)
	}
}

func TestSizes(t *testing.T) {
	dir := t.TempDir()
	large, most := filepath.Join(dir, "large"), filepath.Join(dir, "most")
	for name, n := range map[string]int64{large: files.MostBytes + 1, most: files.MostBytes} {
		write(t, name, "")
		if err := os.Truncate(name, n); err != nil {
			t.Fatal(err)
		}
	}
	fsys, err := files.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var tooLarge *files.TooLargeError
	if _, err := fs.ReadFile(fsys, "large"); !errors.As(err, &tooLarge) || !strings.HasSuffix(err.Error(), "large: it is larger than 1 MiB") {
		t.Errorf("in a folder: %v", err)
	}
	if text, err := fs.ReadFile(fsys, "most"); err != nil || len(text) != files.MostBytes {
		t.Errorf("the most that may be: %d bytes, %v", len(text), err)
	}
	if _, err := files.ReadFile(large, files.MostBytes); !errors.As(err, &tooLarge) {
		t.Errorf("alone: %v", err)
	}
	if _, err := files.All(strings.NewReader("12345"), 4); !errors.As(err, &tooLarge) {
		t.Errorf("what is open: %v", err)
	}
	if text, err := files.All(strings.NewReader("1234"), 4); err != nil || string(text) != "1234" {
		t.Errorf("what just fits: %q, %v", text, err)
	}
}

func TestReplace(t *testing.T) {
	above := t.TempDir()
	dir, victim := filepath.Join(above, "copy"), filepath.Join(above, "victim")
	write(t, victim, "victim")
	write(t, filepath.Join(dir, "file"), "old")
	link(t, victim, filepath.Join(dir, ".file.new"))
	link(t, victim, filepath.Join(dir, "linked"))
	link(t, "..", filepath.Join(dir, "up"))
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, name := range []string{"file", "linked", "a/b/c"} {
		if err := files.Replace(root, name, []byte("new")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil || string(text) != "new" {
			t.Errorf("%s holds %q, %v", name, text, err)
		}
	}
	if err := files.Replace(root, "up/victim", []byte("new")); err == nil {
		t.Error("a file was written outside of the folder")
	}
	if text, _ := os.ReadFile(victim); !bytes.Equal(text, []byte("victim")) {
		t.Errorf("the victim holds %q", text)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*.new")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
