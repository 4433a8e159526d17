package hostile_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/report"
)

const (
	mostProgramBytes = 250 << 20 // that the program may hold at once, whatever a server does
	// programTimeout ends the runs against servers that send as much as they are allowed to in each scenario; by then
	// every scenario that holds much has been replaced a few times.
	programTimeout = 30 * time.Second
	longestProgram = 2 * time.Minute // with what comes after the timeout, on a busy machine
)

// TestMemoryOfTheProgram runs the program as its users do, with a whole pack, against every server that means harm:
// what it holds is bounded, it ends, and reports and findings are on disk.
func TestMemoryOfTheProgram(t *testing.T) {
	if os.Getenv("STREAMCERT_SOAK") == "" {
		t.Skip("a whole run against each server, which takes half an hour: make soak has it")
	}
	if runtime.GOOS != "linux" {
		t.Skip("what a process held at most is read as Linux says it")
	}
	program := filepath.Join(t.TempDir(), "streamcert")
	build := exec.Command("go", "build", "-o", program, "github.com/streamcert/streamcert/runner/cmd/streamcert")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range slices.Concat(hostileStreams(t), hostileControl(), hostileInfo(), padding()) {
		for from, spared := range map[string]string{"after the preflight": "-1", "from the start": ""} {
			t.Run(fmt.Sprintf("%s/%s %s", c.at, c.name, from), func(t *testing.T) {
				ref := reference.New(certifytest.Options())
				defer ref.Close()
				url := certifytest.Serve(t, c.behind(ref, spared))
				c.runProgram(t, program, url)
			})
		}
	}
}

// runProgram runs the program against one server.
func (c hostileCase) runProgram(t *testing.T, program, url string) {
	out := t.TempDir()
	cfg := certifytest.Config(url)
	config := fmt.Sprintf("target:\n  url: %s\nheaders:\n  Authorization: %s\ncontrol:\n  token: %s\nwithout: [replay]\ntiming:\n  heartbeat: %v\n",
		url, cfg.Headers["Authorization"], cfg.ControlToken, cfg.Timing.Heartbeat)
	file := filepath.Join(t.TempDir(), "streamcert.yaml")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "certify", "--config", file, "--pack", "helix", "--seed", "1", "--timeout", programTimeout.String(), "--out", out)
	began := time.Now()
	text, err := cmd.CombinedOutput()
	took := time.Since(began)
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() < 0) {
		t.Fatalf("%v\n%s", err, text)
	}
	code := cmd.ProcessState.ExitCode()
	usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	held := usage.Maxrss << 10
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	t.Logf("%d MiB, %v, exit code %d, %.200s", held>>20, took.Round(100*time.Millisecond), code, lines[len(lines)-1])
	if held > mostProgramBytes {
		t.Errorf("it held %d MiB", held>>20)
	}
	if took > longestProgram {
		t.Errorf("it took %v", took)
	}
	if code == 2 || strings.Contains(string(text), "goroutine ") {
		t.Errorf("exit code %d\n%s", code, text)
	}
	for _, name := range []string{report.JSONFile, report.HTMLFile, report.FindingsFile} {
		info, err := os.Stat(filepath.Join(out, name))
		if err != nil || code == 1 && info.Size() == 0 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

// padding are servers that answer as the reference does, and pad.
func padding() []hostileCase {
	noise := strings.Repeat("0123456789abcdef", 1<<16)
	fields := func(w http.ResponseWriter) {
		for i := range 30 {
			w.Header().Set(fmt.Sprintf("X-Padding-%d", i), noise[:8<<10])
		}
	}
	return []hostileCase{
		{name: "headers of 240 KiB", at: everywhere, before: fields},
		{name: "a comment of 1 MiB before each stream", at: onStream, before: func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/event-stream")
			w.Header().Set("Cache-Control", "no-cache")
			_, _ = w.Write([]byte(":" + noise + "\n\n"))
		}},
		{name: "20,000 comments before each stream", at: onStream, before: func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/event-stream")
			w.Header().Set("Cache-Control", "no-cache")
			_, _ = w.Write([]byte(strings.Repeat(":"+noise[:40]+"\n\n", 20_000)))
		}},
	}
}

// behind is the reference behind what a server does at its place.
func (c hostileCase) behind(ref http.Handler, spared string) http.Handler {
	if c.before == nil {
		return hostile(ref, c.at, c.answer, spared)
	}
	return hostile(ref, c.at, func(w http.ResponseWriter, r *http.Request) {
		c.before(w)
		ref.ServeHTTP(w, r)
	}, spared)
}
