package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/launch"
)

// routes is the folder of the chat routes of the AI SDK, with their versions.
const routes = repositoryRoot + "/runner/pack/helix-ui/interop/"

// npm runs npm in a folder. A failure is reported by fail.
func npm(t *testing.T, fail func(string, ...any), folder string, args ...string) {
	t.Helper()
	run := exec.CommandContext(t.Context(), "npm", append(args, "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=0")...)
	run.Dir = folder
	if out, err := run.CombinedOutput(); err != nil {
		fail("npm %s: %v\n%s", args[0], err, out)
	}
}

// packages packs the program of this system for npm, and returns the wrapper and the package of the platform.
func packages(t *testing.T) []string {
	t.Helper()
	root, err := filepath.Abs(repositoryRoot)
	if err != nil {
		t.Fatal(err)
	}
	there := t.TempDir()
	for _, name := range []string{versionFile, "LICENSE"} {
		put(t, there, name, string(read(t, root, name)))
	}
	b := binary{os: runtime.GOOS, arch: runtime.GOARCH}
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(there, "dist", "bin", b.os+"_"+b.arch, b.name()), "../streamcert")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	packed(t, there, "npm")
	names, err := filepath.Glob(filepath.Join(there, "dist", "npm", "*.tgz"))
	if err != nil || len(names) != 2 {
		t.Fatalf("packed %v, %v", names, err)
	}
	return names
}

// TestPublicNPM: in an empty folder, npm installs the packed wrapper without a registry, and npx runs it; with the AI SDK,
// npx certifies a chat route by the instructions of README.md.
func TestPublicNPM(t *testing.T) {
	if testing.Short() {
		t.Skip("it installs packages")
	}
	lack := t.Skipf
	if os.Getenv("STREAMCERT_REQUIRE_NPM") != "" {
		lack = t.Fatalf
	}
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			lack("there is no %s on the PATH; install Node 20 or newer with npm", program)
		}
	}
	install := append([]string{"install", "--offline"}, packages(t)...)
	empty := t.TempDir()
	npm(t, t.Fatalf, empty, install...)
	version := strings.TrimSpace(string(read(t, repositoryRoot, versionFile)))
	if code, out := npx(t, empty, "--version"); code != 0 || !strings.HasPrefix(out, "streamcert "+version+"\n") {
		t.Fatalf("exit code %d: %s", code, out)
	}
	if code, out := npx(t, empty, "certify", "--no-such-flag"); code != 2 {
		t.Errorf("a wrong call has the exit code %d: %s", code, out)
	}

	app := t.TempDir()
	for _, name := range []string{"v7/package.json", "v7/package-lock.json", "node.mjs", "model.mjs"} {
		put(t, app, filepath.Base(name), string(read(t, routes, name)))
	}
	// Only here a registry is needed.
	npm(t, lack, app, "ci", "--prefer-offline")
	npm(t, t.Fatalf, app, install...)
	npm(t, t.Fatalf, app, "pkg", "set", "scripts.dev=node node.mjs")
	_, block, _ := strings.Cut(string(read(t, repositoryRoot, "README.md")), "<!-- try: ai-sdk -->\n```\n")
	block, _, _ = strings.Cut(block, "```\n")
	port := freePort(t) // in place of the one that init writes
	for line := range strings.Lines(block) {
		args := strings.Fields(line)[1:]
		if args[0] == "certify" {
			args = append(args, "--out", "reports")
		}
		if code, out := npx(t, app, args...); code != 0 {
			t.Fatalf("%s ended with the exit code %d:\n%s", strings.TrimSpace(line), code, out)
		}
		put(t, app, "streamcert.yaml", strings.ReplaceAll(string(read(t, app, "streamcert.yaml")), "3000", port))
	}
	var report struct{ Summary struct{ Pass, Fail int } }
	if err := json.Unmarshal(read(t, app, "reports", "report.json"), &report); err != nil || report.Summary.Pass == 0 || report.Summary.Fail > 0 {
		t.Errorf("the report says %+v, %v", report.Summary, err)
	}
	t.Logf("certified: %+v", report.Summary)
}

// npx runs the installed program, and returns its exit code and output.
func npx(t *testing.T, folder string, args ...string) (int, string) {
	t.Helper()
	run := exec.CommandContext(t.Context(), "npx", append([]string{"--no-install", "streamcert"}, args...)...)
	run.Dir = folder
	out, err := run.CombinedOutput()
	if run.ProcessState == nil {
		t.Fatal(err)
	}
	return run.ProcessState.ExitCode(), string(out)
}

func freePort(t *testing.T) string {
	t.Helper()
	free, err := launch.FreeAddresses(1)
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := strings.Cut(free[0], ":")
	return port
}
