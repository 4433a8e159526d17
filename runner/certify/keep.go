package certify

import (
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps"
)

// keep adds a row with its findings to the report, as far as the budget allows. The caller has the lock.
func (r *running) keep(row *rowResult, exchanges []*target.Exchange, found []record.Finding) {
	r.budget.Keep(&row.report, len(found) > 0)
	for _, e := range exchanges {
		if r.server == "" && e.Kind != record.Control {
			r.server = r.options.Target.Redact(e.Now().Get("server"))
		}
	}
	if row.transcript != nil {
		if r.unkept -= bytesOf(row.transcript); r.unkept < 0 {
			row.transcript = nil
		}
	}
	r.done++
	r.rows[row.scenario.Location()+" "+row.report.Title] = row
	r.overflow(exchanges, r.options.Target.Limits().Frame)
	for _, f := range found {
		r.findings[f.Requirement] = append(r.findings[f.Requirement], r.budget.Finding(f))
		if r.options.Until != nil && r.options.Until(f.Requirement) {
			r.stopped = true
		}
		if r.options.FailFast && r.fails(f.Requirement) && !r.stopped {
			r.stopped, r.ended = true, "the first failure, of "+f.Requirement+" (--fail-fast)"
		}
	}
}

// counted adds a row to the results of the run, unless the run has ended.
func (r *running) counted(row *rowResult, w *steps.World, tier string, exchanges []*target.Exchange, found []record.Finding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left {
		return
	}
	r.counts.saw(row.report.Requirement, tier, row.report.Occasions)
	if row.report.Outcome == report.Pass {
		r.counts.passed(&row.report, w, tier)
		if w.Silence() > 0 {
			row.report.Reason = r.waiting.shortened(w.Silence())
		}
	}
	r.keep(row, exchanges, found)
	if r.options.Progress != nil {
		r.options.Progress(Progress{r.done, r.total, row.report, found})
	}
}
