package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// container is the result of the last stage of a Dockerfile: the root folder, and the settings to run it with.
type container struct {
	root, dir  string
	user       uint32
	entrypoint []string
}

// built performs the instructions of .github/Dockerfile without a container engine. context is the folder from which they
// copy; files of another stage are copied from this machine.
func built(t *testing.T, context string) container {
	t.Helper()
	c := container{root: t.TempDir()}
	if err := os.Chmod(c.root, 0o755); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(read(t, repositoryRoot, ".github", "Dockerfile")), "\\\n", " ")
	_, last, _ := strings.Cut(text, "\nFROM scratch\n")
	for line := range strings.Lines(strings.ReplaceAll(last, "${TARGETARCH}", runtime.GOARCH)) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		switch words[0] {
		case "ARG", "LABEL":
		case "COPY":
			c.copy(t, context, words[1:])
		case "USER":
			user, _, _ := strings.Cut(words[1], ":")
			id, err := strconv.ParseUint(user, 10, 32)
			if err != nil || id == 0 {
				t.Fatalf("USER %s: expected the number of a user who isn't root", words[1])
			}
			c.user = uint32(id)
		case "WORKDIR":
			c.dir = words[1]
			if err := os.MkdirAll(filepath.Join(c.root, c.dir), 0o755); err != nil {
				t.Fatal(err)
			}
		case "ENTRYPOINT":
			if err := json.Unmarshal([]byte(strings.TrimPrefix(line, "ENTRYPOINT ")), &c.entrypoint); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		default:
			t.Fatalf("this test doesn't know how to run %q", line)
		}
	}
	return c
}

// copy runs a COPY instruction. Of the modes and owners that it may name it knows those that the Dockerfile has.
func (c container) copy(t *testing.T, context string, words []string) {
	t.Helper()
	mode, owner := fs.FileMode(0o644), 0
	for ; strings.HasPrefix(words[0], "--"); words = words[1:] {
		switch name, value, _ := strings.Cut(words[0], "="); name {
		case "--from":
			context = "/"
		case "--chmod":
			n, err := strconv.ParseUint(value, 8, 32)
			if err != nil {
				t.Fatal(err)
			}
			mode = fs.FileMode(n)
		case "--chown":
			user, _, _ := strings.Cut(value, ":")
			n, err := strconv.Atoi(user)
			if err != nil {
				t.Fatal(err)
			}
			owner = n
		default:
			t.Fatalf("this test doesn't know COPY %s", words[0])
		}
	}
	from, to := filepath.Join(context, words[0]), filepath.Join(c.root, words[1])
	info, err := os.Stat(from)
	if errors.Is(err, fs.ErrNotExist) && context == "/" {
		t.Logf("left out, since this machine has none: %s", from)
		return
	}
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o755)
	}
	if err == nil && info.IsDir() {
		// The folders of the base are empty there, whatever this machine has in them.
		err = os.MkdirAll(to, 0o755)
	} else if err == nil {
		err = os.WriteFile(to, read(t, from), mode)
	}
	if err == nil {
		err = os.Chown(to, owner, owner)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestImageByHand: the files of the Dockerfile suffice for the program, which runs as its user and sees nothing else.
func TestImageByHand(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can change the root of a process, as a container has its own")
	}
	if testing.Short() {
		t.Skip("it builds the program")
	}
	context := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", filepath.Join(context, "dist", "bin", "linux_"+runtime.GOARCH, "streamcert"), "../streamcert")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c := built(t, context)
	if c.user == 0 || len(c.entrypoint) == 0 {
		t.Fatalf("the image has the user %d and the entry point %v", c.user, c.entrypoint)
	}
	for _, args := range [][]string{
		{"--version"},
		{"certify", "--reference", "--effort", "quick", "--pack", "merlin", "--out", "reports"},
	} {
		args = append(c.entrypoint, args...)
		run := &exec.Cmd{Path: args[0], Args: args, Dir: c.dir, Env: []string{}, SysProcAttr: &syscall.SysProcAttr{
			Chroot: c.root, Credential: &syscall.Credential{Uid: c.user, Gid: c.user},
		}}
		out, err := run.CombinedOutput()
		if err != nil && errors.Is(err, syscall.EPERM) {
			t.Skipf("this root may not change the root of a process: %v", err)
		}
		if err != nil {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
	if _, err := os.Stat(filepath.Join(c.root, c.dir, "reports", "report.json")); err != nil {
		t.Errorf("the reports: %v", err)
	}
}
