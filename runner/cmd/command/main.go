package command

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"syscall"

	"github.com/streamcert/streamcert/runner/packs"
)

// memory is the heap size from which the collector works harder, and percent the growth of the heap below that. A run needs
// far less at a time, but megabytes of filler pass through it: collecting after each doubling would cost a third of the
// run, and returning pages to the system below a lower limit, a tenth. Both keep a run with its server
// under 240 MB.
const (
	memory  = 190 << 20
	percent = 400
)

// headroom is the memory above what is in use that the collector leaves free before it works harder, up to a limit of largest.
const (
	headroom = 48 << 20
	largest  = 250 << 20
)

// keepHeadroom adapts the limit of memory after each collection to what is in use then. A single large frame may take more than
// the limit, and the collector would run without a pause as long as it is there, freeing nothing.
func keepHeadroom() {
	type cycle struct{ number *int } // with a pointer, so that it shares no block that lives on
	var collected func(*cycle)
	limit := int64(memory)
	collected = func(c *cycle) {
		inUse := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(inUse)
		if next := min(max(memory, int64(inUse[0].Value.Uint64())+headroom), largest); next != limit {
			limit = next
			debug.SetMemoryLimit(limit)
		}
		runtime.SetFinalizer(c, collected) // called again after the next collection
	}
	runtime.SetFinalizer(&cycle{new(int)}, collected)
}

// Main runs the command line of this process with the packs of this build, and ends it.
func Main(p Program) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memory)
		keepHeadroom()
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
