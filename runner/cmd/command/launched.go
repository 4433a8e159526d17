package command

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"

	"github.com/streamcert/streamcert/runner/launch"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// launched starts the server of a config at each of its addresses, if it states how. The returned function stops the server,
// and reports if it had ended by itself; it is never nil.
func (a *App) launched(ctx context.Context, cfg target.Config, t *target.Target) (func(), error) {
	if len(cfg.Launch.Command) == 0 {
		return func() {}, nil
	}
	a.orderly.Store(true)
	var started launch.Programs
	stop := func() {
		for _, err := range started.Stop(ctx) {
			if err != nil {
				tell(a.errs, err, t)
				fmt.Fprintf(a.errs, "streamcert: %s\n", report.OneLine(t.Redact(err.Error())))
			}
		}
	}
	for _, one := range launch.Replicas(cfg) {
		server, err := launch.Run(ctx, one)
		if err != nil {
			stop()
			return func() {}, unlaunched(a.errs, err, t)
		}
		started = append(started, server)
	}
	a.server = started
	if cfg.Launch.Kill {
		var programs []target.Program
		for _, server := range started {
			programs = append(programs, server)
		}
		t.RunsAs(programs...)
	}
	return stop, nil
}

// unlaunched returns why a server could not be started, which may be a mistake in the config.
func unlaunched(errs io.Writer, err error, t *target.Target) error {
	tell(errs, err, t)
	said := errors.New(t.Redact(err.Error()))
	for _, mistake := range []error{exec.ErrNotFound, fs.ErrNotExist, fs.ErrPermission} {
		if errors.Is(err, mistake) {
			return Misused(said)
		}
	}
	return said
}

// tell prints the output of a server that failed.
func tell(errs io.Writer, err error, t *target.Target) {
	var e *launch.Error
	if !errors.As(err, &e) || strings.TrimSpace(e.Output) == "" {
		return
	}
	showOutput(errs, strings.Split(report.ServerOutput(t.Redact(e.Output)), "\n"))
}

// showOutput prints lines that a server wrote.
func showOutput(errs io.Writer, lines []string) {
	if len(lines) > 0 {
		fmt.Fprintln(errs, "the last output of the server:")
	}
	for _, line := range lines {
		fmt.Fprintf(errs, "  | %s\n", report.OneLine(line))
	}
}

// launchedReference returns the config of a reference server that runs as separate processes over a store, which can be
// killed.
func launchedReference(store string, processes int) (target.Config, error) {
	program, err := os.Executable()
	if err != nil {
		return target.Config{}, fmt.Errorf("finding this program, to start it as a server: %w", err)
	}
	addresses, err := launch.FreeAddresses(processes)
	if err != nil {
		return target.Config{}, fmt.Errorf("starting the reference server: %w", err)
	}
	reader, control := rand.Text(), rand.Text()
	cfg := target.Config{
		URL: "http://" + addresses[0], Headers: bearer(reader), ControlToken: control, Timing: target.Timing{Heartbeat: heartbeat},
		Secrets: []string{store}, // it may hold a password
		Launch: target.Launch{
			Command: []string{program, "serve", "--listen", addresses[0], "--heartbeat", heartbeat.String()},
			Env:     []string{storeVariable + "=" + store, readerVariable + "=" + reader, controlVariable + "=" + control}, Kill: true,
		},
	}
	if processes > 1 {
		for _, address := range addresses {
			cfg.Targets = append(cfg.Targets, "http://"+address)
		}
		cfg.Launch.Command[3] = "127.0.0.1:{port}"
	}
	return cfg, nil
}
