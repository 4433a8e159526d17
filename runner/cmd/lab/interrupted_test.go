//go:build unix

package lab

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
	"github.com/streamcert/streamcert/runner/cmd/servers"
	"github.com/streamcert/streamcert/runner/report"
)

const (
	// longestEnd limits the time of a command to end once it is interrupted, on an idle machine.
	longestEnd = 2 * time.Second
	// busyEnd is that on a machine that is busy with other tests.
	busyEnd = 10 * time.Second
	// latestMoment is the last one for commands that go on.
	latestMoment = 3 * time.Second
)

// interruption is a command line of something that takes long.
type interruption struct {
	name string
	line []string
	// needs makes the last arguments of a line, if that takes a while; nil without any.
	needs func(*testing.T) []string
	// reports: the line takes --out, and has to leave its reports there.
	reports bool
	// meets asks something of the server that the command has started.
	meets func(ctx context.Context, url string)
}

// TestAnyMomentIsOneToEndAt interrupts every command that may take more than a second, at drawn moments, while something
// hostile keeps it busy. Each ends within two seconds, and certify with its reports. The soak draws fifty moments for each;
// without it some commands are drawn.
func TestAnyMomentIsOneToEndAt(t *testing.T) {
	moments, all := 1, interruptions(t)
	soak := os.Getenv("STREAMCERT_SOAK") != ""
	if soak {
		moments = 50
	} else {
		rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:4]
	}
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.needs != nil {
				c.line = append(c.line, c.needs(t)...)
			}
			run, _ := c.until(t, latestMoment)
			var longest time.Duration
			for range moments {
				longest = max(longest, c.interruptedAt(t, rand.N(run), soak))
			}
			t.Logf("%s: of a run of %v, %d moments; it ended at most %v after one", c.name, run.Round(time.Millisecond), moments, longest.Round(time.Millisecond))
		})
	}
}

// TestTimeoutIsStored: --timeout ends a command as an interrupt does.
func TestTimeoutIsStored(t *testing.T) {
	soak := os.Getenv("STREAMCERT_SOAK") != ""
	var all []interruption
	for _, c := range interruptions(t) {
		if c.reports {
			all = append(all, c)
		}
	}
	if !soak {
		all = []interruption{all[rand.IntN(len(all))]}
	}
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			const timeout = 1500 * time.Millisecond
			var dir string
			var cmd *exec.Cmd
			var text []byte
			var over time.Duration
			for range 3 { // the machine may have been busy
				began := time.Now()
				_ = program(append(c.line, "--list", "--timeout", timeout.String())...).Run() // a pack that can't be loaded in time has no list
				loading := time.Since(began)                                                  // comes before the run
				dir, began = t.TempDir(), time.Now()
				cmd = program(append(c.line, "--out", dir, "--timeout", timeout.String())...)
				text, _ = cmd.CombinedOutput() // its exit code is looked at below
				if over = time.Since(began) - loading - timeout; over <= allowed(soak) {
					break
				}
			}
			if t.Logf("%s: it ended %v after its timeout", c.name, over.Round(time.Millisecond)); over > allowed(soak) {
				t.Errorf("it ended %v after its timeout:\n%.500s", over, text)
			}
			c.left(t, dir, cmd.ProcessState.ExitCode(), string(text))
		})
	}
}

func allowed(soak bool) time.Duration {
	if soak {
		return longestEnd
	}
	return busyEnd
}

// interruptedAt runs the command, interrupts it at a moment, and returns how long it took to end. One that takes too long
// is tried twice more: the machine may have been busy.
func (c interruption) interruptedAt(t *testing.T, moment time.Duration, soak bool) (took time.Duration) {
	t.Helper()
	for range 3 {
		if _, took = c.until(t, moment); took <= allowed(soak) {
			return took
		}
	}
	t.Errorf("interrupted after %v, it takes %v to end: %s", moment, took, strings.Join(c.line, " "))
	return took
}

