package certify

import (
	"context"
	"slices"

	"github.com/streamcert/streamcert/features"
)

// puts puts a row aside in which the server hung up on a call because the
// connection had been idle. It reports false when the row has been run again.
func (r *running) puts(key rowKey) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lost != nil {
		return false
	}
	r.aside = append(r.aside, key)
	return true
}

// again runs the rows that were put aside, now that no call shares a connection
// with the one before.
func (r *running) again(ctx context.Context) {
	if len(r.aside) == 0 || ctx.Err() != nil || r.hasStopped() {
		return
	}
	r.lost = map[rowKey]bool{}
	places := map[string]bool{}
	for _, key := range r.aside {
		r.lost[key], places[key.place] = true, true
	}
	whole := r.plan.Scenarios
	r.plan.Scenarios = slices.DeleteFunc(slices.Clone(whole), func(sc features.Scenario) bool { return !places[sc.Place()] })
	r.godog(ctx)
	r.plan.Scenarios, r.lost = whole, nil
}
