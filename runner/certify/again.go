package certify

import (
	"context"
	"slices"

	"github.com/streamcert/streamcert/features"
)

// puts queues a row to run again because the server closed an idle connection under a call,
// or ended while the row was open. It reports false for a row that has been run again.
func (r *running) puts(key rowKey) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lost != nil {
		return false
	}
	r.deferred = append(r.deferred, key)
	return true
}

func (r *running) anyDeferred() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.deferred) > 0
}

// again runs the queued rows, now that no call shares a connection
// with the one before.
func (r *running) again(ctx context.Context) {
	if ctx.Err() != nil || r.hasStopped() || !r.anyDeferred() {
		return
	}
	locations := map[string]bool{}
	r.mu.Lock() // probes are still there
	r.lost = map[rowKey]bool{}
	for _, key := range r.deferred {
		r.lost[key], locations[key.location] = true, true
	}
	r.deferred = nil
	r.mu.Unlock()
	concurrency := r.concurrency()
	if r.outages.count() > 0 { // by itself, the one by which the server ended is the only one that is open
		concurrency = 1
	}
	r.godog(ctx, slices.DeleteFunc(slices.Clone(r.plan.Scenarios), func(sc features.Scenario) bool { return !locations[sc.Location()] }), concurrency)
	r.mu.Lock()
	r.lost = nil
	r.mu.Unlock()
}