// until runs the command, interrupts it at a moment, and returns how long it ran before and after.
func (c interruption) until(t *testing.T, moment time.Duration) (before, after time.Duration) {
	t.Helper()
	began := time.Now()
	line, dir := c.line, ""
	if c.reports {
		dir = t.TempDir()
		line = append(line[:len(line):len(line)], "--out", dir)
	}
	cmd := program(line...)
	var said output
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	nothing, never, err := os.Pipe() // a standard input without a writer
	if err != nil {
		t.Fatal(err)
	}
	defer never.Close()
	defer nothing.Close()
	cmd.Stdin = nothing
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	read := make(chan struct{})
	go func() {
		defer close(read)
		lines := bufio.NewReader(out)
		if c.meets != nil {
			if url, err := lines.ReadString('\n'); err == nil {
				go c.meets(ctx, strings.TrimSpace(url))
			}
		}
		_, _ = io.Copy(io.Discard, lines)
	}()
	ended := make(chan error, 1)
	go func() { <-read; ended <- cmd.Wait() }()
	select {
	case <-ended: // before the moment
		return time.Since(began), 0
	case <-time.After(moment):
	}
	interrupted := time.Now()
	_ = cmd.Process.Signal(os.Interrupt)
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		_ = cmd.Process.Signal(syscall.SIGQUIT) // prints its goroutines
		<-ended
		t.Fatalf("interrupted after %v, it goes on: %s\n%.3000s", moment, strings.Join(line, " "), said.String())
	}
	before, after = interrupted.Sub(began), time.Since(interrupted)
	code := cmd.ProcessState.ExitCode()
	if code == misuse || code < 0 && !unready(cmd.ProcessState) {
		t.Errorf("interrupted after %v, it ends with %v: %.2000s", moment, cmd.ProcessState, said.String())
	}
	if c.reports && code >= 0 {
		c.left(t, dir, code, said.String())
	}
	return before, after
}

// unready reports whether a process ended by an interrupt for which it had no handler yet: it had done nothing.
func unready(p *os.ProcessState) bool {
	status, ok := p.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGINT
}

// left checks the files of a run in its folder: reports, unless it ended before it began.
func (c interruption) left(t *testing.T, dir string, code int, said string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, report.FindingsFile)); errors.Is(err, os.ErrNotExist) {
		return
	}
	if _, err := os.Stat(filepath.Join(dir, report.JSONFile)); err != nil || code == 0 {
		t.Errorf("it leaves no report, and ends with %d: %v: %.2000s", code, err, said)
	}
}

// output collects the output of a process, and may be read while the process writes.
type output struct{ bytes.Buffer }

