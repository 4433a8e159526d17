//go:build unix

package command

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hungUpEnv makes this test binary wait for a signal and say how it ended.
const hungUpEnv = "STREAMCERT_TEST_HUNG_UP"

func waitForSignal() {
	if os.Getenv(hungUpEnv) == "nohup" {
		signal.Ignore(syscall.SIGHUP)
	}
	patience := time.Minute // for a signal that comes
	if signal.Ignored(syscall.SIGHUP) {
		patience = time.Second
	}
	ctx, stop := interruptible(context.Background())
	defer stop()
	go func() { _ = syscall.Kill(os.Getpid(), syscall.SIGHUP) }()
	select {
	case <-ctx.Done():
		os.Exit(testApp().Run(context.Background(), []string{"version-that-is-none"}, nil, os.Stdout, os.Stderr))
	case <-time.After(patience):
		os.Exit(0)
	}
}

// TestTheEndOfTheTerminal: it ends a command as an interrupt does, so that findings are reported, and does nothing under
// nohup.
func TestTheEndOfTheTerminal(t *testing.T) {
	if os.Getenv(hungUpEnv) != "" {
		waitForSignal()
	}
	ended := misuse
	if signal.Ignored(syscall.SIGHUP) {
		ended = 0 // the tests themselves run under nohup, which child processes inherit
	}
	for how, want := range map[string]int{"terminal": ended, "nohup": 0} {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestTheEndOfTheTerminal$")
		cmd.Env = append(os.Environ(), hungUpEnv+"="+how)
		out, err := cmd.CombinedOutput()
		got := 0
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			got = exit.ExitCode()
		}
		if got != want {
			t.Errorf("%s: exit code %d, want %d: %v %s", how, got, want, err, strings.TrimSpace(string(out)))
		}
	}
}
