package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// unpacked returns a folder with the content of a package, as npm unpacks it.
func unpacked(t *testing.T, name string) string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(read(t, name)))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return filepath.Join(folder, "package")
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		put(t, folder, h.Name, string(text))
		if err := os.Chmod(filepath.Join(folder, h.Name), h.FileInfo().Mode()); err != nil {
			t.Fatal(err)
		}
	}
}

// wrapper unpacks the wrapper's script, and a stand-in for the binary of this platform next to it if there is one.
func wrapper(t *testing.T, binary string) string {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("the wrapper runs on Node, which isn't on the PATH")
	}
	root := checkout(t, text, "linux_amd64")
	packed(t, root, "npm")
	folder := unpacked(t, filepath.Join(root, "dist", "npm", "streamcert-1.2.3.tgz"))
	if binary != "" {
		node := platforms[runtime.GOOS+"_"+runtime.GOARCH]
		put(t, folder, "node_modules/@streamcert/"+node[0]+"-"+node[1]+"/bin/streamcert", binary)
		if err := os.Chmod(filepath.Join(folder, "node_modules/@streamcert", node[0]+"-"+node[1], "bin/streamcert"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, "bin", "streamcert.js")
}

// TestWrapperWithoutBinary: on a platform without a package, and where npm left the package out, the wrapper prints one
// line with the platform and a remedy.
func TestWrapperWithoutBinary(t *testing.T) {
	script := wrapper(t, "")
	for platform, want := range map[string]string{
		"sunos-x64":   "there is no package for sunos-x64: build it by `go install github.com/streamcert/streamcert/runner/cmd/streamcert@v1.2.3`",
		"linux-s390x": "there is no package for linux-s390x: ",
		"win32-x64":   "@streamcert/win32-x64 is not installed: install it by `npm install @streamcert/win32-x64@1.2.3`",
	} {
		system, arch, _ := strings.Cut(platform, "-")
		preload := filepath.Join(t.TempDir(), "platform.js")
		put(t, "", preload, "for (const [name, value] of [['platform', '"+system+"'], ['arch', '"+arch+"']]) Object.defineProperty(process, name, { value });\n")
		out, err := exec.CommandContext(t.Context(), "node", "--require", preload, script, "--version").CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.HasPrefix(string(out), "streamcert: "+want) || strings.Count(string(out), "\n") != 1 {
			t.Errorf("%s: %v: %s", platform, err, out)
		}
	}
}

// standIn plays the binary for TestWrapper.
const standIn = `#!/usr/bin/env node
const words = process.argv.slice(2);
if (words[0] === 'wait') {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => { console.log(signal); process.exitCode = 7; clearTimeout(waiting); });
  const waiting = setTimeout(() => {}, 20000); // so that a signal that is lost fails
  console.log('ready');
} else if (words[0] === 'die') {
  process.kill(process.pid, 'SIGKILL');
} else {
  process.exitCode = 5;
  process.stdin.on('data', (text) => console.log(JSON.stringify([...words, String(text)])));
}
`

// TestWrapper: arguments, standard input and output, exit code and signals pass through the wrapper.
func TestWrapper(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in for the binary is a script, which Windows doesn't start")
	}
	script := wrapper(t, standIn)
	run := exec.CommandContext(t.Context(), "node", script, "two words", "-x")
	run.Stdin = strings.NewReader("input")
	if out, err := run.Output(); run.ProcessState.ExitCode() != 5 || string(out) != `["two words","-x","input"]`+"\n" {
		t.Errorf("%v: %s", err, out)
	}
	run = exec.CommandContext(t.Context(), "node", script, "die")
	if err := run.Run(); run.ProcessState.ExitCode() != 128+9 {
		t.Errorf("killed: %v", err)
	}
	for signal, name := range map[os.Signal]string{os.Interrupt: "SIGINT", syscall.SIGTERM: "SIGTERM"} {
		run = exec.CommandContext(t.Context(), "node", script, "wait")
		output, err := run.StdoutPipe()
		if err == nil {
			err = run.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(output, make([]byte, len("ready\n"))); err != nil {
			t.Fatal(err)
		}
		if err := run.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if rest, err := io.ReadAll(output); err != nil || string(rest) != name+"\n" {
			t.Errorf("%s: %v: %q", signal, err, rest)
		}
		if err := run.Wait(); run.ProcessState.ExitCode() != 7 {
			t.Errorf("%s: %v", signal, err)
		}
	}
}
