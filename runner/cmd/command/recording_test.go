//go:build unix

package command

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
)

// within runs a command line that is interrupted after a while, and fails if it runs on long after that.
func within(t *testing.T, interrupt time.Duration, args ...string) cmdtest.Ran {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), interrupt)
	defer cancel()
	var out, errs bytes.Buffer
	done := make(chan int, 1)
	in, w, err := os.Pipe() // a standard input without a writer
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer w.Close()
	go func() { done <- testApp().Run(ctx, args, in, &out, &errs) }()
	select {
	case n := <-done:
		return cmdtest.Ran{Code: n, Out: out.String(), Errs: errs.String()}
	case <-time.After(interrupt + 20*time.Second):
		t.Fatalf("streamcert %s goes on", strings.Join(args, " "))
		return cmdtest.Ran{}
	}
}

// TestRecordingsThatNeverCome: the first interrupt ends the wait for a pipe that
// has no writer, or that has one who writes nothing.
func TestRecordingsThatNeverCome(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	silent := filepath.Join(t.TempDir(), "silent")
	if err := syscall.Mkfifo(silent, 0o600); err != nil {
		t.Fatal(err)
	}
	both, err := os.OpenFile(silent, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer both.Close()
	for _, command := range []string{"check", "verify", "view"} {
		for _, name := range []string{pipe, silent, "-"} {
			if r := within(t, 200*time.Millisecond, command, name); r.Code != failed || strings.Count(r.Errs, "\n") != 1 {
				t.Errorf("%s %s: %+v", command, name, r)
			}
		}
	}
}

// TestRecordingsWithoutAnEnd: an endless recording is read up to a limit.
func TestRecordingsWithoutAnEnd(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"check", "verify", "view"} {
		if r := within(t, 30*time.Second, command, "/dev/zero"); r.Code == 0 || strings.Count(r.Errs, "\n") != 1 || len(r.Out) > 1<<20 {
			t.Errorf("%s: exit code %d, %d bytes, %.300s", command, r.Code, len(r.Out), r.Errs)
		}
	}
}
