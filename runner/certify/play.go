package certify

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/streamcert/streamcert/features"
)

// godog runs the rows of scenarios in order, with limited concurrency. Each row is a suite: godog stores every result of a
// suite in a database whose cost grows with it, and which nothing reads here.
func (r *running) godog(caller context.Context, scenarios []features.Scenario, concurrency int) {
	ctx, stop := context.WithCancel(caller)
	defer stop()
	rows := make(chan turn)
	var workers sync.WaitGroup
	for range concurrency {
		workers.Go(func() {
			for t := range rows {
				if !r.hasStopped() && caller.Err() == nil && r.takes(t.scenario, t.row.Title) && r.served(caller) {
					t.take(ctx, caller, stop)
				}
			}
		})
	}
	ended := make(chan struct{})
	go func() { workers.Wait(); close(ended) }()
feeding:
	for _, sc := range scenarios {
		for _, row := range sc.Rows {
			select {
			case rows <- turn{r, sc, row}:
			case <-caller.Done():
				break feeding
			}
		}
	}
	close(rows)
	select {
	case <-ended:
	case <-caller.Done():
		r.leave(ended)
	}
}

// rowEndTimeout is the time for rows to end once their run is over.
const rowEndTimeout = time.Second

// leave waits for rows of a run that is over, and takes nothing from those that are too busy to end with it.
func (r *running) leave(ended <-chan struct{}) {
	select {
	case <-ended:
	case <-time.After(rowEndTimeout):
		r.mu.Lock()
		defer r.mu.Unlock()
		r.left = true
	}
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

// again runs the queued rows, now that no call shares a connection
// with the one before.
func (r *running) again(ctx context.Context) {
	if ctx.Err() != nil || r.hasStopped() {
		return
	}
	locations := r.repeats.begin()
	if len(locations) == 0 {
		return
	}
	defer r.repeats.end()
	concurrency := r.concurrency()
	if r.outages.count() > 0 { // by itself, the one by which the server ended is the only one that is open
		concurrency = 1
	}
	r.godog(ctx, slices.DeleteFunc(slices.Clone(r.plan.Scenarios), func(sc features.Scenario) bool { return !locations[sc.Location()] }), concurrency)
}
