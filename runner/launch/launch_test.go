//go:build unix

package launch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/target"
)

// roleEnv selects the role of this test binary when it is started again.
const roleEnv = "STREAMCERT_LAUNCH_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleEnv) {
	case "":
		os.Exit(m.Run())
	case "server":
		serve()
	case "suite":
		suite()
	case "dumb":
		fmt.Println("nothing will come of this")
		time.Sleep(time.Hour) // waiting for nothing at all is a deadlock to the language
	case "dead":
		fmt.Fprintln(os.Stderr, "there is no database")
		os.Exit(7)
	}
}

// serve runs a server with a child; on request it ignores signals; it writes a file when it gets the signal to end.
func serve() {
	child := exec.Command("sleep", "1000")
	if os.Getenv("ESCAPE") != "" {
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	}
	child.Stdout = os.Stdout
	if err := child.Start(); err != nil {
		os.Exit(8)
	}
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	pids := fmt.Sprintf("%d %d", os.Getpid(), child.Process.Pid)
	http.HandleFunc("/pids", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, pids) })
	http.HandleFunc("/die", func(http.ResponseWriter, *http.Request) {
		fmt.Println("out of luck")
		os.Exit(9)
	})
	go func() { _ = http.ListenAndServe(os.Getenv("ADDRESS"), nil) }()
	for s := range asked {
		if os.Getenv("DEAF") == "" {
			_ = os.WriteFile(os.Getenv("FAREWELL"), []byte(s.String()), 0o600)
			os.Exit(0)
		}
	}
}

