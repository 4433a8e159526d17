package release_test

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/release"
)

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.RemoveAll(name); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, name); err != nil {
		t.Skip(err)
	}
}

// TestLinksOfAWorkingCopy: a release contains nothing from outside of it, and is written nowhere else.
func TestLinksOfAWorkingCopy(t *testing.T) {
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret")
	for _, name := range []string{secret, filepath.Join(outside, "a.txt")} {
		if err := os.WriteFile(name, []byte("outside"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{
		"spec/README.md": secret, "spec/toy/CHANGELOG.md": secret, "golden/toy/a": outside, "spec/toy/releases": outside, "schemas": outside,
		"reference/tin/server.mjs": secret, "spec/toy/README.md": "CHANGELOG.md",
	} {
		dir := workingCopy(t)
		link(t, to, filepath.Join(dir, filepath.FromSlash(name)))
		if file, err := release.Write(dir, "toy", false); err == nil {
			t.Errorf("%s leads to %s, and %s was written", name, to, file)
		}
	}
	dir := workingCopy(t)
	if err := os.MkdirAll(filepath.Join(dir, "spec", "toy", "releases"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"1.2.3.tar.gz.new", ".1.2.3.tar.gz.new", "1.2.3.tar.gz"} {
		link(t, secret, filepath.Join(dir, "spec", "toy", "releases", name))
	}
	if _, err := release.Write(dir, "toy", true); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(secret); err != nil || string(text) != "outside" {
		t.Errorf("a file outside holds %.20q, %v", text, err)
	}
	if found, _ := os.ReadDir(outside); len(found) != 2 {
		t.Errorf("the folder outside holds %v", found)
	}
}

// packed writes the begin of an archive of n files that claim a size.
func packed(t *testing.T, n int, size int64) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "version.tar.gz")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	gz, _ := gzip.NewWriterLevel(f, gzip.BestSpeed)
	w := tar.NewWriter(gz)
	for i := range n {
		if err := w.WriteHeader(&tar.Header{Name: fmt.Sprintf("spec/%d", i), Mode: 0o644, Size: size, Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil && size == 0 {
		t.Fatal(err)
	}
	if err := gz.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestArchivesAreBounded(t *testing.T) {
	for want, name := range map[string]string{
		"more than 20000 files":           packed(t, 20_001, 0),
		"more than 64 MiB":                packed(t, 1, 65<<20),
		"spec/0: it is larger than 1 MiB": packed(t, 1, 2<<20),
	} {
		if _, err := (release.Opener{}).Open(context.Background(), name, "toy"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
}

// TestARevisionRunsNothing: reading a revision of an untrusted repository runs no program that its config names, and is
// limited like an archive.
func TestARevisionRunsNothing(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not on the PATH")
	}
	dir := workingCopy(t)
	ran := filepath.Join(t.TempDir(), "ran")
	run := "touch " + ran + "; cat"
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	if err := os.WriteFile(filepath.Join(dir, ".gitattributes"), []byte("* filter=bad\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-qm", "one")
	git("tag", "one")
	large := filepath.Join(dir, "large")
	if err := os.WriteFile(large, make([]byte, 8<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	object := git("hash-object", "-w", "--no-filters", large)
	add := []string{"update-index", "--add"}
	for i := range 33 {
		add = append(add, "--cacheinfo", fmt.Sprintf("100644,%s,spec/toy/%d", object, i))
	}
	git(add...)
	git("commit", "-qm", "two")
	for _, key := range []string{"filter.bad.smudge", "filter.bad.clean", "filter.bad.process", "tar.zip.command", "tar.tar.command", "core.fsmonitor", "core.pager", "diff.external"} {
		git("config", key, run)
	}
	source, err := release.Opener{Dir: dir}.Open(context.Background(), "one", "toy")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := fs.ReadFile(source.Files, "spec/toy/VERSION"); err != nil || string(text) != "1.2.3\n" {
		t.Errorf("VERSION holds %q, %v", text, err)
	}
	if _, err := (release.Opener{Dir: dir}).Open(context.Background(), "HEAD", "toy"); err == nil || !strings.Contains(err.Error(), "more than 64 MiB") {
		t.Errorf("files of 264 MiB: %v", err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program of the repository ran")
	}
}
