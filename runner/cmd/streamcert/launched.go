package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"

	"github.com/streamcert/streamcert/runner/launch"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// launched starts the server of a config, if it says how. What it returns stops
// the server, and says so if it had ended by itself; it may always be called.
func (a *app) launched(ctx context.Context, cfg target.Config, t *target.Target) (func(), error) {
	if len(cfg.Launch.Command) == 0 {
		return func() {}, nil
	}
	server, err := launch.Start(ctx, cfg)
	if err != nil {
		a.tell(err, t)
		said := errors.New(t.Redact(err.Error()))
		for _, mistake := range []error{exec.ErrNotFound, fs.ErrNotExist, fs.ErrPermission} {
			if errors.Is(err, mistake) {
				return func() {}, misused(said)
			}
		}
		return func() {}, said
	}
	return func() {
		if err := server.Stop(); err != nil {
			a.tell(err, t)
			fmt.Fprintf(a.errs, "streamcert: %s\n", report.OneLine(t.Redact(err.Error())))
		}
	}, nil
}

// tell shows what a server wrote before it failed.
func (a *app) tell(err error, t *target.Target) {
	var e *launch.Error
	if !errors.As(err, &e) || strings.TrimSpace(e.Output) == "" {
		return
	}
	fmt.Fprintln(a.errs, "the last output of the server:")
	for line := range strings.SplitSeq(strings.TrimRight(report.Plain(t.Redact(e.Output)), "\n"), "\n") {
		fmt.Fprintf(a.errs, "  | %s\n", line)
	}
}