// suite launches a server, states who it is, and ends without stopping it.
func suite() {
	l := target.Launch{Command: []string{os.Args[0]}, Env: []string{roleEnv + "=server", "ADDRESS=" + os.Getenv("ADDRESS"), "DEAF=yes"}}
	url := "http://" + os.Getenv("ADDRESS")
	if _, err := Start(context.Background(), target.Config{URL: url, Launch: l}); err != nil {
		fmt.Println("the server didn't start:", err)
		os.Exit(6)
	}
	fmt.Println(get(url + "/pids"))
	if os.Getenv("END") == "kill" {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	go panic("in a goroutine whose panics nobody can catch")
	time.Sleep(time.Hour) // waiting for nothing at all is a deadlock to the language
}

func get(url string) string {
	resp, err := http.Get(url)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	b, _ := io.ReadAll(resp.Body)
	return string(b)
}

func freeAddress(t *testing.T) string {
	t.Helper()
	free, err := FreeAddresses(1)
	if err != nil {
		t.Fatal(err)
	}
	return free[0]
}

func config(t *testing.T, role string, env ...string) target.Config {
	t.Helper()
	address := freeAddress(t)
	return target.Config{URL: "http://" + address, Launch: target.Launch{
		Command: []string{os.Args[0]}, Env: append(env, roleEnv+"="+role, "ADDRESS="+address), Timeout: 20 * time.Second,
	}}
}

// gone waits until none of the processes exists. A zombie counts as ended.
func gone(t *testing.T, pids string) {
	t.Helper()
	if len(strings.Fields(pids)) != 2 {
		t.Fatalf("%q are no two processes", pids)
	}
	by := time.Now().Add(10 * time.Second)
	for _, pid := range strings.Fields(pids) {
		for runs(pid) {
			if time.Now().After(by) {
				t.Errorf("process %s was left behind", pid)
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}

func runs(pid string) bool {
	out, err := exec.Command("ps", "-o", "stat=", "-p", pid).Output()
	return err == nil && !strings.HasPrefix(strings.TrimSpace(string(out)), "Z")
}

func TestStopAsksFirst(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ stop, says string }{{"", "terminated"}, {"SIGINT", "interrupt"}, {"SIGHUP", "hangup"}} {
		farewell := filepath.Join(t.TempDir(), "farewell")
		cfg := config(t, "server", "FAREWELL="+farewell)
		cfg.Launch.Stop = c.stop
		s, err := Start(context.Background(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		pids := get(cfg.URL + "/pids")
		if !runs(strings.Fields(pids)[1]) {
			t.Error("the child doesn't run: nothing is proven by its absence")
		}
		if err := errors.Join(s.Stop(t.Context()), s.Stop(t.Context())); err != nil {
			t.Error(err)
		}
		gone(t, pids)
		if said, err := os.ReadFile(farewell); err != nil || string(said) != c.says {
			t.Errorf("%s: the server heard %q, %v", c.stop, said, err)
		}
	}
}

func TestStopKillsTheDeaf(t *testing.T) {
	t.Parallel()
	cfg := config(t, "server", "DEAF=yes")
	s, err := start(cfg.Launch, 50*time.Millisecond, &tail{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.await(context.Background(), target.TLS{}, cfg.URL, 20*time.Second); err != nil {
		t.Fatal(err)
	}
	pids := get(cfg.URL + "/pids")
	if err := s.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	gone(t, pids)
}

// TestADeadSuiteLeavesNothing: neither a panic nor a kill of the suite leaves the server or its child running.
func TestADeadSuiteLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"panic", "kill"} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), roleEnv+"=suite", "END="+end, "ADDRESS="+freeAddress(t))
		out, err := cmd.Output()
		if err == nil {
			t.Errorf("%s: the suite ended well", end)
		}
		gone(t, string(out))
	}
}

func TestServersThatDontStart(t *testing.T) {
	busy := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(busy.Close)
	for name, c := range map[string]struct {
		change        func(*target.Config)
		role          string
		says, written string
	}{
		"ends": {nil, "dead", "ended before it was ready", "there is no database"},
		"never ready": {func(c *target.Config) { c.Launch.Timeout = time.Second }, "dumb",
			"was not ready within 1s", "nothing will come of this"},
		"no program":     {func(c *target.Config) { c.Launch.Command = []string{"/nowhere/server"} }, "dumb", "starting /nowhere/server", ""},
		"taken":          {func(c *target.Config) { c.URL = busy.URL }, "dumb", "something answers at " + busy.URL, ""},
		"taken by ready": {func(c *target.Config) { c.Launch.Ready = busy.URL }, "dumb", "--target URL", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := config(t, c.role)
			if c.change != nil {
				c.change(&cfg)
			}
			_, err := Start(context.Background(), cfg)
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(e.Message, c.says) || !strings.Contains(e.Output, c.written) {
				t.Errorf("got %#v", err)
			}
			if e != nil && strings.Contains(e.Message, "\n") {
				t.Errorf("%q is more than a line", e.Message)
			}
		})
	}
}

// TestUntrustedCertificates: no wait makes a certificate better.
func TestUntrustedCertificates(t *testing.T) {
	t.Parallel()
	signed := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(signed.Close)
	cfg := config(t, "dumb")
	cfg.URL, cfg.Launch.Timeout = signed.URL, time.Hour
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	_, err := Start(ctx, cfg)
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(e.Message, "certificate") || !strings.Contains(e.Message, "tls.ca") {
		t.Errorf("got %v", err)
	}
}

// TestAnInterruptKillsTheDeaf: an interrupt of the run doesn't wait for a server that ignores the request to end.
func TestAnInterruptKillsTheDeaf(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	var servers []*Server
	for range 2 {
		cfg := config(t, "server", "DEAF=yes")
		s, err := Start(ctx, cfg)
		if err != nil {
			t.Fatal(err)
		}
		servers = append(servers, s)
	}
	interrupt()
	for _, s := range servers {
		began := time.Now()
		if err := s.Stop(ctx); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > grace-time.Second {
			t.Errorf("it takes %v to end a server of a run that was interrupted", took)
		}
	}
}

func TestAnInterruptWhileItStarts(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := Start(ctx, config(t, "dumb")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestAServerThatDies(t *testing.T) {
	t.Parallel()
	cfg := config(t, "server")
	s, err := Start(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	pids := get(cfg.URL + "/pids")
	get(cfg.URL + "/die")
	<-s.ended
	var e *Error
	if err := s.Stop(t.Context()); !errors.As(err, &e) || !strings.Contains(e.Message, "ended by itself during the run (exit status 9)") ||
		!strings.Contains(e.Output, "out of luck") {
		t.Errorf("got %#v", err)
	}
	gone(t, pids)
}
