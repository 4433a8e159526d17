package certify

import (
	"cmp"
	"sync"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
)

// waiting coordinates the rows that watch a silent stream (probes) with the other rows, during which they wait.
type waiting struct {
	options Options // of the run
	// probes is the number of rows that wait for the others. Each sends to arrived when it begins to wait, and continues
	// when over is closed; both are nil if no row waits.
	probes  int
	arrived chan struct{} // of capacity probes, so that no probe blocks on it
	over    chan struct{} // closed when the other rows have ended
}

// longestProbe is the default limit of a probe's wait: a server may end a silent connection after some minutes, and a run
// may take longer.
const longestProbe = 2 * time.Minute

// longest returns the longest wait of a probe while the others run.
func (w *waiting) longest() time.Duration { return cmp.Or(w.options.Longest, longestProbe) }

// awaits makes a probe wait. The caller calls the returned function when the row has ended, whether it waited or not.
func (w *waiting) awaits(sc features.Scenario, env *steps.Env) func() {
	if !sc.Probe || w.over == nil {
		return func() {}
	}
	env.Over, env.Waits = w.over, sync.OnceFunc(func() { w.arrived <- struct{}{} })
	return env.Waits
}

// shortened returns a note for a probe that waited for less than the run, "" for one that didn't.
func (w *waiting) shortened(waited time.Duration) string {
	if most := w.options.Target.Limits().Silence; most > 0 && waited >= most {
		return "it waited for the longest silence that the config declares, " + most.String() + ", and not for the whole run"
	}
	if w.options.Slow == 0 && waited >= w.longest() {
		return "it waited for " + w.longest().String() + ", since many servers end what is silent for longer, and not for the whole run; --slow holds it"
	}
	return ""
}
