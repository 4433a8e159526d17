//go:build unix

package command

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
)

// oneMistake checks that a command line ends in time, with the code of a mistake and a short message that contains some
// words.
func oneMistake(t *testing.T, words string, args ...string) {
	t.Helper()
	r := within(t, 30*time.Second, args...)
	if r.Code != misuse || !strings.Contains(r.Errs, words) || len(r.Errs) > 2000 || strings.Contains(r.Errs, "SECRET") {
		t.Errorf("streamcert %s: exit code %d, %.300s; expected %q", strings.Join(args, " "), r.Code, r.Errs, words)
	}
}

// TestFlagsThatNameNoFile: a named file is read up to a limit, and a pipe or a device isn't waited for.
func TestFlagsThatNameNoFile(t *testing.T) {
	dir := t.TempDir()
	pipe, zeros := filepath.Join(dir, "pipe"), filepath.Join(dir, "zeros")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(zeros, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(zeros, 200<<20); err != nil {
		t.Fatal(err)
	}
	lists := filepath.Join(dir, "lists.yaml")
	if err := os.WriteFile(lists, []byte(strings.Repeat("- ", 50_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	certify := []string{"certify", "--target", "http://127.0.0.1:1", "--pack", "helix", "--out", filepath.Join(dir, "out")}
	configured := cmdtest.Write(t, "streamcert.yaml", "target: {url: 'http://127.0.0.1:1'}\nbaseline: "+pipe+"\n")
	for _, name := range []string{"--baseline", "--write-baseline", "--mutants"} {
		oneMistake(t, "is a pipe", append(certify, name, pipe)...)
		oneMistake(t, "is a device", append(certify, name, "/dev/zero")...)
		oneMistake(t, "larger than", append(certify, name, zeros)...)
	}
	oneMistake(t, "is a pipe", "certify", "--config", configured)
	oneMistake(t, "nested deeper", append(certify, "--baseline", lists)...)
	oneMistake(t, "larger than", "observe", "-d", "@"+zeros, "http://127.0.0.1:1/")
	if r := within(t, 200*time.Millisecond, "observe", "-d", "@"+pipe, "http://127.0.0.1:1/"); r.Code == 0 {
		t.Errorf("a body that never comes: %+v", r)
	}
}

// TestUntrustedWorkingCopies: a link of a working copy leads nowhere else, and special files are neither waited for nor
// read without end.
func TestUntrustedWorkingCopies(t *testing.T) {
	secret := cmdtest.Write(t, "secret", "KEY=SECRET\n")
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	for _, c := range []struct{ file, to, words string }{
		{"spec/aep/1-events.md", "/dev/zero", "escapes"},
		{"spec/aep/1-events.md", secret, "escapes"},
		{"spec/aep/1-events.md", "../../pipe", "is a pipe"},
		{"schemas/aep/pack.json", secret, "escapes"},
		{"features/aep/actions/asking.feature", "../../../../../" + secret, "escapes"},
	} {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(cmdtest.WorkingCopy(t), dir); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Skip(err)
		}
		file := filepath.Join(dir, filepath.FromSlash(c.file))
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(c.to, file); err != nil {
			t.Fatal(err)
		}
		oneMistake(t, c.words, "--dir", dir, "explain", "aep.*")
		oneMistake(t, c.words, "--dir", dir, "diff", "released", "--pack", "aep")
	}
}
