package reference_test

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/reference"
)

// goFolders counts the Go files by folder.
func goFolders(t *testing.T, fsys fs.FS) map[string]int {
	t.Helper()
	out := map[string]int{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && path.Ext(name) == ".go" {
			out[path.Dir(name)]++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSourcesAreOfTheServer: the embedded sources are those of the reference, all of them, and of no altered server.
func TestSourcesAreOfTheServer(t *testing.T) {
	want := goFolders(t, os.DirFS("."))
	for folder := range want {
		switch first, _, _ := strings.Cut(folder, "/"); first {
		case "alter", "idle", "mutant", "variant":
			delete(want, folder)
		}
	}
	if diff := cmp.Diff(want, goFolders(t, reference.FS)); diff != "" {
		t.Errorf("the sources (-want +got):\n%s", diff)
	}
}
