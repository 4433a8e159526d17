//go:build unix

package config

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/streamcert/streamcert/runner/files/yaml"
)

func TestReadFileRefuses(t *testing.T) {
	dir := t.TempDir()
	pipe, file, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{pipe: "is a pipe", "/dev/zero": "is a device", dir: "is a folder", filepath.Join(dir, "gone"): "there is no file"} {
		if _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", path, err, want)
		}
	}
	for _, path := range []string{file, link} {
		if text, err := ReadFile(path); err != nil || string(text) != "text" {
			t.Errorf("%s: got %q, %v", path, text, err)
		}
	}
	if err := os.Truncate(file, 8*yaml.MaxFile); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile(file); err == nil || !strings.HasSuffix(err.Error(), "file: the file is larger than 1048576 bytes") {
		t.Errorf("a large file: %v", err)
	}
}
