package certify

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
)

// waiting coordinates the rows that watch a silent stream (probes) with the other rows, during which they wait.
type waiting struct {
	options Options
	// probes is the number of rows that wait for the others. Each sends to arrived when it begins to wait, and continues
	// when over is closed; both are nil if no row waits.
	probes  int
	arrived chan struct{}
	over    chan struct{}
}

// play plays the scenarios of the plan: probes begin before all others, wait while these are played, and
// end after them. Those that may kill the server, or one of its replicas, come last.
func (r *running) play(ctx context.Context) {
	var probes, others, kills []features.Scenario
	for _, sc := range r.plan.Scenarios {
		if r.alone(sc.Requirement) {
			kills = append(kills, sc)
			continue
		}
		if sc.Probe {
			probes = append(probes, sc)
			r.waiting.probes += r.rowsOf(sc)
			continue
		}
		others = append(others, sc)
	}
	if most := r.options.Target.Limits().Streams; most > 0 && r.waiting.probes > most-streamsEach {
		r.waiting.probes = 0 // they don't fit together with the others, and follow them
	}
	done, over := make(chan struct{}), func() {}
	if r.waiting.probes > 0 {
		r.waiting.over, r.waiting.arrived = make(chan struct{}), make(chan struct{}, r.waiting.probes)
		over = sync.OnceFunc(func() { close(r.waiting.over) })
		go func() {
			defer close(done)
			r.godog(ctx, probes, r.waiting.probes)
		}()
		for range r.waiting.probes {
			select {
			case <-r.waiting.arrived:
			case <-done:
			}
		}
		if r.options.Slow == 0 {
			defer time.AfterFunc(r.waiting.longest(), over).Stop()
		}
	}
	r.godog(ctx, others, r.concurrency())
	if r.waiting.probes == 0 {
		r.godog(ctx, probes, r.concurrency())
	} else {
		r.waitForProbes(ctx)
		over()
		<-done
	}
	r.again(ctx)           // after the probes: one that was put aside would wait for the others among themselves
	r.godog(ctx, kills, 1) // alone: a kill ends everything that runs concurrently
	r.again(ctx)
}

// longestProbe is the default limit of a probe's wait: a server may end a silent connection after some minutes, and a run
// may take longer.
const longestProbe = 2 * time.Minute

// longest returns the longest wait of a probe while the others run.
func (w *waiting) longest() time.Duration { return cmp.Or(w.options.Longest, longestProbe) }

// waitForProbes waits for the duration of the probes after the other scenarios.
func (r *running) waitForProbes(ctx context.Context) {
	if r.options.Slow == 0 || r.hasStopped() {
		return
	}
	timer := time.NewTimer(r.options.Slow)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// awaits lets a probe wait. The caller calls the returned function when the row has ended, whether it waited or not.
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
