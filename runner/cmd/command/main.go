package command

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/streamcert/streamcert/runner/packs"
)

// memory is the heap size from which the collector works harder, and percent the growth of the heap below that. A run needs
// far less at a time, but megabytes of filler pass through it: collecting after each doubling would cost a third of the
// run. Both keep a run with its server under 200 MB.
const (
	memory  = 150 << 20
	percent = 400
)

// Main runs the command line of this process with the packs of this build, and ends it.
func Main(p Program) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memory)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
	ctx, stop := interruptible(context.Background())
	// The first interrupt ends a command cleanly, the second at once.
	context.AfterFunc(ctx, stop)
	os.Exit(New(p, packs.All(), Servers()).Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// interruptible returns a context that a signal ends: an interrupt, a request to
// end, or the end of the terminal. Under nohup the last one stays ignored.
func interruptible(parent context.Context) (context.Context, context.CancelFunc) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signal.NotifyContext(parent, signals...)
}
