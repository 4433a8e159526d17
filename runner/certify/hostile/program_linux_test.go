package hostile_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
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
	mostProgramBytes = 250 << 20 // memory limit of the program for any server
	// programTimeout ends the runs against servers that send as much as they may in each scenario; by then every large
	// scenario has been replaced a few times.
	programTimeout = 30 * time.Second
	longestProgram = 2 * time.Minute // with the work after the timeout, on a busy machine
	drawnTimeout   = 3 * time.Second // of the runs of a tenth
)

// TestMemoryOfTheProgram runs the program as its users do, with a complete pack, against every hostile server: its memory
// is bounded, it ends, and reports and findings are on disk. Without STREAMCERT_SOAK a tenth of the servers is drawn, for
// seconds each.
func TestMemoryOfTheProgram(t *testing.T) {
	soak := os.Getenv("STREAMCERT_SOAK") != ""
	if testing.Short() && !soak {
		t.Skip("it builds the program")
	}
	program := filepath.Join(t.TempDir(), "streamcert")
	build := exec.Command("go", "build", "-o", program, "github.com/streamcert/streamcert/runner/cmd/streamcert")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range slices.Concat(hostileStreams(t), hostileControl(), hostileInfo(), padding()) {
		for from, spared := range map[string]string{"after the preflight": "-1", "from the start": ""} {
			if !soak && rand.IntN(10) > 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s %s", c.at, c.name, from), func(t *testing.T) {
				ref := reference.New(certifytest.Options())
				defer ref.Close()
				url := certifytest.Serve(t, c.behind(ref, spared))
				timeout := programTimeout
				if !soak {
					timeout, c.within = drawnTimeout, 0
				}
				c.runProgram(t, program, url, timeout)
			})
		}
	}
}

// runProgram runs the program against one server.
func (c hostileCase) runProgram(t *testing.T, program, url string, timeout time.Duration) {
	out := t.TempDir()
	cfg := certifytest.Config(url)
	config := fmt.Sprintf("target:\n  url: %s\nheaders:\n  Authorization: %s\ncontrol:\n  token: %s\ntiming:\n  heartbeat: %v\n",
		url, cfg.Headers["Authorization"], cfg.ControlToken, cfg.Timing.Heartbeat)
	file := filepath.Join(t.TempDir(), "streamcert.yaml")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "certify", "--config", file, "--pack", "helix", "--seed", "1", "--out", out)
	longest := longestProgram
	if c.within > 0 {
		longest = c.within
	} else {
		cmd.Args = append(cmd.Args, "--timeout", timeout.String())
	}
	began := time.Now()
	text, err := cmd.CombinedOutput()
	took := time.Since(began)
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() < 0) {
		t.Fatalf("%v\n%s", err, text)
	}
	code := cmd.ProcessState.ExitCode()
	usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	held := usage.Maxrss << 10 // Linux says it in KiB
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	t.Logf("%d MiB, %v, exit code %d, %.200s", held>>20, took.Round(100*time.Millisecond), code, lines[len(lines)-1])
	if held > mostProgramBytes {
		t.Errorf("it held %d MiB", held>>20)
	}
	if took > longest {
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

// padded is an answer that begins with something before each stream.
type padded struct {
	http.ResponseWriter
	padding string
}

func (w *padded) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *padded) WriteHeader(status int) {
	w.ResponseWriter.WriteHeader(status)
	if status == http.StatusOK {
		_, _ = w.ResponseWriter.Write([]byte(w.padding))
	}
}

// withheld is a response of which nothing is sent, or only its head, before the handler returns.
type withheld struct {
	http.ResponseWriter
	head          bool
	body          bytes.Buffer
	delayedStatus int // the status that is still to be sent
}

func (w *withheld) WriteHeader(status int) {
	if w.delayedStatus = status; w.head {
		w.ResponseWriter.WriteHeader(status)
		_ = http.NewResponseController(w.ResponseWriter).Flush()
	}
}

func (w *withheld) Write(p []byte) (int, error) { return w.body.Write(p) }

// Flush does nothing: that is the fault.
func (w *withheld) Flush() {}

func (w *withheld) release() {
	if w.delayedStatus != 0 && !w.head {
		w.ResponseWriter.WriteHeader(w.delayedStatus)
	}
	_, _ = w.body.WriteTo(w.ResponseWriter)
}

// padding are servers that answer as the reference does, and pad or withhold the response.
func padding() []hostileCase {
	noise := strings.Repeat("0123456789abcdef", 1<<16)
	before := func(text string) func(http.ResponseWriter) http.ResponseWriter {
		return func(w http.ResponseWriter) http.ResponseWriter { return &padded{w, text} }
	}
	return []hostileCase{
		{name: "headers of 48 KiB", at: everywhere, pads: func(w http.ResponseWriter) http.ResponseWriter {
			for i := range 6 {
				w.Header().Set(fmt.Sprintf("X-Padding-%d", i), noise[:8<<10])
			}
			return w
		}},
		{name: "a comment of 1 MiB before each stream", at: onStream, pads: before(":" + noise + "\n\n")},
		{name: "everything at the end", at: onStream, within: time.Minute, pads: func(w http.ResponseWriter) http.ResponseWriter { return &withheld{ResponseWriter: w} }},
		{name: "all frames at the end", at: onStream, within: time.Minute, pads: func(w http.ResponseWriter) http.ResponseWriter { return &withheld{ResponseWriter: w, head: true} }},
		{name: "a head and no frame", at: onStream, within: 30 * time.Second, answer: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			w.Header().Set("Cache-Control", "no-cache")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}},
		{name: "20,000 comments before each stream", at: onStream, pads: before(strings.Repeat(":"+noise[:40]+"\n\n", 20_000))},
	}
}

// behind returns the reference with a hostile handler at one path.
func (c hostileCase) behind(ref http.Handler, spared string) http.Handler {
	answer := c.answer
	if c.pads != nil {
		answer = func(w http.ResponseWriter, r *http.Request) {
			to := c.pads(w)
			ref.ServeHTTP(to, r)
			if held, ok := to.(*withheld); ok {
				held.release()
			}
		}
	}
	return hostile(ref, c.at, answer, spared)
}
