package command

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
)

// servesEnv is the address at which TestServes serves, in a process that a test
// launched.
const servesEnv = "STREAMCERT_TEST_SERVES"

// TestServes is no test: a launched process that serves the reference.
func TestServes(t *testing.T) {
	address := os.Getenv(servesEnv)
	if address == "" {
		t.Skip("runs as a process of other tests only")
	}
	fmt.Println("the token is very-secret-token")
	if err := os.WriteFile(os.Getenv("PID"), []byte(fmt.Sprint(os.Getpid())), 0o600); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("DIES") != "" {
		dies(t, address)
	}
	os.Exit(testApp().Run(context.Background(), []string{"serve", "--listen", address, "--heartbeat", "50ms"}, os.Stdin, os.Stdout, os.Stderr))
}

// dies serves the reference until the request for the fortieth writer, which is in the middle of a run, or for the
// DIES_AT-th. If DIES is a path, it dies once: when that file doesn't exist yet.
func dies(t *testing.T, address string) {
	h, err := (&serve{heartbeat: 50 * time.Millisecond, app: testApp()}).handler()
	if err != nil {
		t.Fatal(err)
	}
	var writers atomic.Int32
	at, err := strconv.Atoi(cmp.Or(os.Getenv("DIES_AT"), "40"))
	if err != nil {
		t.Fatal(err)
	}
	t.Fatal(http.ListenAndServe(address, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/writers") && int(writers.Add(1)) == at && once(os.Getenv("DIES")) {
			fmt.Println("\x1b[31mpanic with very-secret-token\x1b[0m\x1b]0;owned\a\xff")
			os.Exit(5)
		}
		h.ServeHTTP(w, r)
	})))
}

// once returns true the first time, or always if the name isn't a path.
func once(path string) bool {
	if !filepath.IsAbs(path) {
		return true
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_ = f.Close()
	}
	return err == nil
}

// launching returns a config that launches TestServes, and the file with its process.
func launching(t *testing.T, env string) (config, pid, url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	pid = filepath.Join(t.TempDir(), "pid")
	config = cmdtest.Write(t, "c.yaml", fmt.Sprintf(`target: {url: "http://%s"}
packs: [helix]
control: {token: very-secret-token}
launch:
  command: ['%s', '-test.run=^TestServes$', '-test.v']
  env: {%s: "%s", PID: '%s'%s}
  timeout: 20s
`, address, os.Args[0], servesEnv, address, pid, env))
	return config, pid, "http://" + address
}

// ended asks that the process of a file runs no more.
func ended(t *testing.T, file string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		return // no child exists
	}
	pid := contents(t, file)
	by := time.Now().Add(10 * time.Second)
	for {
		out, err := exec.Command("ps", "-o", "stat=", "-p", pid).Output()
		if err != nil || strings.HasPrefix(strings.TrimSpace(string(out)), "Z") {
			return
		}
		if time.Now().After(by) {
			t.Errorf("process %s was left behind", pid)
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestCertifyLaunches(t *testing.T) {
	config, pid, url := launching(t, "")
	r := streamcert(t, "", "certify", "--config", config, "--only", few)
	if r.Code != 0 || !strings.Contains(r.Out, "\nPASS  ") || r.Errs != "" {
		t.Errorf("%+v", r)
	}
	ended(t, pid)
	if r := streamcert(t, "", "probe", "--config", config); r.Code != 0 || r.Errs != "" {
		t.Errorf("%+v", r)
	}
	ended(t, pid)
	// A run that fails leaves no process either.
	streamcert(t, "", "certify", "--config", config, "--require", "Core", "--only", few)
	ended(t, pid)
	if _, err := http.Get(url); err == nil {
		t.Error("somebody answers still")
	}
}

func TestTheCallOverridesLaunch(t *testing.T) {
	config, pid, url := launching(t, "")
	runs := healthy(t)
	if r := streamcert(t, "", "certify", "--config", config, "--target", runs, "--only", few); r.Code != 0 {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(pid); err == nil {
		t.Error("the server was launched, though it runs already")
	}
	streamcert(t, "", "certify", "--config", cmdtest.Write(t, "d.yaml", strings.Replace(contents(t, config), url, runs, 1)), "--only", few).
		OneLine(t, failed, "something answers at "+runs, "--target URL")
}

func TestLaunchesThatFail(t *testing.T) {
	text := "target: {url: 'http://127.0.0.1:1'}\nheaders: {X: very-secret-key}\nlaunch: {command: %s}\n"
	bad := cmdtest.Write(t, "c.yaml", fmt.Sprintf(text, "[/nowhere/server]"))
	streamcert(t, "", "certify", "--config", bad).OneLine(t, misuse, "/nowhere/server", "launch.command")
	bad = cmdtest.Write(t, "c.yaml", fmt.Sprintf(text, "echo no database for very-secret-key; exit 4"))
	r := streamcert(t, "", "certify", "--config", bad)
	if r.Code != failed || !strings.Contains(r.Errs, "  | no database for ***\n") || !strings.Contains(r.Errs, "ended before it was ready") ||
		strings.Contains(r.Errs, "very-secret") || r.Out != "" {
		t.Errorf("%+v", r)
	}
}

// TestAnInterruptStopsTheLaunched interrupts a run as a terminal does.
func TestAnInterruptStopsTheLaunched(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process can't be interrupted there")
	}
	config, pid, _ := launching(t, "")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for {
			if b, err := os.ReadFile(pid); err == nil && len(b) > 0 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	var out, errs strings.Builder
	if code := testApp().Run(ctx, []string{"certify", "--config", config}, strings.NewReader(""), &out, &errs); code != failed {
		t.Errorf("exit code %d, %s", code, errs.String())
	}
	ended(t, pid)
}