// interruptions lists the commands, each with work that takes long.
func interruptions(t *testing.T) []interruption {
	dir := t.TempDir()
	in := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	recording := in("recording.sse", strings.Repeat(laborious(400_000), 3))
	laborious, drips, floods, pads := besieging(t, once(laborious(100_000))), besieging(t, dripping), besieging(t, flooding), padding(t)
	silent := served(t, io.NopCloser(nil), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // else the server doesn't notice that the client hangs up
		<-r.Context().Done()
	}))
	stalling := "redis://" + stalled(t)
	crowded := crowdedCopy(t)
	stream := "/streams/s/events"
	out := []interruption{
		{name: "check", line: []string{"check", "--pack", "helix", recording}},
		{name: "check of a pipe", line: []string{"check", pipe}},
		{name: "check of standard input", line: []string{"check", "-"}},
		{name: "view", line: []string{"view", recording}},
		{name: "view of a pipe", line: []string{"view", "--follow", pipe}},
		{name: "view of drips", line: []string{"view", "--follow", drips + stream}},
		{name: "verify", line: []string{"verify"}, needs: laboriousReport},
		{name: "verify of what is large", line: []string{"verify"}, needs: heavyReport},
		{name: "compare", line: []string{"compare", "--page", filepath.Join(dir, "page.html"), "--force"}, needs: twoReports},
		{name: "observe", line: []string{"observe", laborious + stream}},
		{name: "observe of floods", line: []string{"observe", "--sweep", floods + stream}},
		{name: "observe of drips", line: []string{"observe", "--sweep", drips + stream}},
		{name: "observe with a body from a pipe", line: []string{"observe", "-d", "@" + pipe, drips + stream}},
		{name: "probe", line: []string{"probe", "--target", laborious, "--pack", "helix"}},
		{name: "probe of silence", line: []string{"probe", "--target", silent}},
		{name: "serve with stalled readers", line: []string{"serve"}, meets: stall},
		{name: "serve with a slow model", line: []string{"serve", "--model", silent + "/v1"}, meets: chat},
		{name: "serve over a store that stalls", line: []string{"serve", "--store", stalling}},
		{name: "explain", line: []string{"explain", "--dir", crowded, "*"}},
		{name: "steps", line: []string{"steps", "--dir", crowded}},
		{name: "spec build", line: []string{"spec", "build", "--dir", crowded, "--out", filepath.Join(dir, "site")}},
		{name: "diff", line: []string{"diff", "--dir", crowded, "released"}},
		{name: "diff of a revision", line: []string{"diff", "--dir", cmdtest.Repository, "HEAD"}},
		{name: "lint", line: []string{"lint", "--dir", crowded}},
		{name: "golden", line: []string{"golden", "--check", "--dir", crowded}},
		{name: "derived", line: []string{"derived", "--check", "--dir", crowded}},
		{name: "release", line: []string{"release", "--force", "--dir", crowded}},
		{name: "mutants", line: []string{"mutants", "--pack", "helix"}},
		{name: "mutants by campaigns", line: []string{"mutants", "--deep", "--pack", "aep"}},
		{name: "variants", line: []string{"variants", "--pack", "aep"}},
		{name: "idle", line: []string{"idle", "--pack", "merlin"}},
	}
	certify := func(name string, args ...string) {
		out = append(out, interruption{name: "certify " + name, line: append([]string{"certify", "--seed", "1"}, args...), reports: true})
	}
	certify("of what is laborious", "--target", laborious, "--pack", "helix", "--only", "helix.wire.*")
	certify("of drips", "--target", drips, "--pack", "helix")
	certify("of floods", "--target", floods, "--pack", "helix")
	certify("of silence", "--target", silent)
	certify("of padding", "--config", in("padded.yaml", "target:\n  url: "+pads+"\nheaders:\n  X-Key: '"+strings.Repeat(`\`, 24)+"'\n"), "--pack", "helix")
	certify("of a store that stalls", "--reference", "--store", stalling)
	certify("of a copy that is crowded", "--reference", "--dir", crowded)
	certify("by campaigns", "--reference", "--effort", "thorough")
	certify("of a server that is deaf", "--config", in("deaf.yaml", deaf(t, "sleep 1000")), "--pack", "helix")
	certify("of a deaf server that serves", "--config", in("serving.yaml", deaf(t, fmt.Sprintf("%s=yes %s serve --listen $ADDRESS", programEnv, os.Args[0]))), "--pack", "helix")
	return out
}

// laborious returns a frame that takes whatever reads it seconds: a patch of n operations.
func laborious(n int) string {
	const operation = `{"op":"add","path":"/a/0","value":1}`
	return `id: 1` + "\n" + `data: {"type":"chunk","sequence":1,"chunk":{"type":"state_patch","agentId":"r","timestamp":1702329600000,"patches":[{"op":"add","path":"/a","value":[]},` +
		strings.Repeat(operation+",", n-1) + operation + "]}}\n\n"
}

func eventStream(w http.ResponseWriter) { w.Header().Set("Content-Type", "text/event-stream") }

func once(frame string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		eventStream(w)
		_, _ = io.WriteString(w, frame)
	}
}

// dripping sends a byte of a comment a while.
func dripping(w http.ResponseWriter, r *http.Request) {
	eventStream(w)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for _, err := io.WriteString(w, ":"); err == nil; _, err = io.WriteString(w, "x") {
		_ = http.NewResponseController(w).Flush()
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return
		}
	}
}

// flooding sends frames without an end.
func flooding(w http.ResponseWriter, _ *http.Request) {
	eventStream(w)
	frames := strings.Repeat("id: 1\ndata: {\"type\":\"ping\"}\n\n", 1000)
	for _, err := io.WriteString(w, frames); err == nil; _, err = io.WriteString(w, frames) {
	}
}

// besieging serves a reference whose streams are answered by something else, and returns its URL.
func besieging(t *testing.T, events http.HandlerFunc) string {
	h := cmdtest.Mutant(t, "says-done")
	return served(t, closing{h}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/events") {
			events(w, r)
			return
		}
		h.ServeHTTP(w, r)
	}))
}

// padding serves a reference that puts a mebibyte of backslashes before each stream.
func padding(t *testing.T) string {
	h := cmdtest.Mutant(t, "says-done")
	comment := ":" + strings.Repeat(`\`, 1<<20) + "\n\n"
	return served(t, closing{h}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/events") {
			eventStream(w)
			_, _ = io.WriteString(w, comment)
		}
		h.ServeHTTP(w, r)
	}))
}

// closing is a server whose end is never an error.
type closing struct{ servers.Server }

func (c closing) Close() error {
	c.Server.Close()
	return nil
}

// served serves until the test ends; streams that are open then are closed.
func served(t *testing.T, of io.Closer, h http.Handler) string {
	server := httptest.NewUnstartedServer(h)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(func() { _ = of.Close(); server.CloseClientConnections(); server.Close() })
	return server.URL
}

// stalled returns the address of a server that takes connections and sends nothing.
func stalled(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(io.Discard, c) }()
		}
	}()
	return l.Addr().String()
}

// post sends a body to a server that a command has started.
func post(ctx context.Context, url, body string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	return http.DefaultClient.Do(r)
}

// stall opens streams and reads none, and leaves a request without its end.
func stall(ctx context.Context, url string) {
	address := strings.TrimPrefix(url, "http://")
	for i := range 20 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			return
		}
		context.AfterFunc(ctx, func() { _ = c.Close() })
		path := fmt.Sprintf("/streams/s-%d/events", i)
		if i%2 == 0 {
			_, _ = fmt.Fprintf(c, "POST /streams/s/writers HTTP/1.1\r\nHost: %s\r\nContent-Length: 1000\r\n\r\n{", address)
		} else {
			_, _ = fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, address)
		}
	}
}

// chat sends a request that only the model can answer.
func chat(ctx context.Context, url string) {
	for _, path := range []string{"/chat", "/merlin"} {
		if resp, err := post(ctx, url+path, `{"messages":[{"role":"user","content":"hello"}],"message":"hello"}`); err == nil {
			_ = resp.Body.Close()
		}
	}
}

// deaf returns the config of a server that a shell starts, which ignores requests to end.
func deaf(t *testing.T, command string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_ = l.Close()
	return fmt.Sprintf("target: {url: 'http://%s'}\nlaunch:\n  env: {ADDRESS: '%s'}\n  command: 'trap \"\" TERM INT; while :; do %s; sleep 1; done'\n", address, address, command)
}

// heavyReport returns the largest report that a run writes: of a server that pads everything.
func heavyReport(t *testing.T) []string {
	dir := t.TempDir()
	streamcert(t, "", "certify", "--target", padding(t), "--pack", "helix", "--only", "helix.wire.*", "--only", "helix.resume.*", "--seed", "1", "--out", dir)
	return []string{filepath.Join(dir, report.JSONFile)}
}

func twoReports(t *testing.T) []string { return append(heavyReport(t), heavyReport(t)...) }

// laboriousReport returns a report whose frames take long to judge.
func laboriousReport(t *testing.T) []string {
	dir := t.TempDir()
	streamcert(t, "", "certify", "--target", cmdtest.Broken(t, "inclusive-resume"), "--only", "helix.resume.after-cursor", "--seed", "1", "--out", dir)
	f, err := os.Open(filepath.Join(dir, report.JSONFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := report.ReadJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Scenarios {
		for j := range r.Scenarios[i].Exchanges {
			r.Scenarios[i].Exchanges[j].Frames = report.NewBody([]byte(laborious(200_000)))
		}
	}
	var b strings.Builder
	if err := report.WriteJSON(&b, r); err != nil {
		t.Fatal(err)
	}
	return []string{cmdtest.Write(t, "report.json", b.String())}
}

// crowdedCopy returns a working copy with files as large as they may be, which take whatever parses them long.
func crowdedCopy(t *testing.T) string {
	dir := cmdtest.WorkingCopy(t)
	for name, text := range hostileTexts() {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// hostileTexts are files of a working copy, each the text of a format that takes long.
func hostileTexts() map[string]string {
	const most = 1 << 20
	var scenarios strings.Builder
	scenarios.WriteString("@aep.events.sequence\nFeature: x\n")
	for i := 0; scenarios.Len() < most-100; i++ {
		fmt.Fprintf(&scenarios, "  Scenario: y%d\n    Given a\n", i)
	}
	return map[string]string{
		"spec/aep/90-brackets.md":           "# More\n\n" + strings.Repeat("[a](b ", most/6-10),
		"spec/aep/91-quotes.md":             "# More\n\n" + strings.Repeat(strings.Repeat("> ", 99)+"a\n\n", most/210),
		"features/aep/actions/more.feature": scenarios.String(),
		"golden/aep/actions/more.txt":       "# x\n" + strings.Repeat("== a\n> GET /x\n< 200\n", most/20-10),
	}
}
