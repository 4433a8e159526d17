package certify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/wire"
)

// rowResult is the outcome of one row of a scenario.
type rowResult struct {
	scenario    features.Scenario  // of which it is a row
	report      report.Scenario    // with the row's title
	transcript  *golden.Transcript // nil unless the run stores it, the steps passed and it fitted
	began, over time.Time          // began is before over
}

// results collects the outcomes of a run's rows. Concurrent rows add theirs under the lock, which isn't needed before the
// first row and after the last.
type results struct {
	total       int    // rows to play, known before the first
	fault       string // why the preflight failed, and no row is played; "" if it didn't
	interrupted bool   // the caller's context ended before the last row did

	mu        sync.Mutex                  // guards all below
	done      int                         // rows that have counted, at most total
	stopped   bool                        // no further row begins
	left      bool                        // the run ended before its rows, from which nothing is taken any more
	ended     string                      // why the run ended before everything had run, "" if it didn't
	rows      map[string]*rowResult       // by location and title of the row, with the result of its last play
	findings  map[string][]record.Finding // by requirement, selected or not, in the order in which their rows ended
	counts    counters                    // of rows that have counted
	budget    *report.Budget              // what findings and exchanges may still take of the report
	overflows int                         // streams with a frame over the limit
	unkept    int                         // bytes of transcripts that the report may still take; below 0 once one didn't fit
	server    string                      // redacted Server header of the first response that has one
}

func newResults() *results {
	return &results{
		counts: newCounters(), rows: map[string]*rowResult{}, findings: map[string][]record.Finding{},
		budget: report.NewBudget(report.RunBytes), unkept: report.RunBytes,
	}
}

func (r *results) hasStopped() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stopped
}

// stop lets no further row begin. The first reason counts.
func (r *results) stop(why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.stopped {
		r.stopped, r.ended = true, why
	}
}

// halted notes why the run ended before everything had run, if it did.
func (r *results) halted(ctx context.Context) {
	var timeout *timeoutError
	switch {
	case errors.As(context.Cause(ctx), &timeout):
		r.ended = timeout.Error()
	case ctx.Err() != nil:
		r.interrupted = true
	}
}

// mostOverflows limits the streams with a frame over the limit, after which a run ends. Each costs as much as the limit,
// and a server that writes every character as an escape exceeds it in a few scenarios only.
const mostOverflows = 20

// overflow counts the streams of a row with a frame over the limit, and ends the run after too many. The caller has the
// lock.
func (r *results) overflow(exchanges []*target.Exchange, limit int64) {
	for _, e := range exchanges {
		if errors.As(e.Now().Err, new(*wire.LimitError)) {
			r.overflows++
		}
	}
	if r.overflows >= mostOverflows && !r.stopped {
		r.stopped, r.ended = true, fmt.Sprintf("%d streams with a frame over %d bytes (limits.frame)", r.overflows, limit)
	}
}

// mostNeighbours limits the concurrent scenarios that a finding names.
const mostNeighbours = 8

// siblings returns the other rows of a row's requirement that ran.
func (r *results) siblings(row *rowResult) []*rowResult {
	var out []*rowResult
	for _, other := range r.rows {
		if other != row && other.report.Requirement == row.report.Requirement {
			out = append(out, other)
		}
	}
	return sorted(out)
}

// besides returns the rows that ran while one did.
func (r *results) besides(row *rowResult) []*rowResult {
	var out []*rowResult
	for _, other := range r.rows {
		if other != row && other.began.Before(row.over) && row.began.Before(other.over) {
			out = append(out, other)
		}
	}
	out = sorted(out)
	return out[:min(len(out), mostNeighbours)]
}

// sorted sorts rows by the time of their beginning and returns them.
func sorted(rows []*rowResult) []*rowResult {
	slices.SortFunc(rows, func(a, b *rowResult) int {
		return cmp.Or(a.began.Compare(b.began), cmp.Compare(a.report.Location, b.report.Location), cmp.Compare(a.report.Title, b.report.Title))
	})
	return rows
}
