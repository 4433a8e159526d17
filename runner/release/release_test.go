package release_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/streamcert/streamcert/runner/release"
)

// workingCopy returns a small one of a pack named toy.
func workingCopy(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"spec/README.md":                "[toy](toy/README.md)\n",
		"spec/toy/VERSION":              "1.2.3\n",
		"spec/toy/CHANGELOG.md":         "## 1.2.3\n",
		"spec/other/VERSION":            "9.0.0\n",
		"spec/doc.go":                   "package spec\n",
		"schemas/toy/pack.json":         "{}",
		"features/toy/a/a.feature":      "Feature: A\n",
		"golden/toy/a/a.txt":            "# toy.a.b · A\n",
		"reference/tin/streamcert.yaml": "packs: [toy]\n",
		"reference/tin/server.mjs":      "serve()\n",
		"reference/far/streamcert.yaml": "packs: [other]\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func files(t *testing.T, fsys fs.FS) []string {
	t.Helper()
	var out []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestWrite: a release contains one pack and its samples, has the same bytes each time, is never replaced by accident, and
// is found by its number and as the last one.
func TestWrite(t *testing.T) {
	dir := workingCopy(t)
	name, err := release.Write(dir, "toy", false)
	if err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := release.Write(dir, "toy", false); err == nil || !strings.Contains(err.Error(), "raise spec/toy/VERSION") {
		t.Errorf("a release was written twice: %v", err)
	}
	if _, err := release.Write(dir, "toy", true); err != nil {
		t.Error(err)
	}
	if again, err := os.ReadFile(name); err != nil || !bytes.Equal(first, again) {
		t.Errorf("the bytes of a release differ, %v", err)
	}
	spec := os.DirFS(filepath.Join(dir, "spec"))
	for _, called := range []string{"1.2.3", release.Latest, name} {
		source, err := release.Opener{Spec: spec}.Open(context.Background(), called, "toy")
		if err != nil {
			t.Fatalf("%s: %v", called, err)
		}
		want := []string{
			"features/toy/a/a.feature", "golden/toy/a/a.txt", "reference/tin/server.mjs", "reference/tin/streamcert.yaml",
			"schemas/toy/pack.json", "spec/README.md", "spec/toy/CHANGELOG.md", "spec/toy/VERSION",
		}
		if got := files(t, source.Files); !slices.Equal(got, want) {
			t.Errorf("%s holds %q, want %q", called, got, want)
		}
	}
	var missing *release.MissingError
	if _, err := (release.Opener{Spec: spec}).Open(context.Background(), "1.2.4", "toy"); !errors.As(err, &missing) || !strings.Contains(err.Error(), "1.2.3") {
		t.Errorf("a release that isn't there: %v", err)
	}
	if _, err := (release.Opener{Spec: spec}).Open(context.Background(), release.Latest, "other"); !errors.As(err, &missing) {
		t.Errorf("a pack without a release: %v", err)
	}
}

func TestVersions(t *testing.T) {
	spec := fstest.MapFS{
		"toy/releases/0.10.0.tar.gz": {}, "toy/releases/0.9.1.tar.gz": {}, "toy/releases/notes.txt": {}, "toy/releases/new.tar.gz": {},
	}
	if got := release.Versions(spec, "toy"); !slices.Equal(got, []string{"0.9.1", "0.10.0"}) {
		t.Errorf("got %q", got)
	}
}

// TestBrokenArchives: a truncated, changed or wrong file is an error that names the file, and never a version.
func TestBrokenArchives(t *testing.T) {
	dir := workingCopy(t)
	name, err := release.Write(dir, "toy", false)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Clone(whole)
	changed[len(changed)-6] ^= 1 // of the checksum
	for what, data := range map[string][]byte{"empty": nil, "cut": whole[:len(whole)/2], "text": []byte("hello"), "changed": changed} {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := release.Opener{Spec: os.DirFS(filepath.Join(dir, "spec"))}.Open(context.Background(), "1.2.3", "toy")
		if err == nil || !strings.Contains(err.Error(), "spec/toy/releases/1.2.3.tar.gz") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestRevision: a revision is read from git, and the files of the working copy stay as they are.
func TestRevision(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git on the PATH")
	}
	dir := workingCopy(t)
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", "a"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v %s", args, err, out)
		}
	}
	version := filepath.Join(dir, "spec", "toy", "VERSION")
	if err := os.WriteFile(version, []byte("2.0.0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	open := release.Opener{Dir: dir, Spec: os.DirFS(filepath.Join(dir, "spec"))}
	source, err := open.Open(context.Background(), "HEAD", "toy")
	if err != nil {
		t.Fatal(err)
	}
	if got := release.Number(source.Files, "toy"); got != "1.2.3" {
		t.Errorf("the revision has version %q", got)
	}
	if text, _ := os.ReadFile(version); string(text) != "2.0.0\n" {
		t.Errorf("the working copy has %q", text)
	}
	for _, name := range []string{"nowhere", "--output=x"} {
		if _, err := open.Open(context.Background(), name, "toy"); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFolderNeedsItsParts(t *testing.T) {
	if _, err := release.Folder(t.TempDir()); err == nil || !strings.Contains(err.Error(), "there is no folder spec") {
		t.Errorf("got %v", err)
	}
	dir := workingCopy(t)
	if err := os.WriteFile(filepath.Join(dir, "spec", "toy", "VERSION"), []byte("soon\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := release.Write(dir, "toy", false); err == nil || !strings.Contains(err.Error(), `holds "soon"`) {
		t.Errorf("got %v", err)
	}
}

func TestSharedVersion(t *testing.T) {
	joined := release.Joined{"spec": fstest.MapFS{"VERSION": {Data: []byte("0.3.0\n")}}}
	if got := release.Number(joined, "toy"); got != "0.3.0" {
		t.Errorf("got %q", got)
	}
	if _, err := joined.Open("golden/toy"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
